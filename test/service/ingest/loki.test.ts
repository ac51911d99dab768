import { once } from 'node:events'
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import pLimit from 'p-limit'
import { PbfWriter } from 'pbf'
import pino from 'pino'
import { pinoLoki } from 'pino-loki'
// @ts-expect-error The package has no types.
import { compress } from 'snappyjs'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import winston from 'winston'
import LokiTransport from 'winston-loki'
import type { Grant } from '../../../src/service/auth/grant.js'
import { type Listener, listen } from '../../../src/service/listener/listen.js'
import { until } from '../../support/until.js'
import { type Running, run, type Send, spoolIsEmpty } from '../running.js'
import { eventsOf } from '../stored.js'

const shipper: Grant = { name: 'shipper', personal: false, ingest: ['web', 'tenant-7'] }
const TIME = '1767268800000000001'
const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/x-protobuf'

let service: Running
let listener: Listener
let url: string
/** The content types of the requests that the listener received. */
const received: string[] = []

beforeAll(async () => {
  service = await run({ token: 'xapt-right', grants: { 'xaat-shipper': shipper } })
  listener = await listen({
    app: (request) => {
      received.push(request.headers['content-type'] ?? '')
      return service.app(request)
    },
    address: { host: '127.0.0.1', port: 0 },
    trusted: false,
  })
  if (!('port' in listener.address)) throw new Error('no port')
  url = `http://127.0.0.1:${listener.address.port}`
})

afterEach(() => spoolIsEmpty(service.store))

afterAll(async () => {
  await listener.close()
  await service.close()
  expect(service.reported).toEqual([])
})

interface Push {
  readonly dataset: string
  readonly type?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly send?: Send
}

async function push(
  body: string | Buffer,
  { dataset, type = JSON_TYPE, path, headers, send = service.send }: Push,
) {
  const { status, text, ...reply } = await send({
    path: path ?? '/loki/api/v1/push',
    headers: { 'content-type': type, 'x-axiom-dataset': dataset, ...headers },
    body,
  })
  return [status, text, reply.headers['content-type']]
}

const pushJson = (streams: readonly object[], push_: Push) =>
  push(JSON.stringify({ streams }), push_)

const STORED = [204, '', undefined]

const refused = (status: number, message: RegExp | string) => [
  status,
  typeof message === 'string' ? `${message}\n` : expect.stringMatching(message),
  'text/plain; charset=utf-8',
]

const events = (dataset: string) => eventsOf(service, dataset)

