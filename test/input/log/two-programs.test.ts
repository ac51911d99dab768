import { expect, it } from 'vitest'
import { alone, mixed, readMix } from './mix.js'
import { SAMPLES, type Sample } from './sample.js'
import { read } from './support.js'

/** Logs whose events begin with a time, a pair or the line of a request. */
const NAMES = [
  'java/cassandra',
  'java/elasticsearch',
  'java/hdfs',
  'java/laravel',
  'java/log4j',
  'java/spring-boot',
  'java/tomcat',
  'lang/celery',
  'lang/go-log',
  'lang/gunicorn',
  'lang/klog',
  'lang/logfmt',
  'lang/logrus-text',
  'lang/php-error',
  'lang/python-logging',
  'lang/rust-env-logger',
  'lang/rust-tracing',
  'lang/serilog-file',
  'lang/slog-text',
  'more/gin',
  'more/odoo',
  'more/sidekiq',
  'more/unbound',
  'more/zap-console',
  'server/mysql-8',
  'server/nginx-error',
  'server/postgresql',
  'server/redis',
  'server/syslog',
]
/** Each log is mixed with the logs that follow it in the list at these distances. */
const DISTANCES = [1, 5, 12, 20]
/** Fewer events of a program may be lines of the other one. */
const LEAST_EVENTS = 9

const LOGS = NAMES.map((name) => SAMPLES.find((sample) => sample.name === name)!)
const PAIRS: readonly (readonly [Sample, Sample])[] = LOGS.flatMap((one, at) =>
  DISTANCES.map((distance) => [one, LOGS[(at + distance) % LOGS.length]!] as const),
)

it.each(PAIRS.map(([one, other]) => ({ one, other })))(
  'reads $one.name and $other.name in one log as in two',
  async ({ one, other }) => {
    const { log, events } = mixed(await enoughOf(one), await enoughOf(other))
    expect(await readMix(log)).toEqual(events)
  },
)

/** Logs whose events have no date, and certain beginnings. */
const UNDATED = [
  'java/logback',
  'lang/dotnet',
  'lang/logrus-terminal',
  'lang/python-basic',
  'lang/serilog-text',
  'lang/uvicorn',
  'more/minecraft',
  'services/coredns',
  'services/elixir-13',
  'tools/maven',
]
const UNDATED_PAIRS = UNDATED.flatMap((name, at) =>
  DISTANCES.map((distance) => ({
    one: LOGS[(3 * at + distance) % LOGS.length]!,
    other: SAMPLES.find((sample) => sample.name === name)!,
  })),
)

it.each(UNDATED_PAIRS)(
  'reads $other.name, which has no dates, in a log of $one.name as in two logs',
  async ({ one, other }) => {
    const { log, events } = mixed(await enoughOf(one), await enoughOf(other))
    const found = await readMix(log)
    let before: unknown
    const expected = [...events].map(([line, event]) => {
      before = event._time ?? before
      return [line, { ...event, _time: before }] as const
    })
    expect(found).toEqual(new Map(expected))
  },
)

async function enoughOf(sample: Sample) {
  const events = await alone(sample)
  return Array.from({ length: Math.ceil(LEAST_EVENTS / events.length) }, () => events).flat()
}

const REQUEST = '10.0.0.1 - - [20/Feb/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5\n'

it('keeps the trace of an application whole in an access log, and other lines apart', async () => {
  const trace =
    '2026-02-20 10:00:01,000 ERROR [main] a.B - failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)\nCaused by: d\n'
  const log = `${REQUEST.repeat(3)}${trace}${REQUEST}${trace}${REQUEST}stray one\nstray two\n`
  const { events } = await read(log, {})
  const messages = events.map((text) => JSON.parse(text).message)
  expect(messages.filter((message) => message?.endsWith('Caused by: d'))).toHaveLength(2)
  expect(messages.slice(-2)).toEqual(['stray one', 'stray two'])
  expect(events).toHaveLength(9)
})

it('reads three programs in one log, in any order', async () => {
  const programs = [
    REQUEST,
    '2026-02-20 10:00:01,000 ERROR [main] a.B - failed\njava.io.IOException: no\n\tat a.B.c(B.java:1)\n',
    'time=2026-02-20T10:00:02Z level=error msg="slow"\n',
  ]
  for (const first of [0, 1, 2]) {
    const order = [first, (first + 1) % 3, first, (first + 2) % 3, first, (first + 1) % 3]
    const log = [...order, ...order, ...order].map((at) => programs[at]).join('')
    const { events } = await read(log, {})
    const levels = events.map((text) => JSON.parse(text).level)
    expect(levels, `program ${first} first`).toEqual(
      [...order, ...order, ...order].map((at) => (at === 0 ? undefined : 'error')),
    )
  }
})

it('reads lines of Go beside pairs, and their panics', async () => {
  const log = [
    'time=2026-02-20T10:00:00Z level=info msg="listening"',
    '2026/02/20 10:00:01 http: TLS handshake error',
    'time=2026-02-20T10:00:02Z level=warn msg="slow"',
    '2026/02/20 10:00:03 http: panic serving 1.2.3.4: nil',
    'goroutine 5 [running]:',
    'main.f()',
    '\t/a/b.go:1 +0x1',
    'time=2026-02-20T10:00:04Z level=info msg="done"',
    '',
  ].join('\n')
  const { events } = await read(log, {})
  expect(events.map((text) => JSON.parse(text)._time)).toEqual(
    [0, 1, 2, 3, 4].map((second) => expect.stringContaining(`2026-02-20T10:00:0${second}`)),
  )
  expect(JSON.parse(events[3]!).message).toContain('/a/b.go:1 +0x1')
})
