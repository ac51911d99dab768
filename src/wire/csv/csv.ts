import {
  BYTE_ORDER_MARK,
  LINE_FEED,
  startsWithByteOrderMark,
  utf8AsLatin1,
} from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { ByteWriter } from '../bytes/byte-writer.js'
import { CSV_CELLS, CSV_ROW_BYTES } from '../limits.js'
import { cellValue } from './csv-cell.js'
import { CsvError, type CsvRow } from './csv-row.js'
import { type CsvFields, CsvRows } from './csv-rows.js'
import { RowReader } from './row-reader.js'

export interface CsvFailure {
  /** The index of the row, from 0; the header is not counted. */
  readonly index: number
  /** The line on which the row begins, from 1. */
  readonly line: number
  readonly reason: string
}

/** The properties of a CSV file that cannot be detected. */
export interface CsvOptions {
  readonly delimiter: string
  /** The names of the fields; by default the first row is the header. */
  readonly fields?: readonly string[]
}

/**
 * Converts CSV to JSON objects. Each object is on the line on which its row begins, and the other lines are empty, so that line
 * numbers stay the same. All text is latin1, one character per byte: the delimiters of CSV and JSON are ASCII, and the bytes
 * between them are not changed.
 */
export class CsvLines {
  readonly failures: CsvFailure[] = []
  private readonly delimiter: string
  private header: Header | undefined
  private rest: Buffer[] = []
  private restBytes = 0
  /** Pending text is parsed again only after it has doubled, so that one long row does not take quadratic time. */
  private retryAtBytes = 0
  private line = 1
  /** The number of rows, without the header. */
  rows = 0
  private isAtStart = true

  constructor({ delimiter, fields }: CsvOptions) {
    this.delimiter = utf8AsLatin1(delimiter)
    if (fields !== undefined) this.header = headerOf(fields.map(utf8AsLatin1), this.delimiter)
  }

  /** Consumes the next bytes and yields the lines that end in them, each piece valid until the next one. Throws `CsvError`. */
  *push(bytes: Buffer): Generator<Buffer, void> {
    this.rest.push(bytes)
    this.restBytes += bytes.length
    if (this.restBytes > CSV_ROW_BYTES + bytes.length)
      throw new CsvError('A CSV row has more than 16 MiB.')
    if (this.restBytes >= this.retryAtBytes) yield* this.convert(false)
    else this.rest[this.rest.length - 1] = Buffer.from(bytes)
  }

  /** Yields the last lines; the last row needs no line feed. Throws `CsvError`. */
  *end(): Generator<Buffer, void> {
    yield* this.convert(true)
  }

  private *convert(isEnd: boolean): Generator<Buffer, void> {
    const bytes = this.rest.length === 1 ? this.rest[0]! : Buffer.concat(this.rest)
    const converter = idle.pop() ?? new CsvRows()
    const out = new ByteWriter(Math.min(bytes.length, JOINED_BYTES))
    const reader = new RowReader(bytes, { delimiter: this.delimiter, isEnd })
    let at = this.isAtStart && startsWithByteOrderMark(bytes) ? BYTE_ORDER_MARK.length : 0
    /** The position after the rows whose lines were yielded. */
    let yielded = at
    try {
      converter.begin(bytes)
      for (;;) {
        for (let hasMore = true; hasMore && this.header?.fields !== undefined; ) {
          const converted = converter.convert(at, this.header.fields)
          this.rows += converted.rows
          this.line += converted.lines
          at = converted.end
          hasMore = converted.hasMore
          const { json } = converted
          if (json.length < JOINED_BYTES) {
            out.addBytes(json)
            if (Math.max(out.size, at - yielded) < JOINED_BYTES) continue
            yield* taken(out)
          } else {
            yield* taken(out)
            yield json
          }
          yielded = at
        }
        if (at === bytes.length || (!isEnd && bytes.indexOf(LINE_FEED, at) === -1)) break
        const row = reader.read(at)
        if (row === undefined) break
        out.addLatin1(this.event(row))
        for (let feeds = row.lineFeeds; feeds > 0; feeds--) this.endLine(out)
        at = row.end
        if (Math.max(out.size, at - yielded) < JOINED_BYTES) continue
        yield* taken(out)
        yielded = at
      }
      yield* taken(out)
    } finally {
      idle.push(converter)
    }
    // The three bytes of the mark may arrive separately.
    if (at > 0 || bytes.length >= BYTE_ORDER_MARK.length) this.isAtStart = false
    this.rest = [Buffer.from(bytes.subarray(at))]
    this.restBytes = this.rest[0]!.length
    this.retryAtBytes = this.restBytes * 2
  }