describe('a push request in JSON', () => {
  it('stores a line with its labels, its metadata and the nanoseconds of its time', async () => {
    const streams = [
      {
        stream: { app: 'web', env: 'prod' },
        values: [
          [TIME, 'one "1"'],
          ['1767268800000000002', 'two', { trace: 'abc' }],
        ],
      },
      { stream: {}, values: [['1767268800000000003', 'Grüße\n\tzwei']] },
    ]
    expect(await pushJson(streams, { dataset: 'plain' })).toEqual(STORED)
    expect(await events('plain')).toEqual([
      { _time: '2026-01-01T12:00:00.000000001Z', app: 'web', env: 'prod', message: 'one "1"' },
      {
        _time: '2026-01-01T12:00:00.000000002Z',
        app: 'web',
        env: 'prod',
        message: 'two',
        trace: 'abc',
      },
      { _time: '2026-01-01T12:00:00.000000003Z', message: 'Grüße\n\tzwei' },
    ])
  })

  it('may begin with a byte order mark', async () => {
    const body = `\ufeff{"streams":[{"stream":{},"values":[["${TIME}","one"]]}]}`
    expect(await push(body, { dataset: 'marked' })).toEqual(STORED)
    expect(await events('marked')).toEqual([
      { _time: '2026-01-01T12:00:00.000000001Z', message: 'one' },
    ])
  })

  it('stores the members of a line that is an object, with exact integers', async () => {
    const line =
      '{\n  "level": 30, "id": 9007199254740993,\r\n "nested": {"a": [1]}, "message": "m" }\n'
    expect(
      await pushJson([{ stream: { app: 'web' }, values: [[TIME, line]] }], { dataset: 'object' }),
    ).toEqual(STORED)
    const { text } = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      body: JSON.stringify({ apl: "['object'] | project app, level, id, ['nested.a'], message" }),
    })
    expect(text).toContain('[["web"],[30],[9007199254740993],[[1]],["m"]]')
  })

  it('keeps members with the name of a label under another name, as Loki does', async () => {
    const line =
      '{"level":30,"level_extracted":1,"_time":"x","http":{"status":200},"trace":2,"other":3}'
    const stream = { level: 'info', 'http.status': '500' }
    const values = [[TIME, line, { trace: 'abc', level: 'meta' }]]
    expect(await pushJson([{ stream, values }], { dataset: 'collision' })).toEqual(STORED)
    expect(await events('collision')).toEqual([
      {
        _time: '2026-01-01T12:00:00.000000001Z',
        level: 'info',
        'http.status': '500',
        trace: 'abc',
        // The metadata has the first free name, the line the next one that it does not have itself.
        level_extracted: 'meta',
        level_extracted_extracted: 30,
        level_extracted_extracted_extracted: 1,
        _time_extracted: 'x',
        'http_extracted.status': 200,
        trace_extracted: 2,
        other: 3,
      },
    ])
  })

  it('stores a field once that has the same value everywhere', async () => {
    const values = [[TIME, '{"level":"info"}', { level: 'info' }]]
    await pushJson([{ stream: { level: 'info' }, values }], { dataset: 'same' })
    expect(await events('same')).toEqual([
      { _time: '2026-01-01T12:00:00.000000001Z', level: 'info' },
    ])
  })

  it.each(['[1]', '{}', '{"a":1', '"text"', '12', '', '{"a":1} {"b":2}', '{\\'])(
    'stores the line %j, which is not an object with members, as its message',
    async (line) => {
      const dataset = `text-${Buffer.from(line).toString('hex')}x`
      await pushJson([{ stream: { message: 'label' }, values: [[TIME, line]] }], { dataset })
      expect(await events(dataset)).toEqual([
        { _time: '2026-01-01T12:00:00.000000001Z', message: 'label', message_extracted: line },
      ])
    },
  )

  it.each([
    ['1000', '1970-01-01T00:00:00.000001Z'],
    ['1700000000', '1970-01-01T00:00:01.7Z'],
    ['999999999999999999', '2001-09-09T01:46:39.999999999Z'],
    ['-1', '1969-12-31T23:59:59.999999999Z'],
  ])('reads the time %s as nanoseconds', async (time, expected) => {
    const dataset = `time${time}`
    await pushJson([{ stream: {}, values: [[time, 'x']] }], { dataset })
    expect(await events(dataset)).toEqual([{ _time: expected, message: 'x' }])
  })

  it('has its members in any order, and values of labels of any type', async () => {
    const body = `{"more":[{}],"streams":[{"values":[[${TIME},"x"]],"hash":1,"stream":{"n":\n1,"b":true}},{"stream":null,"values":null}]}`
    expect(await push(body, { dataset: 'order' })).toEqual(STORED)
    expect(await events('order')).toEqual([
      { _time: '2026-01-01T12:00:00.000000001Z', n: 1, b: true, message: 'x' },
    ])
  })

  it('has the form of Loki before 1.0', async () => {
    const streams = [
      {
        labels: '{app="web", path="C:\\\\a \\"b\\" \\u00fc\\x41", raw=`a\\b`}',
        entries: [{ ts: '2026-01-01T13:00:00.000000001+01:00', line: 'old' }],
      },
    ]
    expect(await pushJson(streams, { dataset: 'old', path: '/api/prom/push' })).toEqual(STORED)
    expect(await events('old')).toEqual([
      {
        _time: '2026-01-01T12:00:00.000000001Z',
        app: 'web',
        path: 'C:\\a "b" üA',
        raw: 'a\\b',
        message: 'old',
      },
    ])
  })

  it.each([
    ['', 'it ends too early'],
    ['[]', '`{` expected at character 1'],
    ['{"streams":{}}', '`[` expected at character 12'],
    ['{"streams":[{"stream":{},"values":[["1"]]}]}', 'an entry has no line'],
    ['{"streams":[{"stream":{},"values":[["1",2]]}]}', 'a label, time or line must be a string'],
    [
      '{"streams":[{"stream":{},"values":[["now","x"]]}]}',
      'the time `"now"` is not an integer of nanoseconds',
    ],
    ['{"streams":[{"stream":{},"values":[["1","a\nb"]]}]}', '`"a\nb"` is not JSON'],
    ['{"streams":[{"stream":{"a":nil},"values":[]}]}', '`nil` is not JSON'],
    ['{"streams":[{"stream":{},"values":[["1","x"]]}]} x', 'the end expected at character 50'],
  ])('is refused as a whole when malformed: %s', async (body, reason) => {
    expect(await push(body, { dataset: 'malformed' })).toEqual(
      refused(400, `The body is not a push request of Loki: ${reason}.`),
    )
    expect(service.store.schema.datasets).not.toContain('malformed')
  })

  it('is refused with too many labels, or a long value of one', async () => {
    const long = `{"streams":[{"stream":{"a":[${'1,'.repeat(40_000)}1]},"values":[]}]}`
    expect(await push(long, { dataset: 'malformed' })).toEqual(
      refused(400, 'The body is not a push request of Loki: the value of `a` is too long.'),
    )
    const labels = `${'"a":"b",'.repeat(10_000)}"c":"d"`
    const body = `{"streams":[{"stream":{${labels}},"values":[]}]}`
    expect(await push(body, { dataset: 'malformed' })).toEqual(
      refused(
        400,
        'The body is not a push request of Loki: an object has more than 10,000 members.',
      ),
    )
  })

  it('counts rejected events, and stores the others', async () => {
    const deep = `${'{"a":'.repeat(1001)}1${'}'.repeat(1001)}`
    const values = [
      [TIME, 'x'],
      [TIME, deep],
      [TIME, 'y'],
    ]
    expect(await pushJson([{ stream: {}, values }], { dataset: 'partly' })).toEqual(
      refused(
        400,
        /^1 of 3 events were rejected, and 2 stored\. The first one, entry 2 of the request: .+\n$/,
      ),
    )
    expect((await events('partly')).length).toBe(2)
    const { text } = await service.send({ method: 'GET', path: '/metrics' })
    expect(text).toMatch(/^evq_rejected_events_total\{protocol="loki"\} 1$/m)
  })
})

