import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { batches } from '../../../src/input/batches.js'
import { BufferPool } from '../../../src/input/buffer-pool.js'
import type { ByteSource } from '../../../src/input/byte-source.js'
import { streamBytes } from '../../../src/input/byte-source.js'
import { detectInput } from '../../../src/input/input.js'
import { parseTimeFormat } from '../../../src/wire/time/time-format.js'
import { parseTimestamp } from '../../../src/wire/time/timestamp.js'
import { read } from './support.js'

const PANIC = 'panic: out of range'

async function timesOf(input: string, options = {}): Promise<readonly (readonly unknown[])[]> {
  const { events } = await read(input, options)
  return events.map((text) => {
    const { _time, message } = JSON.parse(text)
    return [_time, message]
  })
}

describe('an event without a time', () => {
  const clf = (second: number) =>
    `1.1.1.1 - - [20/Feb/2026:10:00:0${second} +0000] "GET / HTTP/1.1" 200 1`
  const at = (second: number) => `2026-02-20T10:00:0${second}+00:00`

  it.each([1, 2, 100])(
    'gets the time of the event in front of it, or of the first one, in batches of %i',
    async (maxEvents) => {
      const lines = ['starting', clf(1), 'reloading', 'ready', clf(2), PANIC]
      expect(await timesOf(lines.join('\n'), { format: 'clf', maxEvents })).toEqual([
        [at(1), 'starting'],
        [at(1), undefined],
        [at(1), 'reloading'],
        [at(1), 'ready'],
        [at(2), undefined],
        [at(2), 'panic: out of range'],
      ])
    },
  )

  it('gets the time of the first event of several lines', async () => {
    const record = (second: number) =>
      `<record>\n  <date>2026-02-20T10:00:0${second}Z</date>\n  <level>INFO</level>\n  <message>served</message>\n</record>\n`
    const header = '<?xml version="1.0"?>\n<!DOCTYPE log SYSTEM "logger.dtd">\n<log>\n'
    const text = `${header}${[1, 2, 3].map(record).join('')}</log>\n`
    expect(await timesOf(text)).toEqual([
      ['2026-02-20T10:00:01Z', header.trimEnd()],
      ['2026-02-20T10:00:01Z', 'served'],
      ['2026-02-20T10:00:02Z', 'served'],
      ['2026-02-20T10:00:03Z', 'served'],
    ])
  })

  it('keeps a time that it has as a field', async () => {
    const lines = ['ts=2026-02-20T10:00:01Z msg=a', '_time=2026-02-20T10:00:02Z msg=b', 'msg=c']
    const { events } = await read(lines.join('\n'), { format: 'logfmt' })
    expect(events.map((text) => JSON.parse(text)._time)).toEqual([
      '2026-02-20T10:00:01Z',
      '2026-02-20T10:00:02Z',
      '2026-02-20T10:00:01Z',
    ])
  })

  it('has none when another field is named as the event time, and in a log without times', async () => {
    const { events } = await read(`starting\n${clf(1)}\n`, { format: 'clf', findsTime: false })
    expect(events.map((text) => JSON.parse(text)._time)).toEqual([undefined, undefined])
    expect(await timesOf('one\ntwo\n', { format: 'text' })).toEqual([
      [undefined, 'one'],
      [undefined, 'two'],
    ])
  })
})

