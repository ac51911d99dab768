import { defined } from '../../text/defined.js'
import { objectMapping } from '../mapping/detect-mapping.js'
import { objectsIn } from '../mapping/sample.js'
import { isTimeName } from '../mapping/time-name.js'
import { BARRED_HEADER, MARKDOWN_RULE, PADDED_HEADER, SPACED_HEADER } from '../recognize.js'
import { alignedTable, MISSING } from './aligned-columns.js'
import { EventText } from './event-text.js'
import { cellsOf, columnNames, isFrame, isUnclosed, rowEvent } from './table.js'
import type { TableLayout } from './table-layout.js'
import type { TimeReading } from './time/line-layout.js'

/** A header is looked for in this many first lines. */
const MAX_BANNER = 64
const COMPARED_ROWS = 50
/** The share of the rows that must have as many values as the header. */
const ROW_SHARE = 0.8
const LEAST_COLUMNS = 4
const LEAST_ROWS = 2
/** From this number of columns on, lines with the same number of commas are hardly text. */
const MANY_COLUMNS = 6
const NAME = /^[A-Za-z_][\w.()/-]{0,60}$/
/** A name in a header with commas or tabs. */
const LONG_NAME = /^[A-Za-z_][\w.()/ -]{0,60}$/
const NUMBER = /^-?\d[\d.]*$/
const CLOCK = /\d\d:\d\d:\d\d/
const ZEEK = /^#separator (\S+)$/
const ESCAPED = /^\\x([0-9a-f]{2})$/i

/** The delimiter of the values of a row, and the spaces beside it. */
type Separation = Pick<TableLayout, 'delimiter' | 'isPadded'>

interface TableDetection extends TimeReading {
  /** The delimiter, if the input has the file name of a table: the columns may be few, and their values text. */
  readonly delimiter?: string
}

/** Returns the layout of lines, in latin1, that are a table with a header; undefined for other lines. */
export function detectTable(
  lines: readonly string[],
  options: TableDetection,
): TableLayout | undefined {
  const sysstat = sysstatTable(lines)
  if (sysstat !== undefined) return sysstat
  const table =
    zeekTable(lines) ?? tableInColumns(lines) ?? barredTable(lines) ?? headedTable(lines, options)
  return table && { ...table, ...meaningOf(table, lines, options) }
}

