import { parseTimestamp } from '../../wire/time/timestamp.js'
import { normalLevel } from './level.js'
import type { Conversion, LineReader } from './log-format.js'
import { cellsOf } from './table.js'
import { DIRECTIVE, type W3cHeader, withDirective } from './w3c-header.js'

const MISSING = '-'
const MAX_DIRECTIVE = 64 * 1024

/**
 * Returns the functions that find and read the rows of a W3C extended log (IIS, CloudFront, Exchange). Its `#` directives are not
 * events; they may change the fields of later rows. Times are in UTC.
 */
export function w3cConversion(
  first: W3cHeader,
  { findsTime }: { readonly findsTime: boolean },
): Conversion {
  let header = first
  /** The beginning of the line in which the last call of `skip` ended. */
  let begun = ''
  const read: LineReader = (line, event) => {
    const { fields, date: day, timeField } = header
    const cells = valuesOf(line, header)
    if (cells === undefined || cells.length !== fields.length) {
      return `it has ${cells?.length ?? 'malformed'} values, \`#Fields\` names ${fields.length}`
    }
    const cell = (name = '') => cells[fields.indexOf(name)]
    const [date = day, clock] = [cell('date'), cell('time')]
    const time = findsTime
      ? (cell(timeField) ??
        (date !== undefined && clock !== undefined ? `${date}T${clock}Z` : undefined))
      : undefined
    const isTime = time !== undefined && parseTimestamp(time) !== undefined
    if (isTime) event.setTime(time)
    for (const [index, name] of fields.entries()) {
      const value = cells[index]!
      if (value === MISSING || value === '') continue
      if (isTime && (name === timeField || name === 'date' || name === 'time')) continue
      event.plain(name, value)
      // Joomla and Wowza.
      const isLevel = name === 'priority' || name === 'x-severity'
      const level = isLevel ? normalLevel(value) : undefined
      if (level !== undefined) event.text('level', level)
    }
    return undefined
  }
  return {
    format: 'w3c',
    skip(bytes) {
      const lines = (begun + bytes.toString('latin1')).split('\n')
      begun = lines.pop()!.slice(0, MAX_DIRECTIVE)
      header = lines.filter((line) => line.startsWith(DIRECTIVE)).reduce(withDirective, header)
    },
    start: { isStart: () => true, isComment: (line) => line.startsWith(DIRECTIVE) },
    read,
  }
}

/** Returns the values of a row; undefined when a quote is not closed. */
function valuesOf(line: string, { isCsv, columnFields }: W3cHeader): readonly string[] | undefined {
  if (isCsv) return cellsOf(line, { delimiter: ',' })
  if (!line.includes('\t')) return words(line)
  const columns = line.split('\t')
  if (columns.length !== columnFields?.length) return columns
  return columns.flatMap((column, at) => (columnFields[at]! > 1 ? column.split(' ') : column))
}

/** A value without spaces, or a value in quotes with doubled quotes inside; and the space after it. */
const VALUE = /(?:"((?:[^"]|"")*)"|([^\s"]\S*))(?: |$)/y

/** Splits a row at spaces. Returns undefined when a quote is not closed. */
function words(line: string): readonly string[] | undefined {
  if (!line.includes('"')) return line.trimEnd().split(' ')
  const found: string[] = []
  for (VALUE.lastIndex = 0; VALUE.lastIndex < line.length; ) {
    const match = VALUE.exec(line)
    if (match === null) return undefined
    found.push(match[2] ?? match[1]!.replaceAll('""', '"'))
  }
  return found
}
