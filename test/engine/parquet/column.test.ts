import { describe, expect, it } from 'vitest'
import { parquetCell, parquetType } from '../../../src/engine/parquet/column.js'

const typeOf = (type: string, ...cells: readonly string[]) =>
  parquetType({ name: 'c', type }, cells)

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
    ['float', ['1e999'], 'String'],
    ['integer|float', ['1', '2.5'], 'Float64'],
    ['boolean', ['true', 'false', 'null'], 'Bool'],
    ['datetime', ['"2026-01-01T00:00:00.000000001Z"', 'null'], 'DateTime64'],
    ['datetime', ['"2026-01-01T00:00:00Z"', '"soon"'], 'String'],
    ['string', ['"2026-01-01T00:00:00Z"'], 'String'],
    ['integer|string', ['1', '"a"'], 'String'],
    ['boolean|integer', ['true', '1'], 'String'],
    ['array', ['[1]', '{}'], 'String'],
    ['', ['1'], 'Int64'],
    ['integer', ['null'], 'Int64'],
    ['float', [], 'Float64'],
    ['boolean', [], 'Bool'],
    ['datetime', [], 'DateTime64'],
    ['', ['null'], 'String'],
  ])('of %s with %j is %s', (type, cells, expected) => {
    expect(typeOf(type, ...cells)).toBe(expected)
  })
})

describe('a cell', () => {
  it('is text for what no other type holds', () => {
    expect(parquetCell('[1,"a"]', 'String')).toBe(String.raw`"[1,\"a\"]"`)
    expect(parquetCell('18446744073709551616', 'String')).toBe('"18446744073709551616"')
    expect(parquetCell('"é\\n"', 'String')).toBe('"é\\n"')
    expect(parquetCell('null', 'String')).toBe('null')
    expect(parquetCell('"a\\ud800b"', 'String')).toBe('"a\ufffdb"')
    expect(parquetCell('"\\ud83d\\ude00"', 'String')).toBe('"😀"')
  })

  it('is the number of nanoseconds for a time', () => {
    expect(parquetCell('"2026-01-01T00:00:00.000000001Z"', 'DateTime64')).toBe(
      '1767225600000000001',
    )
  })
})
