import { encodeColumn, encodeHead, encodeText } from '../../../wire/native/encode-block.js'
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
    rows.map(({ time }) => int64(time)),
    rows.map(({ row }) => fixed(4, (bytes) => bytes.writeUInt32LE(row))),
    rows.map(({ line }) => encodeText(line)),
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
  const nulls = Buffer.from(rows.map(({ values }) => (values[i] === undefined ? 1 : 0)))
  return [nulls, ...rows.map(({ values }) => ENCODE[type](values[i]))]
}

const ENCODE: Readonly<Record<ScanColumn['type'], (text: string | undefined) => Buffer>> = {
  string: (text = '') => encodeText(text),
  array: (text = '') => encodeText(text),
  int: (text) => int64(BigInt(text ?? 0)),
  real: (text) => fixed(8, (bytes) => bytes.writeDoubleLE(Number(text ?? 0))),
  bool: (text) => Buffer.from([text === 'true' ? 1 : 0]),
}

export function int64(value: bigint): Buffer {
  return fixed(8, (bytes) => bytes.writeBigInt64LE(value))
}

function fixed(length: number, write: (bytes: Buffer) => void): Buffer {
  const bytes = Buffer.alloc(length)
  write(bytes)
  return bytes
}
