import { describe, expect, it } from 'vitest'
import { cut } from '../support.js'
import { batchesOf, NOW, read } from './support.js'

const json = (second: number, level = 'INFO') =>
  `{"time":"2026-02-20T10:00:0${second}.123Z","level":"${level}","msg":"m${second}"}`
const PANIC = [
  'panic: runtime error: index out of range [3] with length 2',
  '',
  'goroutine 1 [running]:',
  'main.main()',
  '\t/app/main.go:10 +0x1d',
].join('\n')

async function eventsOf(...lines: readonly string[]): Promise<readonly unknown[]> {
  const { events } = await read(`${lines.join('\n')}\n`, {})
  return events.map((event) => JSON.parse(event))
}

describe('a log of JSON', () => {
  it('keeps a banner and the trace of a crash as messages, and reports them', async () => {
    const text = `Starting v1\n  config: /etc/app.yml\n${json(1)}\n${json(2, 'ERROR')}\n${PANIC}\nexit status 2\n`
    const { events, unmatched } = await read(text, {})
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { message: 'Starting v1\n  config: /etc/app.yml' },
      expect.objectContaining({ level: 'info', msg: 'm1' }),
      expect.objectContaining({ level: 'error', msg: 'm2' }),
      { level: 'fatal', message: PANIC },
      { message: 'exit status 2' },
    ])
    expect(unmatched).toMatchObject([{ events: 3, first: { line: 1, text: 'Starting v1' } }])
  })

  it('leaves broken objects to the service, which rejects them', async () => {
    const broken = '{"time":"2026-02-20T10:00:02Z","level":'
    const { events } = await read([json(1), broken, 'bye', json(3)].join('\n'), {})
    expect(events[1]).toBe(broken)
  })

  it('keeps an object apart from lines after a blank line', async () => {
    const object = '{ "time": "2026-02-20T10:00:01Z", "level": "info" }'
    const { events } = await read([json(1, 'info'), 'one', object, '', '  two'].join('\n'), {})
    expect(events.slice(2)).toEqual([object, expect.stringContaining('"message":"  two"')])
  })

  it('is sent as it is when strict', async () => {
    const text = `banner\n${json(1, 'info')}\n${json(2, 'info')}\n`
    const [batch] = batchesOf(await cut(text, { now: NOW, isStrict: true, format: 'ndjson' }))
    expect(batch).toMatchObject({ body: text, events: 3 })
  })

  it('is read without colors, which hide no field', async () => {
    const lines = [json(1), json(2)].map((line) => `\x1b[36m${line}\x1b[0m\n`).join('')
    const [batch] = batchesOf(await cut(lines, { now: NOW, findsTimeField: true }))
    expect(batch).toMatchObject({ timestampField: 'time', events: 2 })
    expect(batch?.body).toContain('"level":"info"')
  })

  it('keeps the position of each event', async () => {
    const text = `one\n  two\n${json(1)}\nthree\n${json(2)}\n`
    const batches = batchesOf(await cut(text, { now: NOW }))
    const sources = batches.flatMap(({ sources = [] }) => sources)
    expect(sources.map(({ line }) => line)).toEqual([1, 3, 4, 5])
    for (const { text: record, offset } of sources) {
      expect(text.slice(offset, offset + record.length)).toBe(record)
    }
  })

  it('joins a trace in a long log, whose first lines are all objects', async () => {
    const objects = Array.from({ length: 6000 }, (_, n) => json(n % 10))
    const { events } = await read(`${objects.join('\n')}\n${PANIC}\n`, {})
    expect(events).toHaveLength(6001)
    expect(JSON.parse(events.at(-1)!)).toEqual({ level: 'fatal', message: PANIC })
  })
})

describe('a log of JSON and text', () => {
  const TEXT = ['2026-02-20 10:00:04,123 ERROR failed', 'ValueError: x']
  const text = {
    _time: '2026-02-20T10:00:04.123Z',
    level: 'error',
    message: 'failed\nValueError: x',
  }
  const object = (n: number) =>
    expect.objectContaining({ _time: `2026-02-20T10:00:0${n}.123Z`, level: 'info', msg: `m${n}` })

  it.each([1, 9])('in the proportion of 1 to %i', async (objects) => {
    const lines = Array.from({ length: objects }, (_, n) => json(n))
    expect(await eventsOf(...lines, ...TEXT)).toEqual([...lines.map((_, n) => object(n)), text])
    const few = Array.from({ length: objects }, () => TEXT).flat()
    expect(await eventsOf(...few, json(1))).toEqual([
      ...few.slice(objects).map(() => text),
      object(1),
    ])
  })

  it('of pairs', async () => {
    const pairs = 'time=2026-02-20T10:00:05Z level=warn msg="a b" n=1'
    expect(await eventsOf('Starting', pairs, json(1), pairs, pairs)).toMatchObject([
      { message: 'Starting' },
      { _time: '2026-02-20T10:00:05Z', level: 'warn', msg: 'a b', n: 1 },
      { _time: '2026-02-20T10:00:01.123Z', msg: 'm1' },
      { msg: 'a b' },
      { msg: 'a b' },
    ])
  })

  it('in which objects are no events is one of text', async () => {
    const lines = ['2026-02-20 10:00:04 INFO response', '{"id":7}', '2026-02-20 10:00:05 INFO done']
    expect(await eventsOf(...lines)).toMatchObject([
      { message: 'response\n{"id":7}' },
      { message: 'done' },
    ])
  })
})
