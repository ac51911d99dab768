import {
  encodeColumn,
  encodeHead,
  MOST_LENGTH_BYTES,
  writeText,
} from '../../../wire/native/encode-block.js'
import { nativeHead } from '../../../wire/native/native-block.js'
import { columnHeaders, type ScanColumn } from './scan-columns.js'

/** An event as its columns. */
export interface EventRow {
  /** Nanoseconds since 1970. */
  readonly time: bigint
  /** The number of its line. */
  readonly row: number
  /** The remainder. */
  readonly line: string
  /** The text of the value of each column; undefined for null. */
  readonly values: readonly (string | undefined)[]
}

/** Returns events in ClickHouse's format `Native`, as the scanner writes them. */
export function nativeBlock(columns: readonly ScanColumn[], rows: readonly EventRow[]): Buffer {
  const headers = columnHeaders(columns)
  const values = [
    [fixed(rows, 8, (bytes, { time }, at) => bytes.writeBigInt64LE(time, at))],
    [fixed(rows, 4, (bytes, { row }, at) => bytes.writeUInt32LE(row, at))],
    [encodeTexts(rows.map(({ line }) => line))],
    ...columns.map(({ type }, i) => nullable(type, rows, i)),
  ]
  return Buffer.concat([
    encodeHead(rows.length, headers.length),
    ...headers.flatMap((header, i) => [header, ...(values[i] ?? [])]),
  ])
}

/** A column with the same value in all rows. */
export interface ConstantColumn {
  readonly name: string
  readonly type: string
  readonly value: Buffer
}

export function withConstants(block: Buffer, columns: readonly ConstantColumn[]): Buffer {
  const head = nativeHead(block)
  if (head === undefined) throw new Error('the block is incomplete')
  return Buffer.concat([
    encodeHead(head.rows, head.columns + columns.length),
    block.subarray(head.end),
    ...columns.flatMap(({ value, ...column }) =>
      encodeColumn({ ...column, values: new Array<Buffer>(head.rows).fill(value) }),
    ),
  ])
}

function nullable(type: ScanColumn['type'], rows: readonly EventRow[], i: number): Buffer[] {
  const texts = rows.map(({ values }) => values[i])
  const nulls = Buffer.from(texts.map((text) => (text === undefined ? 1 : 0)))
  return [nulls, ENCODE[type](texts)]
}

type Encode = (texts: readonly (string | undefined)[]) => Buffer

const encodeTexts: Encode = (texts) => {
  const sizes = texts.map((text = '') => MOST_LENGTH_BYTES + Buffer.byteLength(text))
  const bytes = Buffer.allocUnsafe(sizes.reduce((sum, size) => sum + size, 0))
  const end = texts.reduce((at, text = '') => writeText(bytes, text, at), 0)
  return bytes.subarray(0, end)
}

const ENCODE: Readonly<Record<ScanColumn['type'], Encode>> = {
  string: encodeTexts,
  array: encodeTexts,
  int: (texts) =>
    fixed(texts, 8, (bytes, text, at) => bytes.writeBigInt64LE(BigInt(text ?? 0), at)),
  real: (texts) => fixed(texts, 8, (bytes, text, at) => bytes.writeDoubleLE(Number(text ?? 0), at)),
  bool: (texts) => Buffer.from(texts.map((text) => (text === 'true' ? 1 : 0))),
}

export function int64(value: bigint): Buffer {
  return fixed([value], 8, (bytes, one, at) => bytes.writeBigInt64LE(one, at))
}

/** Returns values of the same length as one buffer: a buffer for each takes several times as long. */
function fixed<Value>(
  values: readonly Value[],
  length: number,
  write: (bytes: Buffer, value: Value, at: number) => void,
): Buffer {
  const bytes = Buffer.allocUnsafe(values.length * length)
  for (const [i, value] of values.entries()) write(bytes, value, i * length)
  return bytes
}
