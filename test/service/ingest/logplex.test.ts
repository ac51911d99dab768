import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Running, run } from '../running.js'
import { rowsOf } from '../stored.js'

let service: Running

beforeAll(async () => {
  service = await run({ token: 'xapt-right' })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

const drain = (body: string | Buffer, dataset: string, headers = {}) =>
  service.send({
    path: `/v1/ingest/${dataset}`,
    headers: { 'content-type': 'application/logplex-1', ...headers },
    body,
  })

const rows = (apl: string) => rowsOf(service, apl)

const frame = (message: string) => `${Buffer.byteLength(message)} ${message}`

describe('a log drain of Heroku', () => {
  it('stores the frames of a request', async () => {
    // The example of Heroku's documentation of HTTPS drains.
    const body =
      '83 <40>1 2012-11-30T06:45:29+00:00 host app web.3 - State changed from starting to up\n' +
      '119 <40>1 2012-11-30T06:45:26+00:00 host app web.3 - Starting process with command `bundle exec rackup config.ru -p 24405`'
    const { status, body: result } = await drain(body, 'example', { 'logplex-msg-count': '2' })
    expect([status, result.ingested, result.failed]).toEqual([200, 2, 0])
    expect(
      await rows(
        "['example'] | sort by _time asc | project _time, host, app, pid, severity, message",
      ),
    ).toEqual([
      [
        ...['2012-11-30T06:45:26Z', 'host', 'app', 'web.3', 'emerg'],
        'Starting process with command `bundle exec rackup config.ru -p 24405`',
      ],
      [
        ...['2012-11-30T06:45:29Z', 'host', 'app', 'web.3', 'emerg'],
        'State changed from starting to up',
      ],
    ])
  })

  it('keeps messages that look like structured data, and has no limit on their bytes but the usual ones', async () => {
    const head = '<190>1 2026-01-01T12:00:00+00:00 host app web.1 - '
    const messages = ['[info] Grüße', '- dash', `${'x'.repeat(70_000)}`]
    await drain(messages.map((message) => frame(head + message)).join(''), 'kept')
    const [first, second, third] = await rows("['kept'] | project message | sort by message asc")
    expect([first, second]).toEqual([['- dash'], ['[info] Grüße']])
    expect(String(third)).toMatch(/^x{65000,65536}$/)
  })

  it('decodes a message that is not UTF-8 as Latin-1, and no other', async () => {
    const head = '<190>1 2026-01-01T12:00:00+00:00 host app web.1 - '
    const messages = [Buffer.from(`${head}größer`, 'latin1'), Buffer.from(`${head}Grüße`)]
    const frames = messages.map((message) =>
      Buffer.concat([Buffer.from(`${message.length} `), message]),
    )
    await drain(Buffer.concat(frames), 'latin1')
    expect(await rows("['latin1'] | project app, message | sort by message asc")).toEqual([
      ['app', 'Grüße'],
      ['app', 'größer'],
    ])
  })

  it.each([
    ['four digits of priority', '<1900>1 - host app web.1 - text'],
    ['three digits of version', '<190>123 - host app web.1 - text'],
    ['an empty word', '<190>1 -  app web.1 - text'],
    ['too few words', '<190>1 - host app web.1'],
  ])('keeps all of a message whose head has %s', async (name, message) => {
    const dataset = name.replaceAll(' ', '-')
    expect((await drain(frame(message), dataset)).body.ingested).toBe(1)
    expect(await rows(`['${dataset}'] | project message`)).toEqual([[message]])
  })

  it('stores a frame once that is delivered again', async () => {
    const headers = { 'logplex-frame-id': 'F1', 'logplex-drain-token': 'd.1' }
    const body = frame('<190>1 2026-01-01T12:00:00+00:00 host app web.1 - once')
    for (const _ of [1, 2]) expect((await drain(body, 'again', headers)).body.ingested).toBe(1)
    expect((await drain(body, 'again', { ...headers, 'logplex-drain-token': 'd.2' })).status).toBe(
      200,
    )
    expect(await rows("['again'] | count")).toEqual([[2]])
  })

  it('is refused with an absurd length, and whatever else it sends is stored', async () => {
    const absurd = await drain('999999999 <190>1 - - - - - x', 'absurd')
    expect([absurd.status, absurd.body.message]).toEqual([
      400,
      'The request body has no frames: a message of 999999999 bytes is announced.',
    ])
    expect((await drain(Buffer.from([0xff, 0, 1, 10, 34, 92]), 'bytes')).status).toBe(200)
    expect((await drain('', 'empty')).body.ingested).toBe(0)
    // NUL and a line feed are among the bytes, and end messages.
    expect(await rows("['bytes'] | count")).toEqual([[3]])
  })
})
