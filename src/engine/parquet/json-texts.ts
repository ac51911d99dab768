import { BACKSLASH, LINE_FEED, QUOTE } from '../../text/bytes.js'
import { MalformedResponseError } from '../../wire/http/response-json.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { MOST_LENGTH_BYTES, writeLength, writeText } from '../../wire/native/encode-block.js'

/** JSON values in lines: a zero byte is in front of each value, and a brace and a line feed are at the end of each line. */
export interface JsonRows {
  readonly lines: Buffer
  readonly columns: number
  readonly rows: number
  /** The start and the end of each value, row by row. */
  readonly places: Int32Array
}

/** The first byte of `null`. */
const LOWER_N = 0x6e

/** Finds the values of lines. Throws a `MalformedResponseError` for strings with zero bytes or line feeds, which are not JSON. */
export function readJsonRows(lines: Buffer, columns: number): JsonRows {
  // Each value has two places and, with the byte in front of it, at least two bytes.
  const places = new Int32Array(lines.length)
  let count = 0
  // A loop over bytes takes less time than calls of functions of buffers: most values are short.
  for (let at = 0; at < lines.length; at++) {
    const byte = lines[at]
    if (byte === 0) {
      if (count % 2 === 1) places[count++] = at
      places[count++] = at + 1
    } else if (byte === LINE_FEED) {
      places[count++] = at - 1
      if (count % (2 * columns) !== 0) throw new MalformedResponseError('its values are not JSON')
    }
  }
  return { lines, columns, rows: count / (2 * columns), places: places.subarray(0, count) }
}

export function cellsIn({ lines, columns, places }: JsonRows, column: number): JsonText[] {
  const cells: JsonText[] = []
  for (let i = 2 * column; i < places.length; i += 2 * columns) {
    cells.push(lines.toString('utf8', places[i]!, places[i + 1]!))
  }
  return cells
}

/**
 * Encodes the values of a column as texts in the format Native: strings without quotes and escapes, other values as JSON. Escapes of
 * lone surrogates stay escapes. Sets a byte in `nulls` to 1 for each row whose value is null.
 */
export function encodeCells(
  { lines, columns, rows, places }: JsonRows,
  column: number,
  nulls: Buffer,
): Buffer {
  const at = (row: number) => 2 * (row * columns + column)
  let bytes = 0
  for (let row = 0; row < rows; row++) bytes += places[at(row) + 1]! - places[at(row)]!
  // No text is longer than its JSON.
  const texts = Buffer.allocUnsafe(bytes + rows * MOST_LENGTH_BYTES)
  let written = 0
  for (let row = 0; row < rows; row++) {
    const start = places[at(row)]!
    const end = places[at(row) + 1]!
    if (lines[start] === LOWER_N) {
      nulls[row] = 1
      written = writeLength(texts, 0, written)
    } else if (lines[start] !== QUOTE) {
      written = copyText(lines, start, end, texts, written)
    } else if (isEscaped(lines, start, end)) {
      written = writeText(texts, unescaped(lines.toString('utf8', start, end)), written)
    } else {
      written = copyText(lines, start + 1, end - 1, texts, written)
    }
  }
  return texts.subarray(0, written)
}

function isEscaped(lines: Buffer, start: number, end: number): boolean {
  for (let at = start; at < end; at++) if (lines[at] === BACKSLASH) return true
  return false
}

function copyText(
  lines: Buffer,
  start: number,
  end: number,
  texts: Buffer,
  written: number,
): number {
  let to = writeLength(texts, end - start, written)
  for (let at = start; at < end; at++) texts[to++] = lines[at]!
  return to
}

function unescaped(json: JsonText): string {
  const text = JSON.parse(json) as string
  return text.replace(/\p{Surrogate}/gu, (half) => `\\u${half.charCodeAt(0).toString(16)}`)
}