  private endLine(out: ByteWriter): void {
    out.addLineFeed()
    this.line += 1
  }

  /** Returns the JSON of a row; '' for the header, an empty line and a rejected row. */
  private event({ cells, error }: CsvRow): string {
    if (error === undefined && cells.length === 1 && cells[0] === undefined) return ''
    if (this.header === undefined) {
      if (error !== undefined) throw new CsvError(`In the CSV header, ${error}.`)
      const names = cells.map((cell) => cell ?? '')
      // Otherwise the whole file would be the header, and none of it an event.
      if (names.some((name) => /\r(?!\n)/.test(name))) throw new CsvError(CARRIAGE_RETURN)
      this.header = headerOf(names, this.delimiter)
      return ''
    }
    const { keys } = this.header
    const problem = error ?? tooManyCells(cells.length, keys.length)
    if (problem !== undefined) {
      this.failures.push({ index: this.rows, line: this.line, reason: problem })
    }
    this.rows += 1
    if (problem !== undefined) return ''
    return object(keys, cells)
  }
}

const CARRIAGE_RETURN =
  'The CSV header contains a carriage return without a line feed. A line feed must end each line.'

interface Header {
  /** `"name":` for each field. */
  readonly keys: readonly string[]
  /** Undefined when all rows are read by the general reader. */
  readonly fields: CsvFields | undefined
}

/** Converters kept for reuse. */
const idle: CsvRows[] = []

/**
 * Shorter pieces are joined until they, or their rows, have this length: invalid rows interrupt the conversion, and the engine takes
 * as long for a block of ten events as for a thousand. A call still takes milliseconds at most.
 */
const JOINED_BYTES = 64 * 1024

/** Yields the bytes that were written, if there are any, and then discards them. */
function* taken(out: ByteWriter): Generator<Buffer, void> {
  if (out.size > 0) yield out.written
  out.size = 0
}

/** The bytes of lines for a byte of rows in the call before, with a margin: a buffer that grows is copied. */
let growth = 2
/** Bounds the memory when a call has fewer fields than the call before. */
const MAX_GROWTH = 4

/** Converts a whole table as `CsvLines` does. Throws `CsvError`. */
export function csvLines(
  bytes: Buffer,
  options: CsvOptions,
): { readonly lines: Buffer } & Pick<CsvLines, 'rows' | 'failures'> {
  const csv = new CsvLines(options)
  const out = new ByteWriter(Math.ceil(bytes.length * growth))
  for (const lines of csv.push(bytes)) out.addBytes(lines)
  for (const lines of csv.end()) out.addBytes(lines)
  if (bytes.length > 0) growth = Math.min(Math.max((1.05 * out.size) / bytes.length, 2), MAX_GROWTH)
  const { rows, failures } = csv
  return { lines: out.written, rows, failures }
}

function headerOf(names: readonly string[], delimiter: string): Header {
  const keys = keysOf(names)
  const fields = { delimiter: delimiter.charCodeAt(0), keys }
  const isOrdinary = delimiter.length === 1 && CsvRows.canConvert(fields)
  return { keys, fields: isOrdinary ? fields : undefined }
}

function object(keys: readonly string[], cells: CsvRow['cells']): string {
  let members = ''
  for (let i = 0; i < cells.length; i++) {
    const cell = cells[i]
    if (cell === undefined) continue
    if (members !== '') members += ','
    members += keys[i]! + cellValue(cell)
  }
  return `{${members}}`
}

function keysOf(names: readonly string[]): readonly string[] {
  if (names.length > CSV_CELLS) {
    throw new CsvError(`The CSV header has more than ${formatInteger(CSV_CELLS)} fields.`)
  }
  const seen = new Set<string>()
  const twice = names.find((name) => seen.size === seen.add(name).size)
  if (twice !== undefined) {
    const name = Buffer.from(twice, 'latin1').toString()
    throw new CsvError(
      `The CSV header names the field \`${name}\` twice. Rename one of the columns.`,
    )
  }
  return names.map((name) => `${JSON.stringify(name)}:`)
}

function tooManyCells(cells: number, fields: number): string | undefined {
  if (cells <= fields) return undefined
  const all = cells > CSV_CELLS ? `more than ${formatInteger(CSV_CELLS)}` : `${cells}`
  return `it has ${all} cells, the header has ${fields}`
}