interface Entry {
  readonly seconds: number
  readonly nanos?: number
  readonly line: string
  readonly metadata?: Readonly<Record<string, string>>
}

/** A `PushRequest` by `pkg/push/push.proto` of Loki. */
function pushRequest(labels: string, entries: readonly Entry[]): Buffer {
  const writer = new PbfWriter()
  writer.writeMessage(
    1,
    (_, stream) => {
      stream.writeStringField(1, labels)
      for (const entry of entries) stream.writeMessage(2, writeEntry, entry)
      stream.writeVarintField(3, 77)
    },
    null,
  )
  return Buffer.from(writer.finish())
}

function writeEntry({ seconds, nanos = 0, line, metadata = {} }: Entry, writer: PbfWriter): void {
  writer.writeMessage(
    1,
    (_, timestamp) => {
      timestamp.writeVarintField(1, seconds)
      timestamp.writeVarintField(2, nanos)
    },
    null,
  )
  writer.writeStringField(2, line)
  for (const pair of Object.entries(metadata)) {
    writer.writeMessage(
      3,
      ([name, value], message) => {
        message.writeStringField(1, name)
        message.writeStringField(2, value)
      },
      pair,
    )
  }
}

const snappy = (bytes: Buffer): Buffer => Buffer.from(compress(bytes))

const ENTRIES: readonly Entry[] = [
  { seconds: 1_767_268_800, nanos: 1, line: 'one' },
  {
    seconds: 1_767_268_800,
    nanos: 2,
    line: `{"n":1,"text":"${'ab'.repeat(2000)}"}`,
    metadata: { pod: 'p-1' },
  },
]
const REQUEST = pushRequest('{app="web"}', ENTRIES)
const EVENTS = [
  { _time: '2026-01-01T12:00:00.000000001Z', app: 'web', message: 'one' },
  {
    _time: '2026-01-01T12:00:00.000000002Z',
    app: 'web',
    pod: 'p-1',
    n: 1,
    text: 'ab'.repeat(2000),
  },
]

