import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  compileFor,
  startsOf,
  timePattern,
} from '../../../../src/input/log/format/compiled-format.js'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { timeScan } from '../../../../src/input/log/format/like-time.js'
import { mayMatch } from '../../../../src/input/log/format/prefilter.js'
import { requiredText, signsOf } from '../../../../src/input/log/format/required-text.js'
import { TIME_LAYOUTS } from '../../../../src/input/log/time/time-layouts.js'
import { SAMPLES } from '../sample.js'

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
    expect(requiredText(grok)).toMatchObject(expected)
  })
})

const ISO = timePattern(TIME_LAYOUTS.find(({ name }) => name === 'iso')!.pattern)

describe('the prefilter of a pattern', () => {
  it.each([
    ['abc', 'abcd', true],
    ['abc', 'ab', false],
    ['a\\[\\x62\\tc', 'a[b\tc', true],
    ['[^a-c\\d]x', 'dx', true],
    ['[^a-c\\d]x', '5x', false],
    ['ab?c', 'ac', true],
    ['ab?c', 'abbc', false],
    ['ab+c', 'abbbc', true],
    ['ab*c', 'ac', true],
    ['a{2,3}c', 'aac', true],
    ['a{2}c', 'aaac', false],
    ['a{2}c', 'ac', false],
    ['a{7}c', 'aaac', false],
    ['a{7}c', 'aaaaaaac', true],
    ['(?:ab)?c', 'c', true],
    ['(?:ab)?c', 'abc', true],
    ['(?:ab)?c', 'bc', false],
    ['(?<one:long>ab|c)d', 'cd', true],
    ['(?<one>ab|c)d', 'xd', false],
    ['(?i:ab)c', 'aBc', true],
    ['(?i:ab)c', 'aBC', false],
    ['(?=b)[ab]c', 'bc', true],
    ['(?=b)[ab]c', 'ac', false],
    ['(?=b)(?=.c)[ab]c', 'bc', true],
    ['(?=b)(?=.d)[ab]c', 'bc', false],
    ['(?!b)[ab]c', 'bc', true],
    ['%{INT:n} %{WORD:w}:', '-12 one:', true],
    ['%{INT:n} %{WORD:w}:', 'one two:', false],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00] x', true],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00,123 +0100] x', true],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00]x', false],
    ['\\[%{TIME:_time}\\] x', '[up] x', false],
    // A text that looks like a zone is none.
    ['%{TIME:_time} INFO x', '2026-11-20 10:00:00 INFO x', true],
    ['(?:%{TIME:_time} )?x', 'x', true],
    ['%{TEXT:a} - %{WORD:b}: c', 'one - two: c', true],
    ['%{TEXT:a} - %{WORD:b}: c', 'one: c - two', false],
  ])('%s of %s: %s', (grok, text, expected) => {
    expect(mayMatch(grok, signed(text), timeScan(ISO))).toBe(expected)
  })
})

const PROGRAMS = readFileSync(join(import.meta.dirname, '../programs.txt'), 'utf8')
const LOGS = [
  ...LINE_FORMATS.flatMap(({ examples }) => examples),
  ...PROGRAMS.split(/^(?:== .*|=> .*)\n/m),
  ...SAMPLES.flatMap(({ log }) => log.toString('latin1').split('\n')),
]
const LINES = [...new Set(LOGS.map((line) => line.replaceAll('\r', '').slice(0, 500)))]
const ALL = LINE_FORMATS.flatMap((format) => [
  ...format.patterns,
  ...startsOf(format, true),
  ...startsOf(format, false),
])
const PATTERNS = [...new Set(ALL)]
const UNTIMED = PATTERNS.filter((grok) => !grok.includes('%{TIME'))
const TIMED = PATTERNS.filter((grok) => grok.includes('%{TIME'))

/** Returns the lines that a pattern matches although the prefilter has rejected them. */
function lost(grok: string, lines: readonly string[], time?: string): readonly string[] {
  const scan = time === undefined ? undefined : timeScan(time)
  const rejected = lines.filter((line) => !mayMatch(grok, signed(line), scan))
  if (rejected.length === 0) return []
  // The expressions of all patterns with all times do not fit into V8's memory for code: each is dropped after its use.
  const pattern = compileFor(grok, TIME_MARK)
  const source = `${pattern.beginning?.scan.source ?? ''}${pattern.scan.source}`
  const expression = new RegExp(
    source.replaceAll(TIME_MARK, () => time ?? '(?!)'),
    'y',
  )
  return rejected.filter((line) => {
    expression.lastIndex = 0
    return expression.test(line)
  })
}

const TIME_MARK = 'TIME_OF_PATTERN'

describe('the prefilters of all formats', () => {
  it('reject no line of a sample that a pattern without a time matches', () => {
    expect(UNTIMED.flatMap((grok) => lost(grok, LINES))).toEqual([])
  })

  it.each([...new Set(TIME_LAYOUTS.map(({ pattern }) => pattern))])(
    'reject no line that a pattern with a time matches: %s',
    (written) => {
      const time = timePattern(written)
      const scan = new RegExp(time)
      const lines = LINES.filter((line) => scan.test(line))
      expect(TIMED.flatMap((grok) => lost(grok, lines, time))).toEqual([])
    },
  )
})

function signed(text: string) {
  return { text, signs: signsOf(text) }
}
