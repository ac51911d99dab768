// ClickHouse's format Native: blocks of columns. Only this file and `encode-block.ts` know their layout.
import { type NativeType, parseNativeType } from './native-type.js'

/** The positions of a column in the bytes of a block. */
export interface NativeColumn {
  readonly type: NativeType
  /** The range of the values with their nulls or dictionary. */
  readonly start: number
  readonly end: number
  /** The position of one byte per row, which is 1 for null; undefined when the column has no such bytes. */
  readonly nulls?: number
  /** The position of the values, or of indices into the dictionary with `indexWidth` bytes each. */
  readonly values: number
  readonly dictionary?: NativeDictionary
}

export interface NativeDictionary {
  /** The position of the first text. When the column is nullable, the first text stands for null. */
  readonly texts: number
  readonly count: number
  readonly indexWidth: number
}

interface NativeHead {
  readonly columns: number
  readonly rows: number
  readonly end: number
}

/** Returns the position after `count` texts, each of which follows its length; undefined when the bytes end before. */
type TextsEnd = (at: number, count: number) => number | undefined

export function nativeHead(bytes: Buffer): NativeHead | undefined {
  const columns = lengthAt(bytes, 0)
  const rows = columns && lengthAt(bytes, columns.end)
  return rows && { columns: columns.value, rows: rows.value, end: rows.end }
}

/** Finds columns in a block; returns undefined for types that are not supported, and for blocks that are corrupted. */
export function nativeColumns(
  bytes: Buffer,
  { at, columns, rows }: { readonly at: number; readonly columns: number; readonly rows: number },
  textsEnd: TextsEnd = (from, count) => endOfTexts(bytes, from, count),
): { readonly columns: readonly NativeColumn[]; readonly end: number } | undefined {
  const found: NativeColumn[] = []
  let end = at
  for (let i = 0; i < columns; i++) {
    const column = columnAt(bytes, { at: end, rows }, textsEnd)
    if (column === undefined || column.end > bytes.length) return undefined
    found.push(column)
    end = column.end
  }
  return { columns: found, end }
}

function columnAt(
  bytes: Buffer,
  { at, rows }: { readonly at: number; readonly rows: number },
  textsEnd: TextsEnd,
): NativeColumn | undefined {
  const name = stringAt(bytes, at)
  const typeName = name && stringAt(bytes, name.end)
  const type = typeName && parseNativeType(typeName.value)
  if (type === undefined) return undefined
  const start = typeName!.end
  if (type.hasDictionary) return dictionaryColumn(bytes, { start, rows, type }, textsEnd)
  const values = type.isNullable ? start + rows : start
  const end = type.kind === 'text' ? textsEnd(values, rows) : values + rows * type.width
  if (end === undefined) return undefined
  return { type, start, end, ...(type.isNullable && { nulls: start }), values }
}

/** The widths of indices by the code in the lowest byte of the flags, and the flag for a dictionary that is part of the block. */
const INDEX_WIDTHS = [1, 2, 4, 8]
const HAS_KEYS = 0x200
const WORD = 8

function dictionaryColumn(
  bytes: Buffer,
  {
    start,
    rows,
    type,
  }: { readonly start: number; readonly rows: number; readonly type: NativeType },
  textsEnd: TextsEnd,
): NativeColumn | undefined {
  // The version, the flags and the number of texts.
  const texts = start + 3 * WORD
  if (texts > bytes.length) return undefined
  const flags = bytes.readUInt32LE(start + WORD)
  const count = bytes.readUInt32LE(start + 2 * WORD)
  const indexWidth = INDEX_WIDTHS[flags & 0xff]
  const keysEnd = textsEnd(texts, count)
  if (indexWidth === undefined || (flags & ~0x4ff) !== HAS_KEYS || keysEnd === undefined) {
    return undefined
  }
  const values = keysEnd + WORD
  const end = values + rows * indexWidth
  return { type, start, end, values, dictionary: { texts, count, indexWidth } }
}

function stringAt(
  bytes: Buffer,
  at: number,
): { readonly value: string; readonly end: number } | undefined {
  const length = lengthAt(bytes, at)
  if (length === undefined || length.end + length.value > bytes.length) return undefined
  const end = length.end + length.value
  return { value: bytes.toString('utf8', length.end, end), end }
}

/** Reads a variable-length integer, which has seven bits per byte. */
function lengthAt(
  bytes: Buffer,
  at: number,
): { readonly value: number; readonly end: number } | undefined {
  let value = 0
  for (let group = 0; group < 5; group++) {
    const byte = bytes[at + group]
    if (byte === undefined) return undefined
    value += (byte & 0x7f) * 2 ** (7 * group)
    if (byte < 0x80) return { value, end: at + group + 1 }
  }
  return undefined
}

/** Returns the position after `count` texts; undefined when the bytes end before. */
export function endOfTexts(bytes: Buffer, from: number, count: number): number | undefined {
  let at = from
  for (let i = 0; i < count; i++) {
    const first = bytes[at]
    if (first === undefined) return undefined
    if (first < 0x80) at += 1 + first
    else {
      const length = lengthAt(bytes, at)
      if (length === undefined) return undefined
      at = length.end + length.value
    }
  }
  return at <= bytes.length ? at : undefined
}
