import { isLineEnd } from '../text/bytes.js'
import { csvLines } from '../wire/csv/csv.js'
import { CsvError, readCsvRow } from '../wire/csv/csv-row.js'
import type { Lookahead } from './byte-source.js'
import { CsvScanner, csvFraming } from './csv.js'
import { InputError, inputLabel } from './error.js'
import type { DetectionContext, EventsStart } from './events-start.js'
import { EVENT_VIEWER } from './recognize.js'

/** Reads the header of a table, which every body repeats. Throws `InputError` when it can't be used. */
export async function csvHeader(
  beginning: Lookahead,
  { mark, name, format = 'auto', csv: asked = {} }: DetectionContext,
): Promise<EventsStart> {
  if (asked.fields !== undefined) return { framing: csvFraming(Buffer.alloc(0), asked), skip: mark }
  let end = -1
  await beginning.until((bytes, isWhole) => {
    end = new CsvScanner(asked).scan(bytes, { from: mark, to: bytes.length, maxEvents: 1 }).end
    const isFound = end !== -1 && !bytes.subarray(mark, end).every(isLineEnd)
    if (!isFound && isWhole) end = bytes.length
    return isFound
  })
  if (beginning.isTooLong) {
    throw new InputError(
      `The CSV header of ${inputLabel(name)} is longer than 1 MiB; a quote in it may not be closed.`,
    )
  }
  // Without the byte order mark, which belongs only at the beginning of a file: the header is repeated in each body.
  const written = withMessage(Buffer.from(beginning.head.subarray(mark, end)))
  const delimiter = asked.delimiter === undefined ? otherDelimiter(written) : undefined
  const csv = delimiter === undefined ? asked : { ...asked, delimiter }
  const text = written.toString().replace(/^[\r\n]+/, '')
  const row = readCsvRow(text, 0, { delimiter: csv.delimiter ?? ',', isEnd: true })
  const cells = row?.cells.map((cell = '') => cell) ?? []
  if (format === 'auto') rejectValues(cells, { name, csv })
  const columns = cells.map((cell, at) => cell || `column_${at + 1}`)
  const header =
    row?.error === undefined && cells.includes('') ? headerOf(columns, csv.delimiter) : written
  checkHeader(header, { name, csv })
  // Files that were joined have several headers; in a table of one column, such a row may be a value.
  const repeated =
    columns.length > 1 ? withoutLineEnds(beginning.head.subarray(mark, end)) : undefined
  return { framing: csvFraming(header, csv, repeated), skip: end, columns, delimiter }
}

/** Returns a copy without line ends in front. */
function withoutLineEnds(bytes: Buffer): Buffer {
  return Buffer.from(bytes.subarray(bytes.findIndex((byte) => !isLineEnd(byte))))
}

/** Returns the header with names for all columns; pandas and R write none for the number of a row. */
function headerOf(columns: readonly string[], delimiter = ','): Buffer {
  const cells = columns.map((name) => `"${name.replaceAll('"', '""')}"`)
  return Buffer.from(`${cells.join(delimiter)}\n`)
}

/**
 * Returns the header of Event Viewer with a name for the messages; other headers unchanged. In other tables, a row with
 * more cells than the header is rejected, because a value may contain an unquoted delimiter.
 */
function withMessage(header: Buffer): Buffer {
  const text = header.toString('latin1')
  if (!EVENT_VIEWER.test(text)) return header
  return Buffer.from(text.replace(EVENT_VIEWER, '$&,message'), 'latin1')
}

/** Checks the header before anything is sent; the service would reject every batch for the same reason. */
function checkHeader(
  header: Buffer,
  { name, csv }: Required<Pick<DetectionContext, 'name' | 'csv'>>,
): void {
  try {
    csvLines(header, { delimiter: csv.delimiter ?? ',' })
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    throw new InputError(`${inputLabel(name)} can't be read as CSV. ${error.message}`, {
      cause: error,
    })
  }
}

const MAX_SHOWN = 60
const NUMBER_OR_DATE = /^\s*[-+.]?\d/

/** Throws `InputError` when the first row holds values: as a header, it would be lost. */
function rejectValues(
  [first = '', ...others]: readonly string[],
  { name, csv: { delimiter } }: Required<Pick<DetectionContext, 'name' | 'csv'>>,
): void {
  if (!NUMBER_OR_DATE.test(first)) return
  const row = [first, ...others].join(',')
  const format = delimiter === '\t' ? 'tsv' : 'csv'
  const shown = row.length > MAX_SHOWN ? `${row.slice(0, MAX_SHOWN)}…` : row
  throw new InputError(
    `${inputLabel(name)} has no header: its first row is \`${shown}\`. \`--csv-fields a,b,c\` names the columns; \`--input-format ${format}\` reads the row as a header.`,
  )
}

const OTHER_DELIMITER = /[;|\t]/
/** A cell in quotes, at the beginning of a cell. */
const QUOTED = /(?<![^;|\t])"(?:[^"]|"")*"(?![^;|\t])/g

/** Returns the first delimiter of a header that has no comma. In many countries spreadsheets write semicolons. */
function otherDelimiter(header: Buffer): string | undefined {
  const line = header.toString('latin1').trim().replace(QUOTED, '')
  return /[",]/.test(line) ? undefined : OTHER_DELIMITER.exec(line)?.[0]
}
