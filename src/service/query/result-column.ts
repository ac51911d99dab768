import type { CompiledColumn } from '../../sql/compiled-query.js'
import { BACKSLASH, CLOSE_BRACKET, COMMA, QUOTE, ZERO } from '../../text/bytes.js'
import { jsonType } from '../../wire/json/json-text.js'
import { formatDuration } from '../../wire/time/duration.js'

interface ResultColumn {
  /** A JSON array of the values, in UTF-8, in pieces, so that buffers of the engine are not copied. */
  readonly pieces: readonly Buffer[]
  readonly wireType: string
}

/**
 * Converts a column of the engine to a column of a response, without parsing numbers and, for values that
 * stay unchanged, without creating strings.
 */
export function resultColumn(options: {
  readonly column: CompiledColumn
  readonly bytes: Buffer
  readonly isCut: boolean
  readonly isExact: boolean
}): ResultColumn {
  const { column, bytes, isCut, isExact } = options
  const open = isCut ? openArrayWithoutLast(bytes) : bytes.subarray(0, -1)
  if (column.encoding === 'json') return nestedColumn(column, open)
  return { pieces: [written(column, { open, isExact }), CLOSE], wireType: column.wireType }
}

function written(
  { type }: CompiledColumn,
  { open, isExact }: { readonly open: Buffer; readonly isExact: boolean },
): Buffer {
  if (type === 'datetime') return withoutTrailingZeros(open)
  return type === 'timespan' && !isExact ? withDurations(open) : open
}

/** Replaces nanoseconds by strings such as `1m20s`, with hours as the largest unit. */
function withDurations(array: Buffer): Buffer {
  const text = array.toString('latin1')
  return Buffer.from(text.replace(/-?\d+/g, (number) => `"${formatDuration(BigInt(number))}"`))
}

const CLOSE = Buffer.from(']')

/** The cells are strings that contain JSON, so parsing the outer JSON loses no digits. */
function nestedColumn({ wireType }: CompiledColumn, open: Buffer): ResultColumn {
  const cells = JSON.parse(`${open}]`) as readonly (string | null)[]
  return {
    pieces: [Buffer.from(`[${cells.map((cell) => cell ?? 'null').join(',')}]`)],
    wireType: wireType === '' ? typesIn(cells) : wireType,
  }
}

/** The types of the values, such as `integer|string`, for a column of dynamic type. */
function typesIn(cells: readonly (string | null)[]): string {
  const types = new Set<string>()
  for (const cell of cells) {
    if (cell !== null && cell !== 'null') types.add(jsonType(cell))
  }
  return [...types].sort().join('|')
}

const LETTER_Z = 0x5a

/** Returns an array without its last element and its closing bracket: the engine was asked for one row more than is returned. */
function openArrayWithoutLast(array: Buffer): Buffer {
  let at = array.lastIndexOf(CLOSE_BRACKET) - 1
  // A string may contain commas. Its opening quote is the nearest quote that is not escaped.
  if (array[at] === QUOTE) {
    do at = array.lastIndexOf(QUOTE, at - 1)
    while (isEscaped(array, at))
  }
  const comma = array.lastIndexOf(COMMA, at)
  return array.subarray(0, comma === -1 ? 1 : comma)
}

function isEscaped(text: Buffer, quote: number): boolean {
  let before = quote
  while (text[before - 1] === BACKSLASH) before -= 1
  return (quote - before) % 2 === 1
}

/** The length of a cell with a time, such as `"2026-01-01T10:00:00.010000000Z"`, always with nine fractional digits. */
const TIME_BYTES = 32
/** The offset of the decimal point in a cell with a time. */
const POINT = 20
const WORD = 8

/** Shortens the fractions of times. */
function withoutTrailingZeros(array: Buffer): Buffer {
  // The last word of a cell may extend beyond the end.
  const kept = Buffer.allocUnsafe(array.length + TIME_BYTES)
  const [from, to] = [viewOf(array), viewOf(kept)]
  let length = 0
  let at = 0
  while (at < array.length) {
    if (array[at] !== QUOTE || array[at + TIME_BYTES - 1] !== QUOTE) {
      kept[length++] = array[at++]!
      continue
    }
    // Eight bytes at a time. Text is never a NaN, which `setFloat64` might change.
    for (let word = 0; word < TIME_BYTES; word += WORD) {
      to.setFloat64(length + word, from.getFloat64(at + word))
    }
    let end = POINT + 9
    while (array[at + end] === ZERO) end -= 1
    if (end > POINT) end += 1
    kept[length + end] = LETTER_Z
    kept[length + end + 1] = QUOTE
    length += end + 2
    at += TIME_BYTES
  }
  return kept.subarray(0, length)
}

function viewOf({ buffer, byteOffset, length }: Buffer): DataView {
  return new DataView(buffer, byteOffset, length)
}
