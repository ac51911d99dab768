import { array, assert, integer, jsonValue, option, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { resultColumn } from '../../../src/service/query/result-column.js'
import type { CompiledColumn } from '../../../src/sql/compiled-query.js'
import '../../support/runs.js'

const STRING: CompiledColumn = {
  id: 1,
  name: 'a',
  type: 'string',
  wireType: 'string',
  encoding: 'plain',
}
const INTEGER: CompiledColumn = { ...STRING, type: 'int', wireType: 'integer' }
const DATETIME: CompiledColumn = { ...STRING, type: 'datetime', wireType: 'datetime' }
const TIMESPAN: CompiledColumn = { ...STRING, type: 'timespan', wireType: 'timespan' }
const DYNAMIC: CompiledColumn = { ...STRING, type: 'dynamic', wireType: '', encoding: 'json' }

function written(column: CompiledColumn, text: string, isCut: boolean, isExact = true) {
  const bytes = Buffer.from(text)
  const { pieces, wireType } = resultColumn({ column, bytes, isCut, isExact })
  return { text: pieces.join(''), wireType }
}

const whole = (column: CompiledColumn, text: string) => written(column, text, false)

describe('a column of one type', () => {
  it('is copied as the engine wrote it', () => {
    const text = '[9223372036854775807, null, -0.1]'
    expect(whole(INTEGER, text)).toEqual({ text, wireType: 'integer' })
  })

  it('loses the trailing zeros of a time', () => {
    const text =
      '["2026-01-01T00:00:00.010000000Z", null, "2026-01-01T00:00:00.000000000Z", "2026-01-01T00:00:10.123456780Z"]'
    expect(whole(DATETIME, text).text).toBe(
      '["2026-01-01T00:00:00.01Z", null, "2026-01-01T00:00:00Z", "2026-01-01T00:00:10.12345678Z"]',
    )
  })

  it('has timespans as integers, or as strings in the notation of Go', () => {
    const text = '[300000000000, null, -1500000, 0, 9223372036854775807, 60000000001,250]'
    expect(written(TIMESPAN, text, false)).toEqual({ text, wireType: 'timespan' })
    // As `time.Duration.String` of Go prints them.
    expect(written(TIMESPAN, text, true, false)).toEqual({
      text: '["5m0s", null, "-1.5ms", "0s", "2562047h47m16.854775807s", "1m0.000000001s"]',
      wireType: 'timespan',
    })
  })

  it('is not copied, also without the last row', () => {
    const bytes = Buffer.from('["é", "b", "c"]')
    for (const isCut of [false, true]) {
      const [values] = resultColumn({ column: STRING, bytes, isCut, isExact: true }).pieces
      expect(values?.buffer).toBe(bytes.buffer)
      expect(values?.byteOffset).toBe(bytes.byteOffset)
    }
  })

  it('keeps a string that looks like a time', () => {
    const text = '["2026-01-01T00:00:00.000Z"]'
    expect(whole(STRING, text).text).toBe(text)
  })
})

describe('a dynamic column', () => {
  it('contains the values themselves, not strings of them', () => {
    const text = String.raw`["9007199254740993", "\"x\"", null, "{\"a\":1.0}", "[1]", "true"]`
    expect(whole(DYNAMIC, text).text).toBe('[9007199254740993,"x",null,{"a":1.0},[1],true]')
  })

  it.each([
    [['1', '"x"', '2'], 'integer|string'],
    [['1.5', '1'], 'float|integer'],
    [['1e3'], 'float'],
    [['[1]', 'true', '{}', null], 'array|boolean|object'],
    [[null, 'null'], ''],
    [[], ''],
  ])('has the types of its values: %j', (cells, wireType) => {
    expect(whole(DYNAMIC, JSON.stringify(cells)).wireType).toBe(wireType)
  })

  it('has the type of its field when that is known', () => {
    const column = { ...DYNAMIC, wireType: 'integer|string' }
    expect(whole(column, '["1"]').wireType).toBe('integer|string')
  })
})

describe('truncation', () => {
  const cut = (column: CompiledColumn, text: string): unknown =>
    JSON.parse(written(column, text, true).text)

  it('removes the last row, whatever it contains', () => {
    assert(
      property(array(option(string({ unit: 'binary' })), { minLength: 1 }), (values) => {
        expect(cut(STRING, JSON.stringify(values))).toEqual(values.slice(0, -1))
      }),
    )
    assert(
      property(array(option(integer()), { minLength: 1 }), (values) => {
        expect(cut(INTEGER, JSON.stringify(values).replaceAll(',', ', '))).toEqual(
          values.slice(0, -1),
        )
      }),
    )
    assert(
      property(array(jsonValue({ maxDepth: 2 }), { minLength: 1 }), (values) => {
        const cells = values.map((value) => JSON.stringify(value))
        const kept = values.slice(0, -1).map((value) => JSON.parse(JSON.stringify(value)))
        expect(cut(DYNAMIC, JSON.stringify(cells))).toEqual(kept)
      }),
    )
  })
})
