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
  /** True when its texts are JSON as in events. */
  readonly isDocument?: boolean
  /** The path of a column whose values are in the remainders of the response. */
  readonly path?: readonly string[]
  /** True when an object at the path is not a value. */
  readonly isNoObject?: boolean
}

/** A response in the format Native, in pieces, as from a socket. `remainders` have the values of the columns with paths. */
export function nativeResponse(
  columns: readonly NativeValues[],
  rows: number,
  {
    status = {},
    remainders,
  }: { readonly status?: object; readonly remainders?: readonly string[] | undefined } = {},
): ChunkedBuffer {
  const fields = columns.map(({ name }) => ({ name, type: '', values: '[]' }))
  const json = columns.flatMap(({ isJson }, i) => (isJson ? [i] : []))
  const documents = columns.flatMap(({ isDocument }, i) => (isDocument ? [i] : []))
  const members = columns.flatMap(({ path, isNoObject = false }, column) =>
    path === undefined ? [] : [{ column, path, isNoObject }],
  )
  const bytes = columns.flatMap(({ name, type, bytes: values, path }) =>
    path === undefined ? [nativeColumn(name, type, values)] : [],
  )
  if (remainders !== undefined) {
    bytes.push(nativeColumn('line', 'String', Buffer.concat(remainders.map(nativeText))))
  }
  const encoded = encodeNativeResult(
    { rows, json, documents, members },
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

/** Doubles with a mark for each null in front of them. */
export function nullableDoubles(values: readonly (number | null)[]): Buffer {
  const bits = values.map((value) => new BigUint64Array(Float64Array.of(value ?? 0).buffer)[0]!)
  return nullableIntegers(
    values.map((value, row) => (value === null ? null : bits[row]!)),
    8,
  )
}
