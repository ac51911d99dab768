import { describe, expect, it } from 'vitest'
import { parseFilter } from '../../src/cli/commands/query/filter.js'

describe('a filter of --legacy', () => {
  it.each([
    ['status >= 500', { op: '>=', field: 'status', value: 500 }],
    ['status>=500', { op: '>=', field: 'status', value: 500 }],
    ['status=500', { op: '==', field: 'status', value: 500 }],
    ['status == "500"', { op: '==', field: 'status', value: '500' }],
    ["service != 'a b'", { op: '!=', field: 'service', value: 'a b' }],
    ['service == a b', { op: '==', field: 'service', value: 'a b' }],
    ['took < 0.25', { op: '<', field: 'took', value: 0.25 }],
    ['ok == true', { op: '==', field: 'ok', value: true }],
    ['ok == null', { op: '==', field: 'ok', value: null }],
    ['text == ', { op: '==', field: 'text', value: '' }],
    ['_time > 2026-01-31T10:00:00Z', { op: '>', field: '_time', value: '2026-01-31T10:00:00Z' }],
    ['path contains a=b', { op: 'contains', field: 'path', value: 'a=b' }],
    ['path starts-with /api', { op: 'starts-with', field: 'path', value: '/api' }],
    ['code not-ends-with 07', { op: 'not-ends-with', field: 'code', value: '07' }],
    ['text regexp ^a.*"$', { op: 'regexp', field: 'text', value: '^a.*"$' }],
    ['geo.city exists', { op: 'exists', field: 'geo.city' }],
    ['user agent not-exists', { op: 'not-exists', field: 'user agent' }],
    ["['a >= b'] = 1", { op: '==', field: 'a >= b', value: 1 }],
    ['["x exists"] exists', { op: 'exists', field: 'x exists' }],
    ['big == 9007199254740993', { op: '==', field: 'big', value: '9007199254740993' }],
    ['tags == ["a"]', { op: '==', field: 'tags', value: '["a"]' }],
  ])('%s', (text, expected) => {
    expect(JSON.parse(parseFilter(text))).toEqual(expected)
  })

  it('may be JSON, which is sent unchanged', () => {
    const filter = '{"op": "==", "field": "big", "value": 9007199254740993}'
    expect(parseFilter(filter)).toBe(filter)
  })

  it.each(['', 'status', '>= 500', '{"op"', 'status ~ 5', 'status contains'])(
    'rejects %j',
    (text) => {
      expect(() => parseFilter(text)).toThrow('`--filter` takes a field, an operator and a value')
    },
  )
})
