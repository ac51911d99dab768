import { describe, expect, it } from 'vitest'
import { compileFor, matchPattern } from '../../../../src/input/log/format/compiled-format.js'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { hasRequired, requiredText } from '../../../../src/input/log/format/required-text.js'

const TIME = '\\d{1,4}[-/]\\d\\d[-/]\\d\\d[ T]\\d\\d:\\d\\d:\\d\\d[.,\\dZ]*'
const EXAMPLES = LINE_FORMATS.flatMap(({ examples }) => examples)

const has = (grok: string, text: string) =>
  hasRequired(requiredText(grok), text, new RegExp(TIME, 'y'))

describe('the required text of a pattern', () => {
  it.each([
    ['a string', 'abc', { beginning: ['abc'], later: [] }],
    ['escapes', '\\[\\t\\.', { beginning: ['[\t.'], later: [] }],
    ['a time', '\\[%{TIME:_time}\\] x', { beginning: ['[', undefined, '] x'], later: [] }],
    ['other fields', '%{INT:a} - %{WORD:b}\\.c', { beginning: [], later: [' - ', '.c'] }],
    ['classes', 'a[b\\]c]d\\de', { beginning: ['a'], later: ['d', 'e'] }],
    ['groups', 'a(?:b[)](c|d))e', { beginning: ['a'], later: ['e'] }],
    ['what is optional', 'ab?c(?:d)?e*f{0,3}g', { beginning: ['a'], later: ['c', 'g'] }],
    ['what is repeated', 'ab+c {1,8}d', { beginning: ['ab'], later: ['c ', 'd'] }],
    ['alternatives', 'ab|cd', { beginning: [], later: [] }],
  ])('has %s', (_, grok, expected) => {
    expect(requiredText(grok)).toEqual(expected)
  })

  it.each([
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00] x', true],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00]x', false],
    ['\\[%{TIME:_time}\\] x', '[up] x', false],
    ['%{WORD:a} - %{WORD:b}: c', 'one - two: c', true],
    ['%{WORD:a} - %{WORD:b}: c', 'one: c - two', false],
  ])('of %s is in %s: %s', (grok, text, expected) => {
    expect(has(grok, text)).toBe(expected)
  })

  it.each(LINE_FORMATS.map((format) => [format.name, format] as const))(
    'is in all lines that have the format %s',
    (_, { patterns }) => {
      const having = patterns.map((grok) => {
        const lines = EXAMPLES.filter((line) => matchPattern(compileFor(grok, TIME), line) !== null)
        return lines.filter((line) => !has(grok, line))
      })
      expect(having.flat()).toEqual([])
    },
  )
})
