import { describe, expect, it } from 'vitest'
import { event as eventOf, read } from './support.js'

const event = (line: string | Buffer) => eventOf(line, { format: 'clf' })
const AT = '[10/Oct/2000:13:55:36 -0700]'

describe('a web server log', () => {
  // Both from https://httpd.apache.org/docs/2.4/logs.html
  it('is read in the common format', async () => {
    const line = `127.0.0.1 - frank ${AT} "GET /apache_pb.gif HTTP/1.0" 200 2326`
    expect((await read(line, {})).events).toEqual([
      '{"_time":"2000-10-10T13:55:36-07:00","remote_addr":"127.0.0.1","user":"frank","method":"GET","path":"/apache_pb.gif","protocol":"HTTP/1.0","status":200,"bytes":2326}',
    ])
  })

  it('is read in the combined format', async () => {
    const line = `127.0.0.1 - frank ${AT} "GET /apache_pb.gif HTTP/1.0" 200 2326 "http://www.example.com/start.html" "Mozilla/4.08 [en] (Win98; I ;Nav)"`
    expect(await event(line)).toEqual({
      _time: '2000-10-10T13:55:36-07:00',
      remote_addr: '127.0.0.1',
      user: 'frank',
      method: 'GET',
      path: '/apache_pb.gif',
      protocol: 'HTTP/1.0',
      status: 200,
      bytes: 2326,
      referer: 'http://www.example.com/start.html',
      user_agent: 'Mozilla/4.08 [en] (Win98; I ;Nav)',
    })
  })

  it('has no fields for missing values', async () => {
    const line = `::1 - - ${AT} "-" 408 - "-" "-"`
    expect(await event(line)).toEqual({
      _time: '2000-10-10T13:55:36-07:00',
      remote_addr: '::1',
      status: 408,
    })
  })

  it('may have values after the user agent, as in nginx', async () => {
    const line = `10.0.0.1 - - ${AT} "GET / HTTP/2.0" 200 1 "-" "curl/8" "203.0.113.7, 10.1.1.1" 0.005 -`
    expect(await event(line)).toMatchObject({
      user_agent: 'curl/8',
      extra: ['203.0.113.7, 10.1.1.1', '0.005', '-'],
    })
    const nothing = `10.0.0.1 - - ${AT} "GET / HTTP/2.0" 200 1 "-" "curl/8" "-"`
    expect(await event(nothing)).not.toHaveProperty('extra')
  })

  it('may begin with the virtual host', async () => {
    const line = `www.example.com:443 2001:db8::1 - bob ${AT} "GET / HTTP/1.1" 200 12`
    expect(await event(line)).toMatchObject({
      vhost: 'www.example.com:443',
      remote_addr: '2001:db8::1',
      user: 'bob',
    })
  })

  it.each([
    [String.raw`GET /a\"b HTTP/1.1`, { method: 'GET', path: '/a"b', protocol: 'HTTP/1.1' }],
    [String.raw`GET /a\\ HTTP/1.1`, { path: '/a\\' }],
    [String.raw`GET /caf\xc3\xa9 HTTP/1.1`, { path: '/café' }],
    [String.raw`GET /caf\xe9 HTTP/1.1`, { path: '/café' }],
    [String.raw`\x16\x03\x01`, { request: '\x16\x03\x01' }],
    ['GET /with a space HTTP/1.1', { path: '/with a space', protocol: 'HTTP/1.1' }],
    ['GET /', { method: 'GET', path: '/' }],
    ['M-SEARCH * HTTP/1.1', { method: 'M-SEARCH', path: '*' }],
  ])('has the request %s', async (request, fields) => {
    expect(await event(`1.2.3.4 - - ${AT} "${request}" 200 5`)).toMatchObject(fields)
  })

  it('may have names with spaces, fractional seconds and text that is not UTF-8', async () => {
    const line = '1.2.3.4 - a b [10/Oct/2000:13:55:36.123456789 +0530] "GET /\xe9 HTTP/1.1" 200 5'
    expect(await event(Buffer.from(line, 'latin1'))).toMatchObject({
      _time: '2000-10-10T13:55:36.123456789+05:30',
      user: 'a b',
      path: '/é',
    })
  })

  it('reports the error of a line and its position', async () => {
    const good = `1.2.3.4 - - ${AT} "GET / HTTP/1.1" 200 5`
    const lines = [
      good,
      'something else',
      '',
      good.replace('Oct', 'Okt'),
      good.replace(' 200 5', ''),
      `${good} "open`,
      good.replace('5', 'five').replace('5', ' 5'),
      good.replace('1.2.3.4 - -', '1.2.3.4'),
      good,
    ]
    const all = await read(lines.join('\r\n'), { format: 'clf' })
    expect(all.events.length).toBe(8)
    expect(all.unmatched).toMatchObject([{ events: 6, first: { line: 2 } }])
    const reasons: (string | undefined)[] = []
    for (const line of lines.filter((text) => text !== '')) {
      const { events, unmatched } = await read(line, { format: 'clf' })
      const [found] = unmatched
      if (found !== undefined) expect(JSON.parse(events[0]!)).toMatchObject({ message: line })
      reasons.push(found?.first.reason)
    }
    expect(reasons).toEqual([
      undefined,
      'it has no `[time] "request"`',
      '`10/Okt/2000:13:55:36 -0700` is not a web server log time',
      'its request is not followed by a status and a number of bytes',
      'a quote after its request is never closed',
      expect.any(String),
      'it does not begin with an address, an identity and a user',
      undefined,
    ])
  })

  it('keeps the time of a line that is malformed after it', async () => {
    const line = `1.2.3.4 - - ${AT} "GET / HTTP/1.1" 200 5 "open`
    expect(await event(line)).toEqual({ _time: '2000-10-10T13:55:36-07:00', message: line })
  })
})

it('keeps the time of a line as a field when another one is the event time', async () => {
  const line = '1.1.1.1 - - [10/Oct/2000:13:55:36 -0700] "GET / HTTP/1.0" 200 1\n'
  const { events } = await read(line, { format: 'clf', findsTime: false })
  const found = JSON.parse(events[0]!)
  expect(found).toMatchObject({ time: '2000-10-10T13:55:36-07:00', status: 200 })
  expect(found).not.toHaveProperty('_time')
})