describe('a push request in Protocol Buffers', () => {
  it.each([
    ['compressed with Snappy', snappy(REQUEST), {}],
    ['compressed with Snappy, by its header', snappy(REQUEST), { 'content-encoding': 'snappy' }],
    ['compressed with Snappy and gzip', gzipSync(snappy(REQUEST)), { 'content-encoding': 'gzip' }],
    ['compressed with gzip', gzipSync(REQUEST), { 'content-encoding': 'gzip' }],
    ['not compressed', REQUEST, {}],
  ])('is stored when %s', async (how, body, headers) => {
    const dataset = `protobuf-${how.replaceAll(/\W+/g, '-')}`
    expect(await push(body, { dataset, type: PROTOBUF, headers })).toEqual(STORED)
    expect(await events(dataset)).toEqual(EVENTS)
  })

  it('is read without a content type, and with times before 1970', async () => {
    const body = pushRequest('{}', [{ seconds: -1, nanos: 1, line: 'x' }])
    expect(await push(snappy(body), { dataset: 'untyped', type: '' })).toEqual(STORED)
    expect(await events('untyped')).toEqual([
      { _time: '1969-12-31T23:59:59.000000001Z', message: 'x' },
    ])
    expect(await push(Buffer.alloc(0), { dataset: 'empty', type: PROTOBUF })).toEqual(STORED)
  })

  it('has the labels of a stream after its entries, and other streams after it', async () => {
    const writer = new PbfWriter()
    const stream = (name: string) => (_: null, message: PbfWriter) => {
      for (const entry of ENTRIES.slice(0, 1)) message.writeMessage(2, writeEntry, entry)
      message.writeStringField(1, `{app="${name}"}`)
      message.writeMessage(2, writeEntry, { seconds: 1_767_268_801, line: 'last' })
    }
    writer.writeMessage(1, stream('a'), null)
    writer.writeMessage(1, stream('b'), null)
    const body = snappy(Buffer.from(writer.finish()))
    expect(await push(body, { dataset: 'order-of-fields', type: PROTOBUF })).toEqual(STORED)
    const stored = (await events('order-of-fields')) as readonly { app: string; message: string }[]
    expect(stored.map(({ app, message }) => `${app} ${message}`).sort()).toEqual([
      'a last',
      'a one',
      'b last',
      'b one',
    ])
  })

  it.each([
    ['streams', '0801', 'field 1 has the unexpected wire type 0'],
    ['labels', '0a020801', 'field 1 has the unexpected wire type 0'],
    ['seconds', '0a0a12080a060a040a020000', 'field 1 has the unexpected wire type 2'],
    ['a field with the number 0', '0000', 'a field has the number 0'],
    ['a truncated stream', '0a05', 'the message is truncated'],
    // A stream of 20,006 bytes with an entry of 20,002 bytes: 10,001 empty pairs.
    [
      'too many labels',
      `0aa69c0112a29c01${'1a00'.repeat(10_001)}`,
      'an entry has more than 10,000 labels',
    ],
  ])('is refused when malformed: %s', async (_, hex, reason) => {
    const body = snappy(Buffer.from(hex, 'hex'))
    expect(await push(body, { dataset: 'malformed', type: PROTOBUF })).toEqual(
      refused(
        400,
        `The body is neither a push request of Loki in Protocol Buffers nor one compressed with Snappy: ${reason}.`,
      ),
    )
  })

  it.each([
    '',
    'app="web"',
    '{app=web}',
    '{app="web"',
    '{app="web"} x',
    '{="x"}',
    '{a="b" c="d"}',
    '{a="b',
  ])('is refused with the malformed labels %j', async (labels) => {
    const body = snappy(pushRequest(labels, ENTRIES))
    expect(await push(body, { dataset: 'malformed', type: PROTOBUF })).toEqual(
      refused(400, /^The labels `.*` are malformed at character \d+: labels such as/),
    )
  })

  it('is refused with labels that are too long', async () => {
    const body = snappy(pushRequest(`{a="${'x'.repeat(16 * 1024 * 1024)}"}`, ENTRIES))
    expect(await push(body, { dataset: 'malformed', type: PROTOBUF })).toEqual(
      refused(400, /^The labels of a stream have more than 1 MiB\.$/m),
    )
  })

  it('is never decompressed beyond the limit', async () => {
    const limited = {
      dataset: 'bomb',
      type: PROTOBUF,
      send: service.limited({ bodyBytes: 4 * 1024 * 1024 }),
    }
    // A block that declares 4 MiB and 1 byte, with enough copies to produce them.
    const copies = Buffer.alloc(192 * 1024 + 3)
    for (let at = 0; at < copies.length; at += 3) copies.set([0xfe, 1, 0], at)
    const bomb = Buffer.concat([Buffer.from([0x81, 0x80, 0x80, 0x02, 0, 0x61]), copies])
    expect(await push(bomb, limited)).toEqual(
      refused(413, /^The request body is larger than 4 MiB uncompressed\./),
    )
    // 4 GiB in a few bytes are no Snappy.
    const claim = Buffer.from([0xff, 0xff, 0xff, 0xff, 0x0f, 0, 0x61])
    expect((await push(claim, limited))[0]).toBe(400)
    const tooManyLabels = `{a="${'x'.repeat(100_000)}"}`
    const many = Array.from({ length: 400 }, () => ({ seconds: 1_767_268_800, line: '' }))
    const amplified = snappy(pushRequest(tooManyLabels, many))
    expect(await push(amplified, limited)).toEqual(
      refused(413, /^The request is larger than 16 times its size once each event has its labels/),
    )
    expect(service.store.schema.datasets).not.toContain('bomb')
  })

  it('is refused when truncated or damaged anywhere, or stored', async () => {
    let seed = 1
    const random = (below: number) => {
      seed = (Math.imul(seed, 1103515245) + 12345) >>> 0
      return (seed >>> 8) % below
    }
    const statuses = new Set<number>()
    const small = pushRequest('{app="web"}', [
      { seconds: 1_767_268_800, line: 'one, one, one, one', metadata: { a: 'b' } },
    ])
    const sent = [small, snappy(small)]
    const bodies = sent.flatMap((body) => [
      ...Array.from(body, (_, end) => body.subarray(0, end)),
      ...Array.from({ length: 60 }, () => {
        const damaged = Buffer.from(body)
        damaged[random(damaged.length)] = random(256)
        return damaged
      }),
    ])
    // Several at once, whose events are stored together.
    await pLimit(20).map(bodies, async (body) => {
      const [status] = await push(body, { dataset: 'damaged', type: PROTOBUF })
      statuses.add(status as number)
    })
    expect([...statuses].sort()).toEqual([204, 400])
  })
})

