import { describe, expect, it } from 'vitest'
import type { LineFormat } from '../../../../src/input/log/format/line-format.js'
import { cut } from '../../support.js'
import { batchesOf, NOW, read } from '../support.js'

const format = (name: string, ...patterns: readonly string[]): LineFormat => ({
  name,
  title: name,
  example: '',
  patterns,
  isCustom: true,
})

const APP = format('app', '"[" time "] " level " " took:long "ms " message')

const LINES = `[2026-02-01 10:00:00.5] WARN 12ms slow
[2026-02-01 10:00:01.5] INFO x1ms ok
\tat once
garbage
[2026-02-01 10:00:02.5] INFO 1ms done`

const EVENTS = [
  '{"_time":"2026-02-01T10:00:00.5Z","level":"warn","took":12,"message":"slow"}',
  '{"_time":"2026-02-01T10:00:01.5Z","level":"info","took":"x1","message":"ok\\n\\tat once"}',
  '{"message":"garbage","_time":"2026-02-01T10:00:01.5Z"}',
  '{"_time":"2026-02-01T10:00:02.5Z","level":"info","took":1,"message":"done"}',
]

describe('a custom format', () => {
  it('reads the events of an input, and counts lines that do not match', async () => {
    const { events, unmatched } = await read(LINES, { format: 'text', lineFormat: APP })
    expect(events).toEqual(EVENTS)
    expect(unmatched).toEqual([
      { events: 1, first: { line: 4, reason: 'it does not match `app`', text: 'garbage' } },
    ])
  })

  it('describes the time', async () => {
    const [batch] = batchesOf(await cut(LINES, { format: 'text', lineFormat: APP, now: NOW }))
    expect(batch).toMatchObject({
      formatName: 'app',
      lineTime: {
        kind: 'found',
        layout: 'start:iso',
        example: '2026-02-01 10:00:00.5',
        hasYear: true,
        hasZone: false,
      },
    })
  })

  it('leaves the time to a field that was named', async () => {
    const options = { format: 'text', lineFormat: APP, findsTime: false } as const
    const { events } = await read('[2026-02-01 10:00:00] INFO 1ms x', options)
    expect(events).toEqual(['{"time":"2026-02-01 10:00:00","level":"info","took":1,"message":"x"}'])
  })

  it('is detected if most lines match', async () => {
    const lines = LINES.replace('garbage\n', '')
    const { events } = await read(lines, { formats: [format('other', '"#" a'), APP] })
    expect(events).toEqual(EVENTS.filter((event) => !event.includes('garbage')))
    const few = await read(LINES.replace(/took|\d+ms/g, ''), { formats: [APP] })
    expect(few.events.join()).not.toContain('"took"')
  })

  it('precedes built-in formats, but not JSON', async () => {
    const formats = [format('pairs', '"ts=" ts " n=" n:long'), format('any', '(?<all>.+)')]
    expect((await read('ts=2026-02-01T10:00:00Z n=1', { formats })).events).toEqual([
      '{"_time":"2026-02-01T10:00:00Z","n":1}',
    ])
    expect((await read('{"a":1}', { formats })).events).toEqual(['{"a":1}'])
  })

  it('has several patterns, of which the first that matches counts', async () => {
    const lineFormat = format('two', 'a:long', '%{WORD:b} (?<c>\\d)')
    const { events } = await read('x 1\n7 8', { format: 'text', lineFormat })
    expect(events).toEqual(['{"a":"x 1"}', '{"a":"7 8"}'])
    const other = format('two', '^(?<a:long>\\d+)$', '%{WORD:b} (?<c>\\d)')
    expect((await read('x 1\n7', { format: 'text', lineFormat: other })).events).toEqual([
      '{"b":"x","c":"1"}',
      '{"a":7}',
    ])
  })

  it('reads the text in the lines of a container, unless only the lines themselves match', async () => {
    const lines = [
      '2026-02-01T10:00:00.5Z stdout F WARN 12ms slow',
      '2026-02-01T10:00:01.5Z stderr F INFO 1ms ok',
    ].join('\n')
    const inner = format('inner', 'level " " took:long "ms " message')
    for (const options of [{ format: 'text', lineFormat: inner }, { formats: [inner] }] as const) {
      expect((await read(lines, options)).events).toEqual([
        '{"_time":"2026-02-01T10:00:00.5Z","stream":"stdout","level":"warn","took":12,"message":"slow"}',
        '{"_time":"2026-02-01T10:00:01.5Z","stream":"stderr","level":"info","took":1,"message":"ok"}',
      ])
    }
    const whole = format('whole', '%{NOTSPACE:time} %{WORD:from} F %{GREEDYDATA:text}')
    const { events } = await read(lines, { format: 'text', lineFormat: whole })
    expect(events[0]).toBe(
      '{"_time":"2026-02-01T10:00:00.5Z","from":"stdout","text":"WARN 12ms slow"}',
    )
  })
})
