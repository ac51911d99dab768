import { BACKSLASH, LINE_FEED, QUOTE } from '../../text/bytes.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { MOST_LENGTH_BYTES, writeLength, writeText } from '../../wire/native/encode-block.js'
import type { ColumnType } from './column.js'

/** The first byte of `null`, and its length. */
const LOWER_N = 0x6e
const NULL_BYTES = 4

/** Up to this length, which most values have, a loop over bytes takes less time than a call of a buffer's function. */
const SHORT_BYTES = 64

/**
 * A column of texts in the format Native: strings without quotes and escapes, other values as JSON. Escapes of lone surrogates stay
 * escapes. Rows to which no value is added are null.
 */
export class TextColumn {
  private readonly type: ColumnType
  private rows = 0
  /** A byte for each row, which is 1 for null. */
  private nulls = Buffer.alloc(0)
  /** The texts behind their lengths, and zeros after `written`: a null is the text without bytes. */
  private texts = Buffer.alloc(0)
  private written = 0
  /** The number of rows in `texts`. */
  private row = 0

  /** The type takes all values. */
  constructor(type: ColumnType) {
    this.type = type
  }

  /** Begins the rows of a block. Its values are valid until the next one. */
  begin(rows: number): this {
    this.rows = rows
    if (this.nulls.length < rows) this.nulls = Buffer.alloc(rows)
    this.nulls.fill(1, 0, rows)
    this.texts.fill(0, 0, this.written)
    this.written = this.row = 0
    this.reserve(rows)
    return this
  }

  /** The values in the layout of the type `Nullable(String)`. */
  get pieces(): readonly Uint8Array[] {
    const { rows, row, written, nulls, texts } = this
    return [nulls.subarray(0, rows), texts.subarray(0, written + rows - row)]
  }

  /** Adds the JSON of a value, in a row after the row of the value before. */
  add(row: number, lines: Buffer, start: number, end: number): void {
    if (!this.type.isText) this.type.add(lines, start, end)
    this.written += row - this.row
    this.row = row + 1
    this.nulls[row] = 0
    // No text is longer than its JSON.
    this.reserve(MOST_LENGTH_BYTES + end - start + this.rows - this.row)
    if (lines[start] !== QUOTE) {
      this.copy(lines, start, end)
    } else if (isEscaped(lines, start, end)) {
      const text = unescaped(lines.toString('utf8', start, end))
      this.written = writeText(this.texts, text, this.written)
    } else {
      this.copy(lines, start + 1, end - 1)
    }
  }

  private reserve(bytes: number): void {
    const needed = this.written + bytes
    if (needed <= this.texts.length) return
    const texts = Buffer.alloc(2 * needed)
    texts.set(this.texts.subarray(0, this.written))
    this.texts = texts
  }

  private copy(lines: Buffer, start: number, end: number): void {
    const { texts } = this
    let to = writeLength(texts, end - start, this.written)
    if (end - start > SHORT_BYTES) to += lines.copy(texts, to, start, end)
    else for (let at = start; at < end; at++) texts[to++] = lines[at]!
    this.written = to
  }
}

/**
 * Adds lines of JSON values to columns, from a row on: a zero byte is in front of each value, and a brace and a line feed are at the
 * end of each line. Returns the row after them. Throws a `MalformedResponseError` for strings with zero bytes or line feeds, which are
 * not JSON.
 */
export function addLines(columns: readonly TextColumn[], piece: Uint8Array, from: number): number {
  const lines = Buffer.from(piece.buffer, piece.byteOffset, piece.length)
  let row = from
  for (let at = 0; at < lines.length; row++) {
    for (const column of columns) {
      if (lines[at] !== 0) throw malformed()
      const start = at + 1
      if (lines[start] === LOWER_N) {
        at = start + NULL_BYTES
      } else {
        at = endOf(lines, start)
        column.add(row, lines, start, at)
      }
    }
    if (lines[at + 1] !== LINE_FEED) throw malformed()
    at += 2
  }
  return row
}

/** Returns the end of a value. */
function endOf(lines: Buffer, start: number): number {
  const near = Math.min(start + SHORT_BYTES, lines.length)
  let at = start
  while (at < near && lines[at] !== 0 && lines[at] !== LINE_FEED) at++
  if (at === start + SHORT_BYTES)
    at = Math.min(indexOf(lines, 0, at), indexOf(lines, LINE_FEED, at))
  return lines[at] === LINE_FEED ? at - 1 : at
}

/** Returns the position of the next such byte; the end of the lines without one. */
function indexOf(lines: Buffer, byte: number, from: number): number {
  const index = lines.indexOf(byte, from)
  return index === -1 ? lines.length : index
}

const malformed = () => new MalformedResponseError('its values are not JSON')

function isEscaped(lines: Buffer, start: number, end: number): boolean {
  if (end - start > SHORT_BYTES) return lines.subarray(start, end).includes(BACKSLASH)
  for (let at = start; at < end; at++) if (lines[at] === BACKSLASH) return true
  return false
}

function unescaped(json: JsonText): string {
  const text = JSON.parse(json) as string
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}
