import { describe, expect, it } from 'vitest'
import { event as eventOf, read } from './support.js'

const event = (line: string) => eventOf(line, { format: 'logfmt' })

describe('logfmt', () => {
  it('has strings, numbers, booleans and keys without a value', async () => {
    const line =
      'at=info method=GET path=/ host=mutelight.org fwd="124.133.52.161" dyno=web.2 connect=4ms status=200 bytes=1653 ok=true cached empty='
    expect((await read(line, {})).events).toEqual([
      '{"at":"info","level":"info","method":"GET","path":"/","host":"mutelight.org","fwd":"124.133.52.161","dyno":"web.2","connect":"4ms","status":200,"bytes":1653,"ok":true,"cached":true,"empty":""}',
    ])
  })

  it('has the level that the key lvl or at names, unless it has another one', async () => {
    expect(await event('lvl=warn msg=a')).toEqual({ lvl: 'warn', level: 'warn', msg: 'a' })
    expect(await event('lvl="EROR" msg=a')).toEqual({ lvl: 'EROR', level: 'error', msg: 'a' })
    expect(await event('lvl=7 msg=a')).toEqual({ lvl: 7, msg: 'a' })
    expect(await event('lvl=w msg=a')).toEqual({ lvl: 'w', msg: 'a' })
    expect(await event('lvl=warn level=error')).toEqual({ lvl: 'warn', level: 'error' })
    expect(await event('at=warn msg=a')).toEqual({ at: 'warn', level: 'warn', msg: 'a' })
    expect(await event('at=start msg=a')).toEqual({ at: 'start', msg: 'a' })
  })

  it('keeps numbers as written', async () => {
    const line = 'a=9007199254740993 b=007 c=-1.5 d=1.50 e=12345678901234567890 f="5" g=1e3'
    expect((await read(line, { format: 'logfmt' })).events).toEqual([
      '{"a":9007199254740993,"b":"007","c":-1.5,"d":1.50,"e":"12345678901234567890","f":"5","g":"1e3"}',
    ])
  })

  it.each([
    [String.raw`m="a \"b\" c"`, 'a "b" c'],
    [String.raw`m="tab\tnl\nbs\\"`, 'tab\tnl\nbs\\'],
    [String.raw`m="\u00e9 \x1b[0m \q"`, 'é \x1b[0m \\q'],
    [String.raw`m="\x41 \ud83d\ude00 \u65e5\u672c \udc00"`, 'A 😀 日本 \ufffd'],
    ['m="raw\ttab"', 'raw\ttab'],
    ['m="a=b c=d"', 'a=b c=d'],
    ['m=ünïcode', 'ünïcode'],
    ['m=a=b', 'a=b'],
    ['m=it"s', 'it"s'],
  ])('reads %s', async (line, m) => {
    expect(await event(line)).toEqual({ m })
  })

  it.each([
    ['a=1,b="x, y",c=', { a: 1, b: 'x, y', c: '' }],
    ['a=x y, b=2, c=it "works"', { a: 'x y', b: 2, c: 'it "works"' }],
    ['a=1;b=x y;', { a: 1, b: 'x y' }],
    ['a=1 | b=x y | c=""', { a: 1, b: 'x y', c: '' }],
    ['a=x y\tb=2', { a: 'x y', b: 2 }],
    // A sign is part of a value where other pairs have spaces only, or where the value may hold pairs itself.
    ['a=1, b=2 c=3', { a: '1,', b: 2, c: 3 }],
    ['a=b=1,c=2', { a: 'b=1,c=2' }],
    ['a=1,2 b=3', { a: '1,2', b: 3 }],
  ])('reads the pairs of %s', async (line, fields) => {
    expect(await event(line)).toEqual(fields)
  })

  it.each([
    [
      'ts=2026-01-02T03:04:05.123456789+01:00 a=1',
      { _time: '2026-01-02T03:04:05.123456789+01:00' },
    ],
    ['a=1 time="2026-01-02 03:04:05"', { _time: '2026-01-02 03:04:05' }],
    ['timestamp=1767323045123 a=1', { _time: 1767323045123 }],
    ['time=12 ts=1767323045.5', { time: 12, _time: 1767323045.5 }],
    ['time=12ms a=1', { time: '12ms' }],
    [
      'time=2026-02-30T03:04:05Z ts=2026-01-02T03:04:05Z',
      { time: '2026-02-30T03:04:05Z', _time: '2026-01-02T03:04:05Z' },
    ],
    [
      'time=2026-01-30T24:04:05Z ts="2024-02-29T03:04:05.5+01:00"',
      { time: '2026-01-30T24:04:05Z', _time: '2024-02-29T03:04:05.5+01:00' },
    ],
    ['ts=2026-01-02T03:04:05Z time=2026-01-02T03:04:06Z', { time: '2026-01-02T03:04:06Z' }],
    ['_time=2026-01-02T03:04:05Z ts=1767323045', { _time: '2026-01-02T03:04:05Z', ts: 1767323045 }],
  ])('finds the time in %s', async (line, fields) => {
    expect(await event(line)).toMatchObject(fields)
  })

  it('does not look for the time when another field is named for it', async () => {
    const line = 'ts=2026-01-02T03:04:05Z when=1767323045'
    expect(await eventOf(line, { format: 'logfmt', findsTime: false })).toEqual({
      ts: '2026-01-02T03:04:05Z',
      when: 1767323045,
    })
  })

  it.each([
    ['hello world', 'it has no `key=value` pair'],
    ['a=1 =2', '`=` found where a key is expected'],
    ['a=1 "b"', '`"` found where a key is expected'],
    ['a=1 b"c=2', 'a key contains a quote'],
    ['a="open', 'the quote after `a=` is never closed'],
    ['a="x"y', 'the value of `a` has text after its closing quote'],
  ])('stores %s as a message', async (line, reason) => {
    expect(await read(line, { format: 'logfmt' })).toEqual({
      events: [JSON.stringify({ message: line })],
      problems: [],
      unmatched: [{ events: 1, first: { line: 1, reason, text: line } }],
    })
  })

  it('keeps the time of a line that is malformed after it', async () => {
    expect(await event('ts=2026-01-02T03:04:05Z a="open')).toEqual({
      _time: '2026-01-02T03:04:05Z',
      message: 'ts=2026-01-02T03:04:05Z a="open',
    })
  })
})

