import type { CompiledColumn } from '../../sql/compiled-query.js'
import { jsonType } from '../../wire/json/json-text.js'

/** A column as it goes into an answer. */
interface ResultColumn {
  /** The JSON text of the array of its values, in UTF-8. */
  readonly bytes: Buffer
  readonly wireType: string
}

/**
 * Turns a column as the engine wrote it into that of an answer, without reading a number on the way
 * and, where values stay what they are, without making strings of them.
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

/** The cells are strings that hold JSON, so no number is lost in reading them as JSON. */
function nestedColumn({ wireType }: CompiledColumn, bytes: Buffer): ResultColumn {
  const cells = JSON.parse(bytes.toString()) as readonly (string | null)[]
  return {
    bytes: Buffer.from(`[${cells.map((cell) => cell ?? 'null').join(',')}]`),
    wireType: wireType === '' ? typesIn(cells) : wireType,
  }
}

/** The types of the values, `integer|string`: what a column of any type turned out to hold. */
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

/** An array without its last element. The engine is asked for one row more than is given out, to know whether there is one. */
function withoutLast(array: Buffer): Buffer {
  let at = array.lastIndexOf(CODE.bracket) - 1
  // A string may hold commas. Its opening quote is the nearest one that no backslash escapes.
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

/** The engine writes nine digits of fraction always: `…:00.010000000Z`. */
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
