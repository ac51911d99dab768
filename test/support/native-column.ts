import { ChunkedBuffer } from '../../src/wire/bytes/chunked-buffer.js'
import { encodeNativeResult } from '../../src/wire/http/native-result.js'
import { tabular } from './canned-service.js'

/** A column of a response. */
export interface NativeValues {
  readonly name: string
  readonly type: string
  readonly bytes: Buffer
  /** True when its texts are JSON. */
  readonly isJson?: boolean
  /** The key of a column whose values are in the map of the response. */
  readonly key?: number
}

/** The type of the map of a response. */
export const MAPS = 'Map(UInt16, Nullable(String))'

/** A response in the format Native, in pieces, as from a socket. `maps` are the values of the columns with keys. */
export function nativeResponse(
  columns: readonly NativeValues[],
  rows: number,
  { status = {}, maps }: { readonly status?: object; readonly maps?: Buffer | undefined } = {},
): ChunkedBuffer {
  const fields = columns.map(({ name }) => ({ name, type: '', values: '[]' }))
  const json = columns.flatMap(({ isJson }, i) => (isJson ? [i] : []))
  const members = columns.flatMap(({ key }, i) => (key === undefined ? [] : [[i, key] as const]))
  const bytes = columns.flatMap(({ name, type, bytes: values, key }) =>
    key === undefined ? [nativeColumn(name, type, values)] : [],
  )
  if (maps !== undefined) bytes.push(nativeColumn('h0', MAPS, maps))
  const encoded = encodeNativeResult(
    { rows, json, members },
    { result: ChunkedBuffer.of(tabular(fields, status)), columns: Buffer.concat(bytes) },
  )
  const whole = Buffer.concat(encoded.chunks)
  const middle = Math.floor(whole.length / 2)
  return new ChunkedBuffer([whole.subarray(0, middle), whole.subarray(middle)])
}

/** A column in ClickHouse's format Native, written by hand: its name, its type and its values. */
export function nativeColumn(name: string, type: string, values: Buffer): Buffer {
  return Buffer.concat([nativeText(name), nativeText(type), values])
}

/** A text after its length. */
export function nativeText(text: string | Buffer): Buffer {
  const bytes = Buffer.from(text as string)
  return Buffer.concat([nativeLength(bytes.length), bytes])
}

/** A number in groups of seven bits, the lowest first. */
export function nativeLength(length: number): Buffer {
  const bytes: number[] = []
  let rest = length
  for (; rest >= 128; rest = Math.floor(rest / 128)) bytes.push((rest % 128) + 128)
  return Buffer.from([...bytes, rest])
}

/** Texts, where null is empty and marked in front of all texts. */
export function nullableTexts(values: readonly (string | Buffer | null)[]): Buffer {
  return Buffer.concat([
    Buffer.from(values.map((value) => (value === null ? 1 : 0))),
    ...values.map((value) => nativeText(value ?? '')),
  ])
}

/** Indices into a dictionary whose first text is null and whose second one is empty. */
export function dictionaryTexts(values: readonly (string | null)[], indexWidth: 1 | 2 = 1): Buffer {
  const texts = ['', '', ...new Set(values.filter((value) => value !== null && value !== ''))]
  const head = Buffer.alloc(24)
  head.writeBigUInt64LE(1n, 0)
  head.writeBigUInt64LE(indexWidth === 1 ? 0x600n : 0x601n, 8)
  head.writeBigUInt64LE(BigInt(texts.length), 16)
  const rows = Buffer.alloc(8)
  rows.writeBigUInt64LE(BigInt(values.length))
  const indices = Buffer.alloc(values.length * indexWidth)
  for (const [row, value] of values.entries()) {
    const index = value === null ? 0 : value === '' ? 1 : texts.indexOf(value)
    indices.writeUIntLE(index, row * indexWidth, indexWidth)
  }
  return Buffer.concat([head, ...texts.map((text) => nativeText(text ?? '')), rows, indices])
}

/** The entries of a map in order; null is a value, too. */
export type NativeMap = readonly (readonly [key: number, text: string | null])[]

/** Maps from numbers to texts, one per row. */
export function nativeMaps(maps: readonly NativeMap[]): Buffer {
  const entries = maps.flat()
  let end = 0
  const ends = maps.map((map) => {
    end += map.length
    return BigInt(end)
  })
  const keys = entries.map(([key]) => BigInt(key))
  const texts = entries.map(([, text]) => text)
  return Buffer.concat([nativeIntegers(ends, 8), nativeIntegers(keys, 2), nullableTexts(texts)])
}

/** Integers of a width, each modulo its range. */
export function nativeIntegers(values: readonly bigint[], width: 1 | 2 | 4 | 8): Buffer {
  const bytes = Buffer.alloc(values.length * 8)
  for (const [row, value] of values.entries()) {
    bytes.writeBigUInt64LE(BigInt.asUintN(64, value), row * 8)
  }
  return Buffer.concat(values.map((_, row) => bytes.subarray(row * 8, row * 8 + width)))
}

/** Integers with a mark for each null in front of them. */
export function nullableIntegers(values: readonly (bigint | null)[], width: 1 | 2 | 4 | 8): Buffer {
  const marks = Buffer.from(values.map((value) => (value === null ? 1 : 0)))
  return Buffer.concat([
    marks,
    nativeIntegers(
      values.map((value) => value ?? 0n),
      width,
    ),
  ])
}