describe('a log of pairs', () => {
  const JAVA = ['java.lang.IllegalStateException: é', '\tat a.B.c(B.java:1)', 'Caused by: x.Y: z']
  const GO = [
    'panic: runtime error',
    '',
    'goroutine 1 [running]:',
    'main.main()',
    '\t/app/main.go:10',
  ]

  it('adds a stack trace to the message of the event before it', async () => {
    const pair = 'ts=2026-02-20T10:00:00Z level=error msg="it failed" n=1'
    const lines = [
      'Starting',
      pair,
      ...JAVA,
      pair,
      'Ready',
      'level=info n=2',
      ...GO,
      'n=3 msg=4',
      '  x',
    ]
    const { events, unmatched } = await read(`${lines.join('\n')}\n`, { format: 'logfmt' })
    const time = '2026-02-20T10:00:00Z'
    expect(events.map((event) => JSON.parse(event))).toEqual([
      { _time: time, message: 'Starting' },
      { _time: time, level: 'error', msg: ['it failed', ...JAVA].join('\n'), n: 1 },
      { _time: time, level: 'error', msg: 'it failed', n: 1 },
      { _time: time, message: 'Ready' },
      { _time: time, level: 'info', n: 2, message: GO.join('\n') },
      { _time: time, n: 3, msg: '4\n  x' },
    ])
    expect(unmatched).toMatchObject([{ events: 2, first: { line: 1, text: 'Starting' } }])
  })

  it('keeps each line apart when lines are not joined', async () => {
    const { events } = await read('a=1 msg=x\n  at b\n', { format: 'logfmt', multiline: 'off' })
    expect(events).toEqual(['{"a":1,"msg":"x"}', '{"message":"  at b"}'])
  })
})
