import { describe, expect, it } from 'vitest'
import { classifyLine } from '../../../src/wire/event/classify-line.js'

describe('a line', () => {
  it('is blank when it is JSON white space', () => {
    expect(classifyLine(' \t\r', { timestampField: '_time' })).toEqual({ kind: 'blank' })
  })

  it.each(['\u00a0', '\u2028', '\f', '\u0000'])('is rejected when it only looks blank', (line) => {
    expect(classifyLine(line, { timestampField: '_time' })).toMatchObject({
      kind: 'rejected',
      fault: 'not-json',
    })
  })

  it.each([
    ['{"a.b":null,"a":{"b":1767225600000}}', 1_767_225_600_000_000_000n],
    ['{"a":{"b":"2026-01-01","bc":1},"a.b":"2026-01-02"}', 1_767_312_000_000_000_000n],
    ['{"a.b":null,"a":{"b":null,"bc":1}}', undefined],
    ['{"a":{"bc":1},"b":{"a":1}}', undefined],
  ])('has the time of the first path with a value: %s', (line, time) => {
    expect(classifyLine(line, { timestampField: 'a.b' })).toMatchObject({ kind: 'event', time })
  })

  it.each(['{"a":{"b":{"c":1}}}', '{"a.b":{"c":1}}'])(
    'is rejected when its time is an object: %s',
    (line) => {
      expect(classifyLine(line, { timestampField: 'a.b' })).toMatchObject({ fault: 'not-a-time' })
    },
  )
})
