import { describe, expect, it } from 'vitest'
import { nativeColumns, nativeHead } from '../../../src/wire/native/native-block.js'
import { parseNativeType } from '../../../src/wire/native/native-type.js'
import {
  dictionaryTexts,
  nativeColumn,
  nativeIntegers,
  nativeLength,
  nullableTexts,
} from '../../support/native-column.js'

const PLAIN = { isNullable: false, hasDictionary: false }

it.each([
  ['String', { kind: 'text', width: 0, ...PLAIN }],
  ['Nullable(String)', { kind: 'text', width: 0, ...PLAIN, isNullable: true }],
  ['LowCardinality(String)', { kind: 'text', width: 0, ...PLAIN, hasDictionary: true }],
  [
    'LowCardinality(Nullable(String))',
    { kind: 'text', width: 0, isNullable: true, hasDictionary: true },
  ],
  ['Int8', { kind: 'signed', width: 1, ...PLAIN }],
  ['Nullable(UInt64)', { kind: 'unsigned', width: 8, ...PLAIN, isNullable: true }],
  ['Bool', { kind: 'bool', width: 1, ...PLAIN }],
  ['Float64', { kind: 'real', width: 8, ...PLAIN }],
  ["DateTime64(9, 'UTC')", { kind: 'time', width: 8, ...PLAIN }],
])('the values of %s can be read', (name, type) => {
  expect(parseNativeType(name)).toEqual({ name, ...type })
})

it.each([
  'Float32',
  'Int128',
  'Date',
  'DateTime',
  "DateTime64(3, 'UTC')",
  'Array(String)',
  'Map(UInt16, Nullable(String))',
  'LowCardinality(UInt8)',
  'FixedString(4)',
  '',
])('those of %j cannot', (name) => {
  expect(parseNativeType(name)).toBeUndefined()
})

describe('a block', () => {
  const texts = nativeColumn('a', 'Nullable(String)', nullableTexts(['x'.repeat(200), null, '']))
  const numbers = nativeColumn('bb', 'Int16', nativeIntegers([1n, -1n, 0n], 2))
  const words = nativeColumn(
    'c',
    'LowCardinality(Nullable(String))',
    dictionaryTexts(['y', null, 'y']),
  )
  const block = Buffer.concat([nativeLength(3), nativeLength(3), texts, numbers, words])

  it('begins with its size', () => {
    expect(nativeHead(block)).toEqual({ columns: 3, rows: 3, end: 2 })
    expect(nativeHead(Buffer.concat([nativeLength(300), nativeLength(70_000)]))).toEqual({
      ...{ columns: 300, rows: 70_000, end: 5 },
    })
    expect(nativeHead(Buffer.from([0x80]))).toBeUndefined()
  })

  it('has its columns one after the other', () => {
    const found = nativeColumns(block, { at: 2, columns: 3, rows: 3 })!
    const [first, second, third] = found.columns
    expect(found.end).toBe(block.length)
    // A name and a type have one byte of length each.
    expect(first).toMatchObject({ start: 2 + 2 + 17, nulls: 2 + 2 + 17, values: 2 + 2 + 17 + 3 })
    const numbersAt = 2 + texts.length
    expect(second).toMatchObject({ start: numbersAt + 3 + 6, values: numbersAt + 3 + 6 })
    expect(block.readInt16LE(second!.values + 2)).toBe(-1)
    expect(found.columns.map(({ end }) => end)).toEqual([
      numbersAt,
      numbersAt + numbers.length,
      block.length,
    ])
    expect(third!.dictionary).toMatchObject({ count: 3, indexWidth: 1 })
    expect([...block.subarray(third!.values, third!.values + 3)]).toEqual([2, 0, 2])
  })

  it('is not readable when any of it is missing, or of another type', () => {
    for (let length = 2; length < block.length; length++) {
      const part = block.subarray(0, length)
      expect(nativeColumns(part, { at: 2, columns: 3, rows: 3 }), `${length}`).toBeUndefined()
    }
    const other = nativeColumn('d', 'Date', Buffer.alloc(6))
    expect(nativeColumns(other, { at: 0, columns: 1, rows: 3 })).toBeUndefined()
  })
})
