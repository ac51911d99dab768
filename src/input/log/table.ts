import { readCsvRow } from '../../wire/csv/csv-row.js'
import { parseEventTime } from '../../wire/event/event-time.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { readerOf } from '../mapping/date-and-time.js'
import { LEVEL_SOURCES } from '../mapping/level-source.js'
import { MARKDOWN_RULE } from '../recognize.js'
import { alignedCells, isRule, withLightBars } from './aligned-columns.js'
import type { EventText } from './event-text.js'
import type { Conversion } from './log-format.js'
import type { TableLayout } from './table-layout.js'
import type { EventTimeReading } from './time/line-layout.js'

/**
 * Returns the functions that find and read the rows of a table: the logs of Zeek, flow logs, CSV after a banner, aligned tables.
 * Directives, lines between rows and repeated headers are not events; a line with another number of values is a message.
 */
export function tableConversion(table: TableLayout, options: EventTimeReading): Conversion {
  const { columns, aligned, missing, booleans = [], date, time: times = [], levelSource } = table
  const source = LEVEL_SOURCES.find(({ name }) => name === levelSource)
  const readTime = options.findsTime ? timeReader(table, options) : undefined
  const timed = date === undefined ? 0 : times.length
  const header = columns.slice(timed).join()
  // Names in an aligned header may touch one another.
  const letters = columns.join('').replaceAll(' ', '')
  const isHeader = (line: string) =>
    namesIn(line).slice(timed).join() === header ||
    (aligned !== undefined && line.replaceAll(' ', '') === letters)
  const namesIn = (line: string) =>
    columnNames(withLightBars(line.replace(/^# (?=Time )/, '')), table) ?? []
  const isRow = (line: string) => cellsOf(line, table)?.length === columns.length
  return {
    format: 'table',
    start: {
      // A blank line ends the rows of a table that is aligned with spaces.
      isStart: (line, previous) =>
        isRow(line) ||
        isRow(previous) ||
        (table.delimiter === ',' && opensRow(line)) ||
        (aligned?.separator === ' ' && previous.trim() === ''),
      isComment: (line) =>
        /^#[a-z_]+(?:[\t ]|$)/.test(line) ||
        (table.hasNotes === true && line.startsWith('#')) ||
        isHeader(line) ||
        isFrame(line, table),
    },
    read: (line, event) => {
      const cells = cellsOf(line, table)
      if (cells?.length !== columns.length) {
        return `it has ${cells?.length ?? 'malformed'} values, the header ${columns.length}`
      }
      const time = readTime?.(cells)
      if (time !== undefined) event.setTime(time)
      for (const [index, name] of columns.entries()) {
        const value = cells[index]!
        if (missing.includes(value)) continue
        const level = name === source?.name ? source.read(value) : undefined
        if (level !== undefined) event.text('level', level)
        if (level !== undefined && name === 'level') {
          if (level !== value.toLowerCase()) event.text('severity_text', value)
          continue
        }
        if (booleans.includes(name)) event.json(name, String(value === 'T'))
        else event.plain(name, value)
      }
      return undefined
    },
  }
}

/** True for a line with a quote that is not closed. */
export const isUnclosed = (line: string) => line.split('"').length % 2 === 0

/** True for the first line of a row of several lines, whose first quote is at the beginning of a cell. */
const opensRow = (line: string) => /^(?:[^",]{0,999},){0,99}"/.test(line) && isUnclosed(line)

/** Returns the values of a row, in latin1; undefined when a quote is not closed, or values are not aligned. */
export function cellsOf(
  line: string,
  { delimiter, isPadded, aligned }: Pick<TableLayout, 'delimiter' | 'isPadded' | 'aligned'>,
): readonly string[] | undefined {
  if (aligned !== undefined) return alignedCells(line, aligned)
  if (delimiter === undefined) return line.trim().split(/[ \t]+/)
  if (delimiter === '|') return markdownCells(line)
  if (delimiter !== ',') {
    const cells = line.split(delimiter)
    return isPadded ? cells.map((cell) => cell.trimEnd()) : cells
  }
  const text = isPadded ? line.replaceAll(', "', ',"') : line
  const row = readCsvRow(text, 0, { delimiter, isEnd: true })
  if (row === undefined || row.end < text.length) return undefined
  return row.cells.map((cell = '') => (isPadded ? cell.trim() : cell))
}

/** True for a line that belongs to the frame of a table, or has the types of its columns. */
export function isFrame(
  line: string,
  { aligned, delimiter }: Pick<TableLayout, 'aligned' | 'delimiter'>,
): boolean {
  if (delimiter === '|') return MARKDOWN_RULE.test(line)
  return aligned !== undefined && (isRule(line) || line === aligned.types)
}

/** Returns the values between bars, in which a bar has a backslash in front of it. */
function markdownCells(line: string): readonly string[] {
  const cells = line
    .trim()
    .replace(/^\|/, '')
    .replace(/(?<!\\)\|$/, '')
    .split(/(?<!\\)\|/)
  return cells.map((cell) => cell.trim().replaceAll('\\|', '|'))
}

/** Returns the names in a header; undefined for a line that has no values. */
export function columnNames(
  line: string,
  table: Pick<TableLayout, 'delimiter' | 'aligned'>,
): readonly string[] | undefined {
  return cellsOf(line, table)?.map((name) => name.trim())
}

function timeReader(
  { columns, date, time = [], timeLayout }: TableLayout,
  { now, times }: EventTimeReading,
): ((cells: readonly string[]) => string | undefined) | undefined {
  const indices = time.map((name) => columns.indexOf(name))
  if (indices.length === 0) return undefined
  const read = (timeLayout && readerOf(timeLayout, { now, times })) || readUsualTime
  const dates = date === undefined ? [] : [date]
  return (cells) => read([...dates, ...indices.map((index) => cells[index])].join(' '))
}

function readUsualTime(text: string): string | undefined {
  const found = parseEventTime(text)
  return found === undefined ? undefined : formatTimestamp(found)
}

/** Writes the values of a row as strings, for detecting their meaning. */
export function rowEvent(columns: readonly string[], cells: readonly string[], event: EventText) {
  for (const [index, name] of columns.entries()) event.plain(name, cells[index] ?? '')
  return event.take()
}
