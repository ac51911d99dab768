import { describe, expect, it } from 'vitest'
import { detectInput } from '../../../../src/input/input.js'
import { inPieces } from '../../support.js'
import { NOW, read } from '../support.js'

const CRI = [
  '2026-11-20T10:00:00.123456789Z stdout F 2026-11-20 10:00:00,120 ERROR [main] com.example.App - Failed',
  '2026-11-20T10:00:00.123456790Z stdout F java.lang.IllegalStateException: boom',
  '2026-11-20T10:00:00.123456791Z stdout F \tat com.example.App.run(App.java:12)',
  '2026-11-20T10:00:01.123456789Z stderr P part one ',
  '2026-11-20T10:00:01.123456790Z stderr F and two',
  '2026-11-20T10:00:02.000000001Z stdout F {"level":"info","msg":"é","n":12345678901234567890}',
  '2026-11-20T10:00:03.000000001+01:00 stdout F 2026-11-20 10:00:03,120 INFO [main] com.example.App - ok',
]
const CRI_EVENTS = [
  {
    _time: '2026-11-20T10:00:00.123456789Z',
    stream: 'stdout',
    level: 'error',
    thread: 'main',
    logger: 'com.example.App',
    time: '2026-11-20 10:00:00,120',
    message: 'Failed\njava.lang.IllegalStateException: boom\n\tat com.example.App.run(App.java:12)',
  },
  { _time: '2026-11-20T10:00:01.123456789Z', stream: 'stderr', message: 'part one and two' },
  '{"_time":"2026-11-20T10:00:02.000000001Z","stream":"stdout","level":"info","msg":"é","n":12345678901234567890}',
  {
    _time: '2026-11-20T10:00:03.000000001+01:00',
    stream: 'stdout',
    level: 'info',
    thread: 'main',
    logger: 'com.example.App',
    time: '2026-11-20 10:00:03,120',
    message: 'ok',
  },
]

const DOCKER = [
  '{"log":"2026-11-20 10:00:00 ERROR failed \\u003cé\\u003e\\u2028\\n","stream":"stdout","time":"2026-11-20T10:00:00.123456789Z"}',
  '{"log":"\\tat x\\n","stream":"stdout","time":"2026-11-20T10:00:00.223456789Z"}',
  '{"log":"2026-11-20 10:00:01 INFO long","stream":"stderr","time":"2026-11-20T10:00:01.123456789Z"}',
  '{"log":" line\\n","stream":"stderr","attrs":{"tag":"x"},"time":"2026-11-20T10:00:01.223456789Z"}',
  '{"log":"{\\"_time\\":\\"2020-01-01\\",\\"stream\\":7}\\n","stream":"stdout","attrs":{"tag":"x"},"time":"2026-11-20T10:00:02Z"}',
]
const DOCKER_EVENTS = [
  {
    _time: '2026-11-20T10:00:00.123456789Z',
    stream: 'stdout',
    level: 'error',
    time: '2026-11-20 10:00:00',
    message: 'failed <é>\u2028\n\tat x',
  },
  {
    _time: '2026-11-20T10:00:01.123456789Z',
    stream: 'stderr',
    level: 'info',
    time: '2026-11-20 10:00:01',
    message: 'long line',
  },
  {
    docker_time: '2026-11-20T10:00:02Z',
    docker_stream: 'stdout',
    attributes: { attrs: { tag: 'x' } },
    _time: '2020-01-01',
    stream: 7,
  },
]

async function eventsOf(lines: readonly string[], end = '\n') {
  const { events, unmatched } = await read(lines.map((line) => line + end).join(''), {})
  expect(unmatched).toEqual([])
  return events
}

describe('the lines of a container', () => {
  it.each(['\n', '\r\n'])('of CRI hold the events of its program; line ends %j', async (end) => {
    const events = await eventsOf(CRI, end)
    expect(events[2]).toBe(CRI_EVENTS[2])
    expect(events.map((text) => JSON.parse(text))).toEqual(
      CRI_EVENTS.map((one) => (typeof one === 'string' ? JSON.parse(one) : one)),
    )
  })

  it('of Docker hold the events of its program', async () => {
    expect((await eventsOf(DOCKER)).map((text) => JSON.parse(text))).toEqual(DOCKER_EVENTS)
  })

  it.each([
    ['2026-11-20T10:00:00Z', '2026-11-20T10:00:00Z'],
    ['2026-11-20T10:00:00.000Z', '2026-11-20T10:00:00Z'],
    ['2026-11-20T10:00:00.120Z', '2026-11-20T10:00:00.12Z'],
    ['2026-11-20T10:00:00.1000000020Z', '2026-11-20T10:00:00.100000002Z'],
    ['2026-11-20T10:00:00.1234567899Z', '2026-11-20T10:00:00.123456789Z'],
    ['2028-02-29T23:59:59.5Z', '2028-02-29T23:59:59.5Z'],
    ['2026-11-20T10:00:00+01:00', '2026-11-20T09:00:00Z'],
    ['2026-02-29T10:00:00Z', undefined],
    ['2026-11-20T24:00:01Z', undefined],
    ['2026-11-20T10:00:000Z', undefined],
    ['2026-13-20T10:00:00Z', undefined],
  ])('hold objects with the time %s', async (written, time) => {
    const line = (ts: string) => `web-1  | {"ts":"${ts}","level":"info","msg":"started"}`
    const others = Array.from({ length: 9 }, () => line('2026-11-20T08:00:00Z'))
    const { events } = await read([...others, line(written)].join('\n'), { findsTimeField: true })
    expect(JSON.parse(events[9]!)._time).toBe(time)
  })

  it.each([
    ['cri', CRI],
    ['docker', DOCKER],
  ])('of %s give the same events from chunks of any size', async (_, lines) => {
    const bytes = Buffer.from(lines.join('\n'))
    const whole = await eventsOf(lines)
    for (const size of [1, 7, 100]) {
      const input = inPieces(bytes, size)
      expect(
        (await detectInput({ name: 'x', bytes: input, isLive: false }, { now: () => NOW })).format,
      ).toBe(_)
      expect((await read(bytes, { batchBytes: size + 8, maxEvents: 1 })).events).toEqual(whole)
    }
  })

  it('are joined up to the end of a line that Docker has split', async () => {
    const part = (text: string) =>
      `{"log":${JSON.stringify(text)},"stream":"stdout","time":"2026-11-20T10:00:00Z"}`
    const long = 'x'.repeat(16_384)
    const [event = '', ...others] = await eventsOf(
      [part('start\n'), part(long), part(long), part('y\n'), part('z\n')].slice(1),
    )
    expect(JSON.parse(event).message).toBe(`${long}${long}y`)
    expect(others.length).toBe(1)
  })
})
