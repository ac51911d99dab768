import { describe, expect, it } from 'vitest'
import { BLOCKS } from '../../../../src/input/log/format/blocks.js'
import { compileFormat, timePattern } from '../../../../src/input/log/format/compiled-format.js'
import { LINE_FORMATS } from '../../../../src/input/log/format/formats.js'
import { TIMED_LINES } from '../../../../src/input/log/format/general.js'
import { normalLevel } from '../../../../src/input/log/level.js'
import { detectTextLayout } from '../../../../src/input/log/text-layout.js'
import { findLayout } from '../../../../src/input/log/time/line-layout.js'
import { NOW, read } from '../support.js'
import { examplesOf } from './examples.js'

describe('a known format', () => {
  it.each(
    LINE_FORMATS.flatMap((format) =>
      examplesOf(format).map((example) => [format.name, example] as const),
    ),
  )('%s is detected from its example alone: %s', (name, example) => {
    expect(detectTextLayout(`${example}\n`, { now: NOW }).format?.name).toBe(name)
  })

  it('lists only levels that do not have their usual meaning', () => {
    const all = LINE_FORMATS.flatMap(({ levels = {} }) => Object.entries(levels))
    expect(all.filter(([word, level]) => normalLevel(word) === level)).toEqual([])
  })

  it('is recognized with expressions that V8 optimizes, even if lines have one of several formats', () => {
    const all = LINE_FORMATS.flatMap(({ patterns, start }) => (start === undefined ? patterns : []))
    const patterns = all.filter((pattern) => pattern.includes('%{TIME:_time}'))
    const { starts } = compileFormat(
      { patterns },
      timePattern(findLayout('start:iso')!.time!.pattern),
    )
    expect(Math.max(...starts.map(({ scan }) => scan.source.length))).toBeLessThan(20_480)
  })
})

describe('lines that begin with a time', () => {
  it.each([
    ['2026-02-03T04:05:06Z ERROR foo', { level: 'error', message: 'foo' }],
    [
      '[2026-02-03 04:05:06] [warning] a: b',
      { level: 'warn', severity_text: 'warning', message: 'a: b' },
    ],
    ['2026-02-03 04:05:06 - info - x', { level: 'info', message: 'x' }],
    ['[2026-02-03 04:05:06], WARN  x', { level: 'warn', message: 'x' }],
    ['2026-02-03 04:05:06              |   INFO     x', { level: 'info', message: 'x' }],
    ['2026-02-03 04:05:06 - a  b', { message: 'a  b' }],
    ['2026-02-03 04:05:06 -1 is negative', { message: '-1 is negative' }],
    ['2026-02-03 04:05:06 information is missing', { message: 'information is missing' }],
    ['2026-02-03 04:05:06 error.log was opened', { message: 'error.log was opened' }],
    // At most three words, with text in brackets as one of them, precede a level.
    ['2026-02-03 04:05:06 a b c ERROR foo', { level: 'error', message: 'a b c ERROR foo' }],
    ['2026-02-03 04:05:06 a b c d ERROR foo', { message: 'a b c d ERROR foo' }],
    [
      '2026-02-03 04:05:06 web[a b c] x ERROR foo',
      { level: 'error', message: 'web[a b c] x ERROR foo' },
    ],
    ['2026-02-03 04:05:06 a key=(ERROR) foo', { level: 'error', message: 'a key=(ERROR) foo' }],
  ])('%s', async (line, expected) => {
    const { events } = await read(`${line}\n`, { format: 'text' })
    expect(JSON.parse(events[0]!)).toEqual({ _time: '2026-02-03T04:05:06Z', ...expected })
  })

  // A word of more than 60 characters counts as several; at most three precede a level.
  it.each([
    [60, 'error'],
    [61, 'error'],
    [180, 'error'],
    [181, undefined],
  ])('with a word of %s characters have the level %s', async (length, level) => {
    const line = `2026-02-03 04:05:06 ${'x'.repeat(length)} ERROR foo`
    const { events } = await read(`${line}\n`, { format: 'text' })
    expect(JSON.parse(events[0]!).level).toBe(level)
  })
})

describe('lines whose times are written in several ways', () => {
  const lines = [
    '2026-02-03 04:05:06.100 ERROR one',
    '[2026-02-03 04:05:06.200] [WARN] two',
    '2026-02-03 04:05:06.300 three [x] "y"',
    '2026-02-03 04:05:07.4005 ERROR four',
    '2026-02-03 04:05:07 ERROR five',
    '[[2026-02-03 04:05:08.600]] six',
    '[2026-02-03 04:05:08.700 ERROR] seven',
    '2026-02-03 04:05:08.800+01:00 ERROR eight',
    '2026-02-03 04:05:08.850+01:00[Europe/Berlin] ERROR with a name',
    '2026-02-03 04:05:08.900 +01:00 ERROR nine',
    '2026-02-03 04:05:09.000',
    '[2026-02-03 04:05:09.100 10',
  ]

  it('have the events of each line alone, in any order', async () => {
    const options = { format: 'text', lineFormat: TIMED_LINES } as const
    const eventOf = async (line: string) => (await read(`${line}\n`, options)).events[0]
    const alone = new Map(
      await Promise.all(lines.map(async (line) => [line, await eventOf(line)] as const)),
    )
    for (let first = 0; first < lines.length; first++) {
      // Each line follows each other one.
      const order = lines.flatMap((line) => [lines[first]!, line])
      const { events } = await read(`${order.join('\n')}\n`, options)
      expect(events).toEqual(order.map((line) => alone.get(line)))
    }
  })
})

describe('blocks that were asked for', () => {
  const options = { format: 'text', lineFormat: BLOCKS } as const

  it('need no times', async () => {
    const text = 'Name: Ann\nPhone: 1\nCity: Bern\n\nName: Bob\nPhone: 2\nCity: Basel\n'
    const { events } = await read(text, options)
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { Name: 'Ann', Phone: 1, City: 'Bern' },
      { Name: 'Bob', Phone: 2, City: 'Basel' },
    ])
  })

  it('may be a single one', async () => {
    const { events } = await read('Name: Ann\nTime: 2026-02-03T04:05:06Z\n', options)
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { _time: '2026-02-03T04:05:06Z', Name: 'Ann' },
    ])
  })

  it('are rejected when no line begins one', async () => {
    await expect(read('root:x:0\ndaemon:x:1\n', options)).rejects.toThrow('has no blocks')
    expect((await read('', options)).events).toEqual([])
  })
})