describe('a push request whose connection ends before its body', () => {
  it.each([PROTOBUF, JSON_TYPE])(
    'is not stored, though what came is complete: %s',
    async (type) => {
      const body = type === PROTOBUF ? REQUEST : Buffer.from('{"streams":[]}')
      const ended = async () => {
        const { text } = await service.send({ method: 'GET', path: '/metrics' })
        const total = /^evq_http_requests_total\{.*"\/loki\/api\/v1\/push",status="499"\} (\d+)$/m
        return Number(total.exec(text)?.[1] ?? 0)
      }
      const before = await ended()
      const count = received.length
      const socket = connect(Number(new URL(url).port), '127.0.0.1')
      socket.write(
        `POST /loki/api/v1/push HTTP/1.1\r\nhost: x\r\nauthorization: Bearer xapt-right\r\nx-axiom-dataset: cut\r\ncontent-type: ${type}\r\ncontent-length: ${body.length + 1}\r\n\r\n`,
      )
      socket.write(body)
      await until(() => received.length > count, 'the request')
      socket.destroy()
      await until(async () => (await ended()) > before, 'the end of the request')
      expect(service.store.schema.datasets).not.toContain('cut')
    },
  )
})

describe('the dataset of a push request', () => {
  const streams = [{ stream: {}, values: [[TIME, 'x']] }]
  const send = async (path: string, headers: Readonly<Record<string, string>>) =>
    (
      await service.send({
        path: `/loki/api/v1/push${path}`,
        headers: { 'content-type': JSON_TYPE, ...headers },
        body: JSON.stringify({ streams }),
      })
    ).status

  it('is that of a header, of a parameter, or the tenant', async () => {
    const tenant = { 'x-scope-orgid': 'tenant' }
    expect(await send('?dataset=by-parameter', { ...tenant, 'x-axiom-dataset': 'by-header' })).toBe(
      204,
    )
    expect(await send('?dataset=by-parameter', tenant)).toBe(204)
    expect(await send('', tenant)).toBe(204)
    for (const dataset of ['by-header', 'by-parameter', 'tenant']) {
      expect((await events(dataset)).length, dataset).toBe(1)
    }
  })

  it('is the default of the service when the tenant is not the name of a dataset', async () => {
    const withDefault = service.limited({}, 'standard')
    const { status } = await withDefault({
      path: '/loki/api/v1/push',
      headers: { 'content-type': JSON_TYPE, 'x-scope-orgid': 'a|b' },
      body: JSON.stringify({ streams }),
    })
    expect([status, (await events('standard')).length]).toEqual([204, 1])
    expect(await send('', { 'x-scope-orgid': 'a|b' })).toBe(400)
  })

  it('is one that the token allows; errors are text', async () => {
    const sendAs = async (authorization: string, tenant: string) => {
      const reply = await service.send({
        path: '/loki/api/v1/push',
        headers: { 'content-type': JSON_TYPE, 'x-scope-orgid': tenant, authorization },
        body: JSON.stringify({ streams }),
        trusted: false,
      })
      return [reply.status, reply.text, reply.headers['content-type']]
    }
    const basic = `Basic ${Buffer.from('tenant-7:xaat-shipper').toString('base64')}`
    expect(await sendAs(basic, 'tenant-7')).toEqual(STORED)
    expect(await sendAs(basic, 'secret')).toEqual(
      refused(403, 'The token `shipper` does not allow ingest into `secret`.'),
    )
    expect(await sendAs('Bearer wrong', 'tenant-7')).toEqual(
      refused(403, 'The token is unknown to this service.'),
    )
  })
})

