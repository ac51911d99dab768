import fc from 'fast-check'
import { expect, it } from 'vitest'
import { blockLayout, joinedBlocks } from '../../../../src/engine/ingest/scan/joined-blocks.js'
import { RUNS } from '../../../support/runs.js'
import { decodeNative, type NativeValue } from './native.js'

const text = fc.string({ unit: 'binary', maxLength: 200 })
const integer = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })

/** The columns of the blocks: the encoding of each type, the value that stands for null, and random values. */
const COLUMNS = [
  { name: 'id', type: 'Int64', encode: int64, zero: 0n, values: integer },
  { name: 'line', type: 'String', encode: string, zero: '', values: text },
  { name: 'msg', type: 'Nullable(String)', encode: string, zero: '', values: fc.option(text) },
  {
    name: 'new',
    type: 'Nullable(Bool)',
    encode: bool,
    zero: false,
    values: fc.option(fc.boolean()),
  },
  { name: 'at', type: 'Nullable(Int64)', encode: int64, zero: 0n, values: fc.option(integer) },
]
const LAYOUT = blockLayout(COLUMNS)

const row = fc.tuple(...COLUMNS.map(({ values }): fc.Arbitrary<NativeValue> => values))
const block = fc.array(row, { minLength: 1 })

it('joins blocks without a change of values, whichever columns they have', () => {
  const property = fc.property(fc.array(block, { minLength: 1 }), (blocks) => {
    const joined = decodeNative(joinedBlocks(LAYOUT, Buffer.concat(blocks.map(encodeBlock))))
    const rows = blocks.flat()
    for (const [i, { name }] of COLUMNS.entries()) {
      const expected = rows.map((values) => values[i])
      const hasValues = expected.some((value) => value !== null)
      expect(joined.get(name)).toEqual(hasValues ? expected : undefined)
    }
  })
  fc.assert(property, { numRuns: 10 * RUNS })
})

it('refuses a block with a column that the layout does not have', () => {
  const encoded = encodeBlock([[1n, 'line', 'message', null, null]])
  expect(() => joinedBlocks(LAYOUT.slice(0, 2), encoded)).toThrow('the block has unknown columns')
})

/** Encodes rows in ClickHouse's format `Native`; columns in which all values are null are left out. */
function encodeBlock(rows: readonly (readonly NativeValue[])[]): Buffer {
  const present = COLUMNS.map((column, i) => ({ ...column, column: rows.map((row) => row[i]!) }))
    .filter(({ column }) => column.some((value) => value !== null))
    .map(({ name, type, encode, zero, column }) => {
      const isNullable = type.startsWith('Nullable')
      const nulls = Buffer.from(isNullable ? column.map((value) => Number(value === null)) : [])
      const values = column.map((value) => encode((value ?? zero) as never))
      return Buffer.concat([string(name), string(type), nulls, ...values])
    })
  return Buffer.concat([varint(present.length), varint(rows.length), ...present])
}

function varint(value: number): Buffer {
  return Buffer.from(
    value < 128 ? [value] : [(value % 128) + 128, ...varint(Math.floor(value / 128))],
  )
}

function string(value: string): Buffer {
  const bytes = Buffer.from(value)
  return Buffer.concat([varint(bytes.length), bytes])
}

function int64(value: bigint): Buffer {
  const bytes = Buffer.alloc(8)
  bytes.writeBigInt64LE(value)
  return bytes
}

function bool(value: boolean): Buffer {
  return Buffer.from([Number(value)])
}
