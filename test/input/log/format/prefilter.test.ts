import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  compileFor,
  startsOf,
  timePattern,
} from '../../../../src/input/log/format/compiled-format.js'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { mayMatch } from '../../../../src/input/log/format/prefilter.js'
import { TIME_LAYOUTS } from '../../../../src/input/log/time/time-layouts.js'
import { SAMPLES } from '../sample.js'
import { examplesOf } from './examples.js'

const ISO = timePattern(TIME_LAYOUTS.find(({ name }) => name === 'iso')!.pattern)

describe('the prefilter of a pattern', () => {
  it.each([
    ['abc', 'abcd', true],
    ['abc', 'ab', false],
    ['\\[\\t\\.', '[\t.', true],
    ['\\[\\t\\.', '[ .', false],
    ['%{INT:a} - %{WORD:b}\\.c', '1 - x.c', true],
    ['%{INT:a} - %{WORD:b}\\.c', '1.c - x', false],
    ['a[b\\]c]d\\de', 'a]d1e', true],
    ['a[b\\]c]d\\de', 'a]1e', false],
    ['a(?:b[)](c|d))e', 'ab)ce', true],
    ['a(?:b[)](c|d))e', 'ab)c', false],
    ['ab?c(?:d)?e*f{0,3}g', 'acg', true],
    ['ab?c(?:d)?e*f{0,3}g', 'ag', false],
    ['ab+c {1,8}d', 'abbc  d', true],
    ['ab+c {1,8}d', 'ac d', false],
    ['ab|cd', 'cd', true],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00] x', true],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00,123 +0100] x', true],
    ['\\[%{TIME:_time}\\] x', '[2026-11-20 10:00:00]x', false],
    // A text that looks like a zone is none.
    ['%{TIME:_time} INFO x', '2026-11-20 10:00:00 INFO x', true],
    ['(?:%{TIME:_time} )?x', 'x', true],
    ['(?:a|b) %{TIME:_time} x', 'b 2026-11-20 10:00:00 x', true],
    ['(?:a|b) %{TIME:_time} x', 'c 2026-11-20 10:00:00 x', false],
    ['%{INT:a} %{TIME:_time} x', 'one 2026-11-20 10:00:00 x', false],
  ])('%s of %s: %s', (grok, text, expected) => {
    expect(mayMatch(grok, text, ISO)).toBe(expected)
  })

  it.each([
    ['\\[%{TIME:_time}\\] x', '[up] x', false],
    ['(?:%{TIME:_time} )?x', 'x', true],
    ['x', 'x', true],
  ])('%s of %s, which has no time: %s', (grok, text, expected) => {
    expect(mayMatch(grok, text, undefined)).toBe(expected)
  })
})

const PROGRAMS = readFileSync(join(import.meta.dirname, '../programs.txt'), 'utf8')
const LOGS = [
  ...LINE_FORMATS.flatMap(examplesOf),
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
  const rejected = lines.filter((line) => !mayMatch(grok, line, time))
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
