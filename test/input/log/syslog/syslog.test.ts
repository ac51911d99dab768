import { describe, expect, it } from 'vitest'
import { parseTimestamp } from '../../../../src/wire/time/timestamp.js'
import { event as eventOf, read } from '../support.js'

const event = (line: string | Buffer) => eventOf(line, { format: 'syslog' })

describe('RFC 5424 syslog', () => {
  // The examples of section 6.5.
  it('is read without structured data', async () => {
    const line =
      "<34>1 2003-10-11T22:14:15.003Z mymachine.example.com su - ID47 - \ufeff'su root' failed for lonvick on /dev/pts/8"
    expect((await read(line, {})).events).toEqual([
      `{"priority":34,"facility":"auth","severity":"crit","level":"critical","_time":"2003-10-11T22:14:15.003Z","host":"mymachine.example.com","app":"su","msg_id":"ID47","message":"'su root' failed for lonvick on /dev/pts/8"}`,
    ])
  })

  it('is read with a process id and without a message id', async () => {
    const line =
      "<165>1 2003-08-24T05:14:15.000003-07:00 192.0.2.1 myproc 8710 - - %% It's time to make the do-nuts."
    expect(await event(line)).toEqual({
      priority: 165,
      facility: 'local4',
      severity: 'notice',
      level: 'notice',
      _time: '2003-08-24T12:14:15.000003Z',
      host: '192.0.2.1',
      app: 'myproc',
      pid: 8710,
      message: "%% It's time to make the do-nuts.",
    })
  })

  it('is read with empty values, as syslog-pro writes them', async () => {
    expect(await event('<187>1 2026-11-26T07:03:52+00:00 h  - - - failed')).toEqual({
      priority: 187,
      facility: 'local7',
      severity: 'err',
      level: 'error',
      _time: '2026-11-26T07:03:52Z',
      host: 'h',
      message: 'failed',
    })
    expect(await event('<13>1 -     - m')).toMatchObject({ priority: 13, message: 'm' })
  })

  it('is read with structured data', async () => {
    const line =
      '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"] \ufeffAn application event log entry...'
    expect(await event(line)).toMatchObject({
      structured_data: {
        'exampleSDID@32473': { iut: 3, eventSource: 'Application', eventID: 1011 },
      },
      message: 'An application event log entry...',
    })
  })

  it('is read with the pairs that Check Point writes in place of structured data', async () => {
    const line = String.raw`<134>1 2026-11-20T10:00:00Z fw1 CheckPoint 1234 - [action:"Drop"; s_port:"53"; rule:"a \"b\" ]"]`
    expect(await event(line)).toMatchObject({
      host: 'fw1',
      structured_data: { action: 'Drop', s_port: 53, rule: 'a "b" ]' },
    })
  })

  it('is read with structured data and no message', async () => {
    const line =
      '<165>1 2003-10-11T22:14:15.003Z mymachine.example.com evntslog - ID47 [exampleSDID@32473 iut="3" eventSource="Application" eventID="1011"][examplePriority@32473 class="high"]'
    const found = await event(line)
    expect(found).toMatchObject({
      structured_data: { 'examplePriority@32473': { class: 'high' } },
    })
    expect(found).not.toHaveProperty('message')
  })

  it('is one object for an id that is repeated', async () => {
    const line = `<13>1 - h a - - ${'[x a="b" c="1"]'.repeat(500)}[y d="e"][x f="g"] text`
    const x = { a: Array(500).fill('b'), c: Array(500).fill(1), f: 'g' }
    const { events } = await read(line, { format: 'syslog' })
    expect(JSON.parse(String(events[0]))).toMatchObject({
      structured_data: { x, y: { d: 'e' } },
      message: 'text',
    })
    // Otherwise the event would be read key by key.
    expect(String(events[0]).match(/"x":/g)).toHaveLength(1)
  })

  it('is read with escapes and repeated names', async () => {
    const line = String.raw`<13>1 - - - - - [a k="q \" b \\ c \] n \n" ip="1.1.1.1" ip="2.2.2.2"][b] m`
    expect(await event(line)).toMatchObject({
      structured_data: { a: { k: 'q " b \\ c ] n \\n', ip: ['1.1.1.1', '2.2.2.2'] }, b: {} },
      message: 'm',
    })
  })

  it.each([
    ['<34>1 2003-10-11T22:14:15.003Z host', 'its RFC 5424 header is incomplete'],
    ['<34>1 yesterday host app - - - m', '`yesterday` is not an RFC 3339 time'],
    ['<34>1 - host app - - [a k="v" m', 'its structured data is malformed'],
    ['<34>1 - host app - - [a k="v"]m', 'no space follows its structured data'],
  ])('is stored as a message when truncated: %s', async (line, reason) => {
    const { events, unmatched } = await read(line, { format: 'syslog' })
    expect(events.map((text) => JSON.parse(text).message)).toEqual([line])
    expect(unmatched).toEqual([{ events: 1, first: { line: 1, reason, text: line } }])
  })
})