describe('clients of Loki', () => {
  it('may send OTLP to its own path, with the tenant as the dataset', async () => {
    const record = { timeUnixNano: TIME, body: { stringValue: 'from the Collector' } }
    const { status } = await service.send({
      path: '/otlp/v1/logs',
      headers: { 'content-type': JSON_TYPE, 'x-scope-orgid': 'otlp-tenant' },
      body: JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }),
    })
    expect(status).toBe(200)
    expect(await events('otlp-tenant')).toMatchObject([{ body: 'from the Collector' }])
  })

  it('can ask whether the service is ready', async () => {
    const response = await fetch(`${url}/ready`)
    expect([response.status, await response.text()]).toEqual([200, 'ready\n'])
  })

  it('include pino-loki', async () => {
    const stream = pinoLoki({
      host: url,
      basicAuth: { username: 'any', password: 'xapt-right' },
      headers: { 'X-Scope-OrgID': 'from-pino' },
      labels: { application: 'shop' },
      batching: { interval: 60 },
    })
    const logger = pino({ base: { hostname: 'h-1' } }, stream)
    logger.info({ order: 9007199254740991, meta: { trace: 'abc' } }, 'ordered')
    stream.end()
    await once(stream, 'close')
    await until(async () => service.store.schema.datasets.includes('from-pino'), 'the event')
    expect(await events('from-pino')).toEqual([
      {
        _time: expect.any(String),
        level: 'info',
        hostname: 'h-1',
        application: 'shop',
        trace: 'abc',
        level_extracted: 30,
        time: expect.any(Number),
        order: 9007199254740991,
        'meta.trace': 'abc',
        msg: 'ordered',
      },
    ])
    const [event] = (await events('from-pino')) as {
      readonly time: number
      readonly _time: string
    }[]
    expect(Date.parse(event!._time)).toBe(event!.time)
  })

  it.each([true, false])('include winston-loki (JSON: %s)', async (json) => {
    const dataset = `from-winston-${json}`
    const transport = new LokiTransport({
      host: url,
      basicAuth: 'any:xapt-right',
      headers: { 'X-Axiom-Dataset': dataset },
      labels: { app: 'shop' },
      json,
      batching: false,
      replaceTimestamp: false,
      gracefulShutdown: false,
      format: winston.format.json(),
    })
    received.length = 0
    const logger = winston.createLogger({ transports: [transport] })
    logger.info('paid', { amount: 12, timestamp: '2026-01-01T12:00:00.007Z' })
    await until(async () => (await events(dataset).catch(() => [])).length === 1, 'the event')
    logger.close()
    expect(received).toEqual([json ? JSON_TYPE : PROTOBUF])
    expect(await events(dataset)).toEqual([
      {
        _time: '2026-01-01T12:00:00.007Z',
        level: 'info',
        app: 'shop',
        message: 'paid',
        timestamp: '2026-01-01T12:00:00.007Z',
        amount: json ? '12' : 12,
        ...(json && { amount_extracted: 12 }),
      },
    ])
  })
})
