import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../../src/service/auth/grant.js'
import { NOW, type Running, run, type Send } from '../running.js'
import { eventsOf } from '../stored.js'

const stream: Grant = { name: 'stream', personal: false, ingest: ['web'] }

let service: Running
let requests = 0

beforeAll(async () => {
  service = await run({ grants: { 'xaat-stream': stream } })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

interface Delivery {
  readonly dataset: string
  readonly id?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly trusted?: boolean
  readonly send?: Send
}

/** Sends records as Amazon Data Firehose does. */
function deliver(
  records: readonly (string | Buffer)[] | string,
  { dataset, id = `id-${requests++}`, headers = {}, trusted = true, send = service.send }: Delivery,
) {
  const data = (record: string | Buffer) => ({ data: Buffer.from(record).toString('base64') })
  const body =
    typeof records === 'string'
      ? records
      : JSON.stringify({ requestId: id, timestamp: 1578090901599, records: records.map(data) })
  return send({
    path: `/v1/ingest/${dataset}/firehose`,
    headers: {
      'content-type': 'application/json',
      'x-amz-firehose-protocol-version': '1.0',
      'x-amz-firehose-request-id': id,
      ...headers,
    },
    body,
    trusted,
  })
}

const events = (dataset: string) => eventsOf(service, dataset)

const ARRIVAL = '2026-01-01T12:00:00Z'

// The example of AWS's documentation of subscriptions.
const CLOUDWATCH = {
  messageType: 'DATA_MESSAGE',
  owner: '111111111111',
  logGroup: 'CloudTrail/logs',
  logStream: '111111111111_CloudTrail/logs_us-east-1',
  subscriptionFilters: ['RootAccess'],
  logEvents: [
    {
      id: '31953106606966983378809025079804211143289615424298221568',
      timestamp: 1432826855000,
      message: '{"eventVersion":"1.03","owner":"x"}',
    },
    {
      id: '31953106606966983378809025079804211143289615424298221569',
      timestamp: 1432826855001,
      message: 'START RequestId: 1\n',
    },
  ],
}
const STREAM = {
  owner: '111111111111',
  logGroup: 'CloudTrail/logs',
  logStream: '111111111111_CloudTrail/logs_us-east-1',
}

describe('a request of Amazon Data Firehose', () => {
  it('has lines, whose response repeats its id', async () => {
    const records = [
      '{"_time":"2026-01-01T11:00:00Z","n":9007199254740993}\n{"n":2}\r\n\nplain\n',
      gzipSync('{"n":3}'),
    ]
    const headers = {
      'x-amz-firehose-common-attributes': '{"commonAttributes":{"env":"prod","n":"all"}}',
    }
    const {
      status,
      body,
      headers: sent,
    } = await deliver(records, { dataset: 'lines', id: 'ed4acda5', headers })
    expect([status, sent['content-type']]).toEqual([200, 'application/json'])
    expect(body).toEqual({ requestId: 'ed4acda5', timestamp: Number(NOW / 1_000_000n) })
    const found = await events('lines')
    expect(found[0]).toMatchObject({ _time: '2026-01-01T11:00:00Z', env: 'prod', n: 'all' })
    expect(found.slice(1)).toEqual([
      { _time: ARRIVAL, env: 'prod', n: 'all', n_extracted: 2 },
      { _time: ARRIVAL, env: 'prod', n: 'all', message: 'plain' },
      { _time: ARRIVAL, env: 'prod', n: 'all', n_extracted: 3 },
    ])
  })

  it('has log events of CloudWatch', async () => {
    const control = { ...CLOUDWATCH, messageType: 'CONTROL_MESSAGE' }
    const twice =
      JSON.stringify(CLOUDWATCH) +
      JSON.stringify({ ...CLOUDWATCH, logGroup: 'other', logEvents: CLOUDWATCH.logEvents.slice(1) })
    const records = [gzipSync(JSON.stringify(control)), gzipSync(twice)]
    expect((await deliver(records, { dataset: 'cloudwatch' })).status).toBe(200)
    const [first, ...others] = await events('cloudwatch')
    expect(first).toEqual({
      ...STREAM,
      _time: '2015-05-28T15:27:35Z',
      id: CLOUDWATCH.logEvents[0]!.id,
      eventVersion: '1.03',
      owner_extracted: 'x',
    })
    const second = {
      ...STREAM,
      _time: '2015-05-28T15:27:35.001Z',
      id: CLOUDWATCH.logEvents[1]!.id,
      message: 'START RequestId: 1',
    }
    expect(others).toEqual([second, { ...second, logGroup: 'other' }])
  })

  it('is stored once when it is sent again', async () => {
    for (const _ of [1, 2])
      expect((await deliver(['x'], { dataset: 'again', id: 'same' })).status).toBe(200)
    expect((await events('again')).length).toBe(1)
  })

  it('has the token as its access key', async () => {
    const send = async (dataset: string, headers: Readonly<Record<string, string>>) => {
      const { status, body } = await deliver(['x'], { dataset, id: 'r1', headers, trusted: false })
      return [status, body]
    }
    const failure = (errorMessage: string) => ({
      requestId: 'r1',
      timestamp: expect.any(Number),
      errorMessage,
    })
    const key = { 'x-amz-firehose-access-key': 'xaat-stream' }
    expect((await send('web', key))[0]).toBe(200)
    expect(await send('secret', key)).toEqual([
      403,
      failure('The token `stream` does not allow ingest into `secret`.'),
    ])
    expect(await send('web', { 'x-amz-firehose-access-key': 'wrong' })).toEqual([
      403,
      failure('The token is unknown to this service.'),
    ])
    // Another header would hide which token counts.
    expect((await send('web', { ...key, authorization: 'Bearer wrong' }))[0]).toBe(403)
  })

  it('reports rejected events without having the others sent again', async () => {
    const deep = `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`
    const { status, body } = await deliver(['x', deep], { dataset: 'partly' })
    expect([status, body.errorMessage]).toEqual([
      200,
      expect.stringMatching(/^1 of 2 events were rejected: .+/),
    ])
  })

  it.each([
    ['', 'it ends too early'],
    ['{}', 'it has no records'],
    ['{"records":[{"data":1}]}', 'the data of a record must be a string'],
    ['{"records":{}}', '`[` expected at character 12'],
    ['{"records":[{"data":"H4sIAA=="}]}', 'a record is not valid gzip data'],
  ])('is refused when malformed: %s', async (body, reason) => {
    const { status, body: result } = await deliver(body, { dataset: 'malformed' })
    expect([status, result.errorMessage]).toEqual([
      400,
      `The body is not a request of Amazon Data Firehose: ${reason}.`,
    ])
  })

  it('is refused with log events of too many members', async () => {
    const members = '"a":"b",'.repeat(10_000)
    const event = `{"messageType":"DATA_MESSAGE",${members}"logGroup":"g","logEvents":[]}`
    const { status, body } = await deliver([event], { dataset: 'malformed' })
    expect([status, body.errorMessage]).toEqual([
      400,
      'A record has malformed log events of CloudWatch: an object has more than 10,000 members.',
    ])
  })

  it('is never decompressed beyond the limit, nor are its events', async () => {
    const limited = { dataset: 'bomb', send: service.limited({ bodyBytes: 4 * 1024 * 1024 }) }
    const bomb = gzipSync(Buffer.alloc(5 * 1024 * 1024, 'x\n'))
    expect((await deliver([bomb], limited)).status).toBe(413)
    // No other limit refuses a few lines of this length.
    const half = gzipSync(`${'x'.repeat(1_000_000)}\n`.repeat(3))
    const twice = await deliver([half, half], limited)
    expect([twice.status, twice.body.errorMessage]).toEqual([
      413,
      'The records of the request are too large uncompressed. Lower the buffer size of the stream.',
    ])
    const logEvents = Array.from({ length: 20_000 }, () => ({ id: '1', timestamp: 1, message: '' }))
    const amplified = JSON.stringify({ ...CLOUDWATCH, logGroup: 'x'.repeat(60_000), logEvents })
    expect((await deliver([gzipSync(amplified)], limited)).status).toBe(413)
    expect(service.store.schema.datasets).not.toContain('bomb')
  })

  it('may have any number of short compressed records', async () => {
    const text = (n: number) => `record ${n} ${'x'.repeat((n * 37) % 90)}`
    const records = Array.from({ length: 700 }, (_, n) => {
      const packed = gzipSync(text(n))
      // A few records are not exactly one gzip member, not compressed, or empty.
      if (n % 300 === 150)
        return Buffer.concat([gzipSync(text(n).slice(0, 3)), gzipSync(text(n).slice(3))])
      if (n % 300 === 151) return Buffer.concat([packed, Buffer.from([0, 1, 2, 3])])
      if (n % 300 === 152) return text(n)
      return n % 300 === 153 ? gzipSync('') : packed
    })
    expect((await deliver(records, { dataset: 'short' })).status).toBe(200)
    const stored = (await events('short')).map(({ message }) => message)
    const expected = records.map((_, n) => text(n)).filter((_, n) => n % 300 !== 153)
    expect(stored.sort()).toEqual(expected.sort())
  })

  it('may have as many records as a request may have lines', async () => {
    // Records without data count, too.
    const request = (record: string, count: number) =>
      `{"records":[${`${record},`.repeat(count - 1)}${record}]}`
    expect((await deliver(request('{"data":"eA=="}', 500_000), { dataset: 'many' })).status).toBe(
      200,
    )
    expect((await deliver(request('{}', 1_100_000), { dataset: 'too-many' })).status).toBe(413)
    expect(service.store.schema.datasets).not.toContain('too-many')
  })

  it('is refused when one of many short records is damaged', async () => {
    const records = Array.from({ length: 300 }, (_, n) => gzipSync(`n=${n}`))
    const damaged = records[200]!
    damaged[damaged.length - 5]! ^= 1
    const { status, body } = await deliver(records, { dataset: 'one-damaged' })
    expect([status, body.errorMessage]).toEqual([
      400,
      'The body is not a request of Amazon Data Firehose: a record is not valid gzip data.',
    ])
    expect(service.store.schema.datasets).not.toContain('one-damaged')
  })

  it('with damaged records is refused or stored', async () => {
    let seed = 1
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
      return (seed >>> 8) % below
    }
    const statuses = new Set<number>()
    const text = Buffer.from(JSON.stringify(CLOUDWATCH))
    for (const whole of [text, gzipSync(text)]) {
      for (let i = 0; i < 25; i++) {
        const damaged = Buffer.from(whole)
        damaged[random(damaged.length)] = random(256)
        const cut = random(3) === 0 ? damaged.subarray(0, random(damaged.length)) : damaged
        statuses.add((await deliver([cut], { dataset: 'damaged' })).status)
      }
    }
    expect([...statuses].sort()).toEqual([200, 400])
  })
})
