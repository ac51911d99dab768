import type { CompiledColumn } from '../../sql/compiled-query.js'
import { jsonType } from '../../wire/json/json-text.js'

/** A column as it appears in a response. */
interface ResultColumn {
  /** A JSON array of its values, in UTF-8. */
  readonly bytes: Buffer
  readonly wireType: string
}

/**
 * Converts a column of the engine to one of a response, without parsing numbers and, for values that
 * stay unchanged, without creating strings.
 */
export function resultColumn(options: {
  readonly column: CompiledColumn
  readonly bytes: Buffer
  readonly isCut: boolean
}): ResultColumn {
  const { column, isCut } = options
  const kept = isCut ? withoutLast(options.bytes) : options.bytes
  if (column.encoding === 'json') return nestedColumn(column, kept)
  const written = column.type === 'datetime' ? withoutTrailingZeros(kept) : kept
  return { bytes: written, wireType: column.wireType }
}

/** The cells are strings that contain JSON, so parsing the outer JSON loses no digits. */
function nestedColumn({ wireType }: CompiledColumn, bytes: Buffer): ResultColumn {
  const cells = JSON.parse(bytes.toString()) as readonly (string | null)[]
  return {
    bytes: Buffer.from(`[${cells.map((cell) => cell ?? 'null').join(',')}]`),
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

const CODE = {
  quote: 34,
  comma: 44,
  point: 46,
  zero: 48,
  z: 90,
  bracket: 93,
  backslash: 92,
} as const

/** Removes the last element of an array: the engine is asked for one row more than is returned. */
function withoutLast(array: Buffer): Buffer {
  let at = array.lastIndexOf(CODE.bracket) - 1
  // A string may contain commas. Its opening quote is the nearest one that is not escaped.
  if (array[at] === CODE.quote) {
    do at = array.lastIndexOf(CODE.quote, at - 1)
    while (isEscaped(array, at))
  }
  const comma = array.lastIndexOf(CODE.comma, at)
  if (comma === -1) return Buffer.from('[]')
  const kept = Buffer.from(array.subarray(0, comma + 1))
  kept[comma] = CODE.bracket
  return kept
}

function isEscaped(text: Buffer, quote: number): boolean {
  let before = quote
  while (text[before - 1] === CODE.backslash) before -= 1
  return (quote - before) % 2 === 1
}

/** The engine always writes nine digits of fraction: `…:00.010000000Z`. */
function withoutTrailingZeros(array: Buffer): Buffer {
  const kept = Buffer.allocUnsafe(array.length)
  let length = 0
  for (let at = 0; at < array.length; at++) {
    const code = array[at]!
    if (code === CODE.z) {
      while (kept[length - 1] === CODE.zero) length -= 1
      if (kept[length - 1] === CODE.point) length -= 1
    }
    kept[length++] = code
  }
  return kept.subarray(0, length)
}