describe('a line that is not an object', () => {
  it.each([
    ['_time', '"2026-02-20T10:00:01Z"', '"2026-02-20T10:00:02Z"'],
    ['ts', '1771581601.5', '1771581602.5'],
    ['@timestamp', '"2026-02-20T10:00:01Z"', '"2026-02-20T10:00:02Z"'],
  ])('gets the field `%s` of the object in front of it', async (key, first, second) => {
    const object = (n: number, time: string) =>
      `{"n":${n},"${key}":${time},"level":"info","msg":"served ${n}"}`
    const lines = ['starting', object(1, first), 'reloading', object(2, second), PANIC]
    for (const maxEvents of [1, 2, 100]) {
      const { events } = await read(lines.join('\n'), { findsTimeField: true, maxEvents })
      expect(events.map((text) => JSON.parse(text)[key])).toEqual(
        [first, first, first, second, second].map((time) => JSON.parse(time)),
      )
      expect(events.at(-1)).toContain('panic: out of range')
    }
  })

  it.each(['_time', 'ts'])('gets the field `%s` of an object among lines of text', async (key) => {
    const object = (second: number) => `{"n":${second},"${key}":"2026-02-20T10:00:0${second}Z"}`
    const crash = `${PANIC}\n\ngoroutine 1 [running]:\nmain.main()\n\t/app/main.go:3 +0x1d`
    const lines = [object(1), object(2), crash]
    for (const maxEvents of [1, 2, 100]) {
      const { events } = await read(lines.join('\n'), { findsTimeField: true, maxEvents })
      expect(JSON.parse(events[2]!)).toMatchObject({
        _time: '2026-02-20T10:00:02Z',
        message: crash,
      })
    }
  })

  it.each([
    ['no format', {}, '"2026-02-20T10:00:01Z"', ['"-"', '"20.02.2026"', '{"s":1}', '-1e30']],
    ['a format', { timeFieldFormat: parseTimeFormat('02.01.2006') }, '"20.02.2026"', ['"-"', '7']],
  ])('gets no time that cannot be read, with %s', async (_, options, time, unreadable) => {
    for (const other of unreadable) {
      const objects = [`{"n":1,"_time":${time}}`, `{"n":2,"_time":${other}}`]
      for (const maxEvents of [1, 2, 100])
        for (const lines of [objects, objects.toReversed()]) {
          const text = [...lines, 'stopped'].join('\n')
          const { events } = await read(text, { ...options, maxEvents })
          expect(events[2]).toBe(`{"message":"stopped","_time":${time}}`)
        }
    }
  })

  it('gets a time in an object of its own, and no time when the objects have none', async () => {
    const nested = (second: number) =>
      `{"event":{"created":"2026-02-20T10:00:0${second}Z"},"message":"a ${second}"}`
    const { events } = await read(`${nested(1)}\n${nested(2)}\nstopped\n`, { findsTimeField: true })
    expect(JSON.parse(events[2]!)).toEqual({
      message: 'stopped',
      event: { created: '2026-02-20T10:00:02Z' },
    })
    const untimed = await read('{"a":1}\n{"a":2}\nstopped\n', {})
    expect(untimed.events[2]).toBe('{"message":"stopped"}')
  })
})

describe('a log that is read while it is written', () => {
  /** Returns the events of parts of a pipe, each of which arrives at a time. */
  async function live(
    parts: readonly (readonly [time: string, text: string])[],
  ): Promise<readonly string[]> {
    const stream = new PassThrough()
    let now = 0n
    const bytes: ByteSource = streamBytes(stream)
    const queue = [...parts]
    const write = () => {
      const [time, text] = queue.shift() ?? []
      if (time === undefined) return stream.end()
      now = parseTimestamp(time)!
      return stream.write(text)
    }
    write()
    const opened = { name: 'pipe', bytes, isLive: true }
    const input = await detectInput(opened, { now: () => now, format: 'clf' })
    const found: string[] = []
    const limits = { pool: new BufferPool(64 * 1024), maxEvents: 100, flushMs: 20 }
    for await (const item of batches(input, limits)) {
      if (item.kind !== 'batch') continue
      const lines = item.body.toString().trimEnd().split('\n')
      found.push(...lines.map((line) => JSON.parse(line)._time))
      item.release()
      write()
    }
    return found
  }

  const line = (clock: string) =>
    `1.1.1.1 - - [20/Feb/2026:${clock} +0000] "GET / HTTP/1.1" 200 1\n`

  it('gives lines without a time the time of arrival', async () => {
    expect(
      await live([
        ['2026-02-20T10:00:01Z', `${line('10:00:00')}reloading\n`],
        ['2026-02-20T11:00:00Z', 'waiting\n'],
        ['2026-02-20T12:00:00Z', 'ready\n'],
        ['2026-02-20T12:00:05Z', `${line('12:00:05')}stopping\n`],
      ]),
    ).toEqual([
      '2026-02-20T10:00:00+00:00',
      '2026-02-20T10:00:00+00:00',
      '2026-02-20T11:00:00Z',
      '2026-02-20T12:00:00Z',
      '2026-02-20T12:00:05+00:00',
      '2026-02-20T12:00:05+00:00',
    ])
  })

  it('gives lines without a time in an old log the time of the line in front', async () => {
    expect(
      await live([
        ['2026-02-25T10:00:01Z', line('10:00:00')],
        ['2026-02-25T12:00:00Z', 'ready\n'],
      ]),
    ).toEqual(['2026-02-20T10:00:00+00:00', '2026-02-20T10:00:00+00:00'])
  })
})
