import { describe, expect, it } from 'vitest'
import { ColumnType } from '../../../src/engine/parquet/column.js'

function typeOf(declared: string, values: readonly string[]) {
  const column = new ColumnType(declared)
  for (const value of values) if (value !== 'null') column.add(Buffer.from(value))
  return column.type
}

describe('the type of a column', () => {
  it.each([
    ['integer', ['1', 'null', '-9223372036854775808', '9223372036854775807'], 'Int64'],
    ['integer', ['0', '9223372036854775808', '18446744073709551615'], 'UInt64'],
    ['integer', ['-1', '9223372036854775808'], 'String'],
    ['integer', ['18446744073709551616'], 'String'],
    ['timespan', ['1500000000'], 'Int64'],
    ['float', ['1', '2'], 'Float64'],
    ['float', ['-0', '1e-400', '5e-324', '0.1'], 'Float64'],
    ['float', ['9007199254740993', '0.5'], 'String'],
    ['float', ['9007199254740992', '0.5'], 'Float64'],
    ['float', ['123456789012345680000', '0.5'], 'Float64'],
    ['float', ['123456789012345680001', '0.5'], 'String'],
    ['float|integer', ['1234567890123456800', '0.5'], 'String'],
    ['float', ['1e999'], 'String'],
    ['float|integer', ['1', '2.5'], 'Float64'],
    ['float|integer', ['1', `-${'1'.repeat(308)}.5`], 'Float64'],
    ['float|integer', ['1', `${'1'.repeat(400)}.5`], 'String'],
    ['float|integer', ['-1', '123456789012345'], 'Int64'],
    ['boolean', ['true', 'false', 'null'], 'Bool'],
    ['datetime', ['"2026-01-01T00:00:00.000000001Z"', 'null'], 'DateTime64'],
    ['datetime', ['"2026-01-01T00:00:00Z"', '"soon"'], 'String'],
    ['string', ['"2026-01-01T00:00:00Z"'], 'String'],
    ['integer|string', ['1', '"a"'], 'String'],
    ['boolean|integer', ['true', '1'], 'String'],
    ['array', ['[1]', '{}'], 'String'],
    ['', ['1'], 'Int64'],
    ['', ['true', 'null'], 'Bool'],
    ['', ['true', '1'], 'String'],
    ['integer', ['null'], 'Int64'],
    ['float', [], 'Float64'],
    ['boolean', [], 'Bool'],
    ['datetime', [], 'DateTime64'],
    ['', ['null'], 'String'],
  ])('of %s with %j is %s', (type, cells, expected) => {
    expect(typeOf(type, cells)).toBe(expected)
  })
})

describe('a column of several pages', () => {
  it('is text when the pages declare several types', () => {
    const column = new ColumnType('integer')
    column.declare('integer')
    expect(column.isText).toBe(false)
    column.declare('string')
    expect(column.isText).toBe(true)
    column.add(Buffer.from('1'))
    expect(column.type).toBe('String')
  })
})
