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
})
