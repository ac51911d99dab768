import { describe, expect, it } from 'vitest'
import { closest, nearest } from '../../src/text/suggest.js'

const FIELDS = ['_time', 'status', 'method', 'geo.city', 'user_id', 'uri', 'a', 'b']

describe('nearest', () => {
  it.each([
    ['statsu', 'status'],
    ['STATUS', 'status'],
    ['stat', 'status'],
    ['methd', 'method'],
    ['mthd', 'method'],
    ['meethod', 'method'],
    ['city', 'geo.city'],
    ['geo.cty', 'geo.city'],
    ['id', undefined],
    ['userid', 'user_id'],
    ['c', undefined],
    ['zzzzzz', undefined],
    ['', undefined],
  ])('to %s is %s', (written, name) => {
    expect(closest(written, FIELDS)).toBe(name)
  })

  it('returns a name that was abbreviated before a similar one', () => {
    expect(closest('cnt', ['count', 'cot'])).toBe('count')
  })

  it('returns the most similar name first', () => {
    expect(nearest('coutn', ['mount', 'count_', 'count'])[0]).toBe('count')
    expect(nearest('count1', ['count_1', 'count_', 'count', 'x'])).toHaveLength(3)
  })
})