/** The first line of the programs of sysstat, which names the date of the times in the rows, and a header. */
const SYSSTAT = /^Linux \S+ \(\S+\)\s+(?:(\d\d\/\d\d\/\d\d)|(\d{4}-\d\d-\d\d))\s/
const TIMED_HEADER = /^(?:# Time|\d\d:\d\d:\d\d( [AP]M)?)((?: +[A-Za-z%][\w.()/%-]*)+) *$/

/** Returns the table of sar, mpstat and pidstat, unless they print several tables. */
function sysstatTable([first = '', ...lines]: readonly string[]): TableLayout | undefined {
  const [banner, date, isoDate] = SYSSTAT.exec(first) ?? []
  if (banner === undefined) return undefined
  const headers = lines.flatMap((line) => {
    const [, half, names = ''] = TIMED_HEADER.exec(line) ?? []
    return names === '' ? [] : [`time ${half ? 'half ' : ''}${names.trim().replace(/ +/g, ' ')}`]
  })
  const [columns = ''] = headers
  if (columns === '' || new Set(headers).size > 1) return undefined
  return {
    columns: columns.split(' '),
    missing: ['-'],
    date: date ?? isoDate!,
    time: columns.startsWith('time half ') ? ['time', 'half'] : ['time'],
    timeLayout: date === undefined ? 'start:iso' : 'start:month/day/year short loose',
  }
}

function tableInColumns(lines: readonly string[]): TableLayout | undefined {
  const table = alignedTable(lines)
  return table && { ...table, missing: MISSING }
}

/** Returns a table in Markdown or of padded columns between bars; undefined when other text follows it. */
function barredTable(lines: readonly string[]): TableLayout | undefined {
  const filled = lines.filter((line) => line.trim() !== '')
  const rule = filled.slice(0, MAX_BANNER).findIndex((line) => MARKDOWN_RULE.test(line))
  const isPadded = rule === -1 && BARRED_HEADER.test(filled[0] ?? '')
  if (rule < 1 && !isPadded) return undefined
  const [header = '', ...below] = isPadded ? filled : filled.toSpliced(rule, 1).slice(rule - 1)
  const delimiter = '|'
  const columns = columnNames(header, { delimiter }) ?? []
  const rows = below.slice(0, COMPARED_ROWS)
  const even = rows.filter((line) => cellsOf(line, { delimiter })?.length === columns.length)
  const isTable = even.length > 0 && even.length >= rows.length * ROW_SHARE
  // A line of a log with bars looks like such a header, but its values are in the lines below it, too.
  const isCertain =
    !isPadded ||
    (columns.length >= LEAST_COLUMNS &&
      isHeader(columns, LONG_NAME) &&
      !repeatNames(rows, columns, { delimiter }))
  const areNames =
    isCertain &&
    columns.length > 1 &&
    new Set(columns).size === columns.length &&
    // The header of rows of a log that were copied from a page without a header is the first row.
    !columns.some((name) => name === '' || CLOCK.test(name))
  return isTable && areNames ? { columns, delimiter, missing: [''] } : undefined
}

/** Returns the table that Zeek's directives `#separator`, `#fields` and `#types` describe. */
function zeekTable(lines: readonly string[]): TableLayout | undefined {
  const directives = lines.slice(0, MAX_BANNER).filter((line) => line.startsWith('#'))
  const [, escaped = ''] = ZEEK.exec(directives[0] ?? '') ?? []
  const [, code] = ESCAPED.exec(escaped) ?? []
  const delimiter =
    code !== undefined
      ? String.fromCharCode(Number.parseInt(code, 16))
      : directives.some((line) => line.startsWith('#fields\t'))
        ? '\t'
        : undefined
  if (delimiter === undefined) return undefined
  const valuesOf = (name: string) =>
    directives
      .find((line) => line.startsWith(`#${name}${delimiter}`))
      ?.split(delimiter)
      .slice(1)
  const columns = valuesOf('fields')
  if (columns === undefined) return undefined
  const types = valuesOf('types') ?? []
  const missing = [...(valuesOf('unset_field') ?? ['-']), ...(valuesOf('empty_field') ?? [])]
  const booleans = columns.filter((_, index) => types[index] === 'bool')
  return { columns, delimiter, missing, booleans }
}

/** Returns lines in which rows of several lines, whose line ends are in quotes, are one each. */
function wholeRows(lines: readonly string[]): readonly string[] {
  const rows: string[] = []
  let isOpen = false
  for (const line of lines) {
    rows.push(isOpen ? `${rows.pop()}\n${line}` : line)
    isOpen = isOpen !== isUnclosed(line)
  }
  return rows
}

/** Returns the table of a header, perhaps after a banner, and of rows with as many values, many of which are numbers. */
function headedTable(lines: readonly string[], options: TableDetection): TableLayout | undefined {
  const { delimiter: named } = options
  const filled = lines.filter((line) => line.trim() !== '')
  const [leastColumns, delimiters] =
    named === undefined ? [LEAST_COLUMNS, [undefined, '\t', ',']] : [2, [named]]
  for (const delimiter of delimiters) {
    for (const [at, line] of filled.slice(0, MAX_BANNER).entries()) {
      // Other tables whose header is the first line have been recognized as CSV or TSV.
      const isSpaced = at === 0 && named === ',' && areSpaced(filled)
      const isPadded = isSpaced || (delimiter === '\t' && PADDED_HEADER.test(line))
      if (at === 0 && delimiter !== undefined && !isPadded) continue
      const columns = columnNames(line.replace(/^#\s*/, ''), { delimiter })
      if (columns === undefined) continue
      const isCommented =
        filled.slice(0, at).every((one) => one.startsWith('#')) && columns.some(isTimeName)
      const rows = filled.slice(at + 1, at + 1 + COMPARED_ROWS)
      const isDated = delimiter === ',' && haveDates(rows, columns)
      const isCertain =
        isPadded || isDated || (isCommented && delimiter === ',' && !line.startsWith('#'))
      if (columns.length < (isCertain ? 2 : leastColumns)) continue
      if (!isHeader(columns, isSpaced ? /\S/ : delimiter ? LONG_NAME : NAME)) continue
      if (repeatNames(rows, columns, { delimiter, isPadded })) continue
      for (const names of [columns, datedColumns(columns)]) {
        if (
          areRows(rows, names.length, {
            delimiter,
            isPadded,
            isNamed: isCertain || named !== undefined,
          })
        ) {
          const hasNotes = line.startsWith('#')
          const marks = { ...(isPadded && { isPadded }), ...(hasNotes && { hasNotes }) }
          return { columns: names, missing: isSpaced ? [''] : ['-', ''], delimiter, ...marks }
        }
      }
    }
  }
  const rows = wholeRows(lines)
  return rows.length < lines.length ? headedTable(rows, options) : undefined
}

/** True for CSV with a space after each comma of its header and of its rows. */
function areSpaced([header = '', ...rows]: readonly string[]): boolean {
  const compared = rows.slice(0, COMPARED_ROWS)
  return SPACED_HEADER.test(header) && compared.every((line) => !/,\S/.test(line))
}

/** True when all rows have a date in the column whose name is one of a time. */
function haveDates(lines: readonly string[], columns: readonly string[]): boolean {
  const at = columns.findIndex(isTimeName)
  const isDated = (line: string) =>
    /^\d{1,4}[-/.]\d/.test(cellsOf(line, { delimiter: ',' })?.[at] ?? '')
  return at !== -1 && lines.every(isDated)
}

/** Returns the columns of `vmstat -t`, whose header has the zone above the date and the time of a row. */
function datedColumns(columns: readonly string[]): readonly string[] {
  return /^[A-Z]{3,5}$/.test(columns.at(-1)!) ? [...columns.slice(0, -1), 'date', 'time'] : columns
}

function isHeader(columns: readonly string[], name: RegExp): boolean {
  return columns.every((column) => name.test(column)) && new Set(columns).size === columns.length
}

/** True when most rows, other than repeated headers, have the name of a column in it: then the header is a row, too. */
function repeatNames(
  lines: readonly string[],
  columns: readonly string[],
  table: Separation,
): boolean {
  const rows = lines.flatMap((line) => [cellsOf(line, table) ?? []])
  const others = rows.filter((cells) => cells.join() !== columns.join())
  const alike = others.filter((cells) => cells.some((cell, at) => cell === columns[at]))
  return alike.length * 2 > others.length
}

/** True when most lines have as many values as columns, and there are many columns, or a quarter of them have only numbers. */
function areRows(
  lines: readonly string[],
  columns: number,
  { isNamed, ...table }: Separation & { readonly isNamed: boolean },
): boolean {
  const rows = lines.flatMap((line) => {
    const cells = cellsOf(line, table)
    return cells?.length === columns ? [cells] : []
  })
  const leastRows = isNamed ? 1 : LEAST_ROWS
  if (rows.length < leastRows || rows.length < lines.length * ROW_SHARE) return false
  if (isNamed) return true
  if (table.delimiter !== undefined && columns >= MANY_COLUMNS && rows.length > LEAST_ROWS)
    return true
  const numeric = rows[0]!.filter(
    (_, at) =>
      rows.every((cells) => NUMBER.test(cells[at]!) || /^(?:[A-Za-z_-]+|-)$/.test(cells[at]!)) &&
      rows.some((cells) => NUMBER.test(cells[at]!)),
  )
  return numeric.length * 4 >= columns
}

/** Returns the columns with the time and the level of the rows. */
function meaningOf(
  table: TableLayout,
  lines: readonly string[],
  options: TableDetection,
): Pick<TableLayout, 'time' | 'timeLayout' | 'levelSource'> {
  const { columns } = table
  // The times of `errpt` of AIX, `MMDDhhmmYY`, look like seconds since 1970.
  if (columns.join(' ').startsWith('IDENTIFIER TIMESTAMP T C ')) return {}
  const event = new EventText()
  const rows = lines.flatMap((line) => {
    const cells = cellsOf(line, table)
    const isNote = line.startsWith('#') || isFrame(line, table)
    const isRow = cells?.length === columns.length && !isNote
    const isHeader = columnNames(line, table)?.join() === columns.join()
    return isRow && !isHeader ? [rowEvent(columns, cells, event)] : []
  })
  const { timestampField, timeLayout, levelSource } = objectMapping(
    objectsIn(rows.slice(0, COMPARED_ROWS)),
    options,
  )
  const level = defined({ levelSource })
  if (timestampField === undefined) return level
  const time = timeLayout === undefined ? [timestampField] : timestampField.split(',')
  return { time, timeLayout, ...level }
}