describe('RFC 3164 syslog', () => {
  // The examples of section 5.4, those with a valid header first.
  it('is read with a tag', async () => {
    const line = "<34>Oct 11 22:14:15 mymachine su: 'su root' failed for lonvick on /dev/pts/8"
    expect(await event(line)).toEqual({
      priority: 34,
      facility: 'auth',
      severity: 'crit',
      level: 'critical',
      _time: '2025-10-11T22:14:15Z',
      host: 'mymachine',
      app: 'su',
      message: "'su root' failed for lonvick on /dev/pts/8",
    })
  })

  it('is read without a tag', async () => {
    expect(await event('<13>Feb  5 17:32:18 10.0.0.99 Use the BFG!')).toMatchObject({
      _time: '2026-02-05T17:32:18Z',
      host: '10.0.0.99',
      message: 'Use the BFG!',
    })
  })

  it.each([
    ['Use the BFG!', 'Use the BFG!'],
    [
      "1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]: That's All Folks!",
      "1990 Oct 22 10:52:01 TZ-6 scapegoat.dmz.example.org 10.1.2.3 sched[0]: That's All Folks!",
    ],
  ])('is all message after a priority without a time: %s', async (rest, message) => {
    expect(await event(`<0>${rest}`)).toEqual({
      priority: 0,
      facility: 'kern',
      severity: 'emerg',
      level: 'emergency',
      message,
    })
  })

  it.each([
    ['Jan 31 10:00:00 host app[123]: m', { app: 'app', pid: 123, host: 'host', message: 'm' }],
    ['Jan 31 10:00:00 host app[a-1] m: x', { app: 'app', pid: 'a-1', message: 'm: x' }],
    ['Jan 31 10:00:00 app[7]: m', { app: 'app', pid: 7, message: 'm' }],
    ['Jan 31 10:00:00.125 host kernel: [ 1.0] m', { app: 'kernel', message: '[ 1.0] m' }],
    ['Jan  1 2020 10:00:00 host a: m', { _time: '2020-01-01T10:00:00Z' }],
    ['2020-01-01T10:00:00.123456+0100 host a: m', { _time: '2020-01-01T09:00:00.123456Z' }],
    ['Jan 31 10:00:00 host a:  two spaces', { message: ' two spaces' }],
  ])('is read as programs write it to files: %s', async (line, fields) => {
    const found = await event(line)
    expect(found).toMatchObject(fields)
    expect(found).not.toHaveProperty('priority')
  })

  it.each([
    ['2026-03-01T12:00:00Z', 'Mar  1 11:59:59', '2026-03-01T11:59:59Z'],
    ['2026-01-01T00:00:10Z', 'Dec 31 23:59:59', '2025-12-31T23:59:59Z'],
    ['2025-12-31T23:59:58Z', 'Jan  1 00:00:01', '2026-01-01T00:00:01Z'],
    ['2026-11-20T00:00:00Z', 'Feb  5 00:00:00', '2026-02-05T00:00:00Z'],
    ['2026-03-01T12:00:00Z', 'Feb 29 00:00:00', '2024-02-29T00:00:00Z'],
  ])('gets its year from the current time, %s', async (now, written, time) => {
    const line = `${written} host app: m`
    const found = await eventOf(line, { format: 'syslog', now: parseTimestamp(now)! })
    expect(found).toMatchObject({ _time: time })
  })

  it('is stored as a message without a priority and a time', async () => {
    const reason = 'it begins with neither a priority nor a time'
    expect(await read('<192>m\n<13>ok\nOct 32 00:00:00 h a: m', { format: 'syslog' })).toEqual({
      events: [
        '{"message":"<192>m"}',
        '{"priority":13,"facility":"user","severity":"notice","level":"notice","message":"ok"}',
        '{"message":"Oct 32 00:00:00 h a: m"}',
      ],
      problems: [],
      unmatched: [{ events: 2, first: { line: 1, reason, text: '<192>m' } }],
    })
  })
})

describe('syslog with octet counting', () => {
  it('may have line ends in a message, and frames on the same line', async () => {
    const input = '16 <13>first\nsecond8 <13>ünï\n<13>line\n9 <13>last'
    // `ünï` has five bytes, and bytes are counted.
    const { events, problems } = await read(input.replace('8 <13>ü', '9 <13>ü'), {
      format: 'syslog',
    })
    expect(events.map((text) => JSON.parse(text).message)).toEqual(['first\nsecond', 'ünï', 'line'])
    expect(problems).toEqual(['4: the input ends in the middle of its last message'])
  })

  it('may end with a message of one byte', async () => {
    const { events, problems } = await read('9 <13>first1 <', { format: 'syslog' })
    expect(events.map((text) => JSON.parse(text).message)).toEqual(['first', '<'])
    expect(problems).toEqual([])
  })
})

it('keeps the time of a line as a field when another one is the event time', async () => {
  const line = 'Feb  5 17:32:18 web1 app[1]: up\n'
  const { events } = await read(line, { format: 'syslog', findsTime: false })
  expect(JSON.parse(events[0]!)).toEqual({
    time: '2026-02-05T17:32:18Z',
    host: 'web1',
    app: 'app',
    pid: 1,
    message: 'up',
  })
})
