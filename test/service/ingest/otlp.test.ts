import { readdir } from 'node:fs/promises'
import { type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { PbfReader, PbfWriter } from 'pbf'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Grant } from '../../../src/service/auth/grant.js'
import type { ServiceRequest } from '../../../src/service/http.js'
import { encodeOtlpError } from '../../../src/service/ingest/otlp/otlp-response.js'
import { type Listener, listen } from '../../../src/service/listener/listen.js'
import { LISTENER_TIMEOUTS } from '../../../src/service/listener/timeouts.js'
import { ZSTD } from '../../support/zstd.js'
import { type Running, run, type Send, type TestResponse } from '../running.js'

const shipper: Grant = { name: 'shipper', personal: false, ingest: ['web'] }
const JSON_TYPE = 'application/json'
const PROTOBUF = 'application/x-protobuf'
/** 2026-01-01T12:00:00.000000001Z */
const TIME = '1767268800000000001'
const LIMIT = 4 * 1024 * 1024

let service: Running
let listener: Listener
let url: string
let send: Send

beforeAll(async () => {
  service = await run({ token: 'xapt-right', grants: { 'xaat-shipper': shipper } })
  send = service.limited({ bodyBytes: LIMIT })
  listener = await listen({
    app: service.app,
    address: { host: '127.0.0.1', port: 0 },
    trusted: false,
  })
  if (!('port' in listener.address)) throw new Error('no port')
  url = `http://127.0.0.1:${listener.address.port}`
})

afterEach(async () => {
  expect(await readdir(service.store.spool)).toEqual([])
})

afterAll(async () => {
  await listener.close()
  await service.close()
  expect(service.reported).toEqual([])
})

interface Post {
  readonly dataset?: string
  readonly type?: string
  readonly path?: string
  readonly headers?: Readonly<Record<string, string>>
}

function post(body: string | Buffer, { dataset, type = JSON_TYPE, path, headers }: Post = {}) {
  return send({
    path: path ?? '/v1/logs',
    headers: {
      'content-type': type,
      ...(dataset !== undefined && { 'x-axiom-dataset': dataset }),
      ...headers,
    },
    body,
  })
}

/** Posts an export request of logs with these records, in JSON. */
const postRecords = (records: readonly object[], dataset: string) =>
  post(JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: records }] }] }), { dataset })

const attribute = (key: string, value: unknown) => ({ key, value })

/** Returns the rows of a query as text, so that integers stay exact. */
async function rows(apl: string): Promise<string> {
  const { text, status } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({
      apl,
      startTime: '1950-01-01T00:00:00Z',
      endTime: '2250-01-01T00:00:00Z',
    }),
  })
  expect(status, text).toBe(200)
  const [, columns = text] = /"columns":(\[.*?\])\}\]/s.exec(text) ?? []
  return columns.replaceAll(', ', ',')
}

/** Returns the events of a dataset in the order of their times, without `_sysTime` and nulls. */
async function events(dataset: string): Promise<readonly object[]> {
  const { body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({
      apl: `['${dataset}'] | sort by _time asc`,
      startTime: '1950-01-01T00:00:00Z',
      endTime: '2250-01-01T00:00:00Z',
    }),
  })
  const [{ fields, columns }] = body.tables
  return (columns[0] ?? []).map((_: unknown, row: number) =>
    Object.fromEntries(
      fields
        .map(({ name }: { readonly name: string }, i: number) => [name, columns[i][row]])
        .filter(([name, value]: [string, unknown]) => name !== '_sysTime' && value !== null),
    ),
  )
}

const resource = resourceFromAttributes({
  'service.name': 'shop',
  'service.version': '1.2.0',
  'host.name': 'web-1',
  team: 'payments',
})

const RESOURCE_FIELDS = {
  'service.name': 'shop',
  'service.version': '1.2.0',
  'resource.service.name': 'shop',
  'resource.service.version': '1.2.0',
  'resource.host.name': 'web-1',
  'resource.custom.team': 'payments',
}

const ids = {
  traceId: '0af7651916cd43dd8448eb211c80319c',
  spanId: 'b7ad6b7169203331',
  traceFlags: 1,
}

describe.each([
  { encoding: 'protobuf', Logs: ProtobufLogs, Traces: ProtobufTraces },
  { encoding: 'json', Logs: JsonLogs, Traces: JsonTraces },
])('the exporters of JavaScript in $encoding', ({ encoding, Logs, Traces }) => {
  const headers = (dataset: string) => ({
    authorization: 'Bearer xapt-right',
    'X-Axiom-Dataset': dataset,
  })

  it('store log records', async () => {
    const dataset = `logs-${encoding}`
    const exporter = new Logs({ url: `${url}/v1/logs`, headers: headers(dataset) })
    const provider = new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter })],
    })
    provider.getLogger('cart', '0.1').emit({
      timestamp: [1_767_268_800, 123_456_789],
      observedTimestamp: [1_767_268_801, 500_000_000],
      severityNumber: 17,
      severityText: 'ERROR',
      body: 'failed: "quota"\n\tGrüße 😀',
      attributes: {
        'http.route': '/cart/:id',
        'http.protocol': 'h2',
        'app.ratio': 0.5,
        'app.tags': ['a', 'b'],
        'app.user': { id: 7, 'nick.name': 'x' },
        'app.raw': new Uint8Array([1, 2, 255]),
      },
    })
    await provider.shutdown()
    expect(await events(dataset)).toEqual([
      {
        ...RESOURCE_FIELDS,
        _time: '2026-01-01T12:00:00.123456789Z',
        observed_time_unix_nano: 1_767_268_801_500_000_000,
        severity_number: 17,
        severity_text: 'ERROR',
        level: 'error',
        body: 'failed: "quota"\n\tGrüße 😀',
        'scope.name': 'cart',
        'scope.version': '0.1',
        'attributes.http.route': '/cart/:id',
        'attributes.custom.http.protocol': 'h2',
        'attributes.custom.app.ratio': 0.5,
        'attributes.custom.app.tags': ['a', 'b'],
        'attributes.custom.app.user.id': 7,
        'attributes.custom.app.user.nick.name': 'x',
        'attributes.custom.app.raw': 'AQL/',
      },
    ])
    expect(
      await rows(
        `['${dataset}'] | project ['attributes.custom']['http.protocol'], ['attributes.custom']['app.user']['id'], ['service.name']`,
      ),
    ).toBe('[["h2"],[7],["shop"]]')
  })

  it('store spans', async () => {
    const dataset = `spans-${encoding}`
    const exporter = new Traces({ url: `${url}/v1/traces`, headers: headers(dataset) })
    const provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(exporter)],
    })
    const span = provider.getTracer('cart').startSpan('GET /cart', {
      kind: 1,
      startTime: [1_767_268_800, 0],
      attributes: { 'http.request.method': 'GET', 'app.items': 3 },
      links: [{ context: ids, attributes: { why: 'retry' } }],
    })
    span.addEvent('exception', { 'exception.message': 'boom' }, [1_767_268_800, 500_000_000])
    span.setStatus({ code: 2, message: 'quota' })
    span.end([1_767_268_801, 250_000_000])
    const { traceId, spanId } = span.spanContext()
    const parent = trace.setSpan(ROOT_CONTEXT, span)
    const later = [1_767_268_802, 0] as const
    provider
      .getTracer('cart')
      .startSpan('query', { startTime: [...later] }, parent)
      .end([...later])
    await provider.shutdown()
    expect(await events(dataset)).toMatchObject([
      {
        ...RESOURCE_FIELDS,
        _time: '2026-01-01T12:00:00Z',
        name: 'GET /cart',
        kind: 'server',
        duration: 1_250_000_000,
        trace_id: traceId,
        span_id: spanId,
        'status.code': 'ERROR',
        'status.message': 'quota',
        error: true,
        'scope.name': 'cart',
        'attributes.http.request.method': 'GET',
        'attributes.custom.app.items': 3,
        events: [
          {
            timestamp: 1_767_268_800_500_000_000,
            name: 'exception',
            attributes: { 'exception.message': 'boom' },
          },
        ],
        links: [{ trace_id: ids.traceId, span_id: ids.spanId, attributes: { why: 'retry' } }],
      },
      { name: 'query', kind: 'internal', duration: 0, error: false, parent_span_id: spanId },
    ])
    expect(await rows(`['${dataset}'] | where isnull(parent_span_id) | count`)).toBe('[[1]]')
  })
})

describe('a log record', () => {
  it('has exact integers, written as strings and as numbers', async () => {
    const values = ['9223372036854775807', '-9223372036854775808', '12345678901234567', '-1', '0']
    const records = values.flatMap((value) => [
      `{"timeUnixNano":"${TIME}","attributes":[{"key":"n","value":{"intValue":"${value}"}}]}`,
      `{"timeUnixNano":${TIME},"attributes":[{"key":"n","value":{"intValue":${value}}}]}`,
    ])
    const body = `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${records.join(',')}]}]}]}`
    expect(await post(body, { dataset: 'integers' })).toMatchObject({ status: 200, text: '{}' })
    const sorted = values.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1))
    expect(
      await rows(
        `['integers'] | summarize c = count() by n = ['attributes.custom']['n'] | sort by n asc | project n, c`,
      ),
    ).toBe(`[[${sorted.join(',')}],[2,2,2,2,2]]`)
  })

  it('has floating-point numbers, which remain so when they are whole', async () => {
    const values = [5, -0.1, 1e300, 'NaN', '-Infinity', '2.5']
    await postRecords(
      values.map((doubleValue, i) => ({
        timeUnixNano: `${TIME.slice(0, -1)}${i}`,
        attributes: [attribute('d', { doubleValue })],
      })),
      'doubles',
    )
    expect(
      await rows(`['doubles'] | sort by _time asc | project d = ['attributes.custom']['d']`),
    ).toBe('[[5,-0.1,1e300,"NaN","-Infinity",2.5]]')
  })

  it('keeps the type of a field whose first values are whole', async () => {
    await postRecords([{ attributes: [attribute('d', { doubleValue: 5 })] }], 'whole')
    expect(
      await rows(`['whole'] | getschema | where ColumnName has 'custom' | project ColumnType`),
    ).toBe('[["real"]]')
  })

  it('has its time, else the time at which it was observed, else that of its arrival', async () => {
    await postRecords(
      [
        { timeUnixNano: '0', observedTimeUnixNano: TIME, body: { stringValue: 'observed' } },
        { body: { stringValue: 'arrival' } },
        // 1970, 1999: numbers with fewer digits would be read as micro- or milliseconds.
        { timeUnixNano: '1', body: { stringValue: 'first' } },
        { timeUnixNano: '946684799123456789', body: { stringValue: 'old' } },
      ],
      'times',
    )
    expect(await rows(`['times'] | sort by _time asc | project _time, body`)).toBe(
      '[["1970-01-01T00:00:00.000000001Z","1999-12-31T23:59:59.123456789Z","2026-01-01T12:00:00Z","2026-01-01T12:00:00.000000001Z"],["first","old","arrival","observed"]]',
    )
  })

  it('has a body of any type, and identifiers in hexadecimal', async () => {
    const values = [{ stringValue: 'a' }, { intValue: '2' }, {}]
    const kvlistValue = { values: [attribute('list', { arrayValue: { values } })] }
    await postRecords(
      [
        {
          timeUnixNano: TIME,
          body: { kvlistValue },
          traceId: ids.traceId.toUpperCase(),
          spanId: '0000000000000000',
          flags: 1,
          eventName: 'cart.failed',
          droppedAttributesCount: 2,
        },
      ],
      'bodies',
    )
    expect(await events('bodies')).toEqual([
      {
        _time: '2026-01-01T12:00:00.000000001Z',
        'body.list': ['a', 2, null],
        trace_id: ids.traceId,
        flags: 1,
        event_name: 'cart.failed',
        dropped_attributes_count: 2,
      },
    ])
  })

  it('has the first value of an attribute that is repeated, and of unknown fields none', async () => {
    const record = {
      timeUnixNano: TIME,
      futureField: { deep: [[{ x: ']' }]] },
      attributes: [
        attribute('http.route', { stringValue: 'first' }),
        attribute('http.route', { stringValue: 'second' }),
        attribute('same', { boolValue: true }),
        attribute('same', { boolValue: false }),
      ],
    }
    await postRecords([record], 'repeated')
    expect(await events('repeated')).toMatchObject([
      { 'attributes.http.route': 'first', 'attributes.custom.same': true },
    ])
  })

  it('has U+FFFD in place of bytes that are not UTF-8', async () => {
    const message = logsMessage((record) =>
      record.writeMessage(
        5,
        (_, value) => value.writeBytesField(1, Buffer.from('a\xff"b', 'latin1')),
        null,
      ),
    )
    expect((await post(message, { dataset: 'text', type: PROTOBUF })).status).toBe(200)
    expect(await rows(`['text'] | project body`)).toBe(`[["a\ufffd\\"b"]]`)
  })

  it('has the fields of a resource and a scope that come after it in the message', async () => {
    const writer = new PbfWriter()
    const text = (key: string, value: string) => (_: unknown, pair: PbfWriter) => {
      pair.writeStringField(1, key)
      pair.writeMessage(2, (_, any) => any.writeStringField(1, value), null)
    }
    writer.writeMessage(
      1,
      (_, group) => {
        group.writeMessage(
          2,
          (_, scope) => {
            scope.writeMessage(2, (_, record) => record.writeFixed64Field(11, 1), null)
            scope.writeMessage(1, (_, one) => one.writeMessage(3, text('k', 'v'), null), null)
            scope.writeStringField(3, 'https://schema/scope')
          },
          null,
        )
        group.writeMessage(1, (_, one) => one.writeMessage(1, text('os.type', 'linux'), null), null)
        group.writeStringField(3, 'https://schema/resource')
      },
      null,
    )
    const body = Buffer.from(writer.finish())
    expect((await post(body, { dataset: 'order', type: PROTOBUF })).status).toBe(200)
    expect(await events('order')).toEqual([
      {
        _time: '1970-01-01T00:00:00.000000001Z',
        'scope.attributes.k': 'v',
        'scope.schema_url': 'https://schema/scope',
        'resource.os.type': 'linux',
        'resource.schema_url': 'https://schema/resource',
      },
    ])
  })
})

/** Returns a request with one record. */
function logsMessage(record: (writer: PbfWriter) => void, count = 1): Buffer {
  const writer = new PbfWriter()
  writer.writeMessage(
    1,
    (_, group) =>
      group.writeMessage(
        2,
        (_, scope) => {
          for (let i = 0; i < count; i++) scope.writeMessage(2, (_, one) => record(one), null)
        },
        null,
      ),
    null,
  )
  return Buffer.from(writer.finish())
}

describe('the response', () => {
  const late = [{ timeUnixNano: TIME }, { timeUnixNano: '18446744073709551615' }]
  const message =
    '1 of 2 log records were rejected. The first, at index 1: `_time` is not a time between 1900 and 2262: "18446744073709551615".'

  it('counts rejected records, in JSON', async () => {
    expect(await postRecords(late, 'partial')).toMatchObject({
      status: 200,
      body: { partialSuccess: { rejectedLogRecords: '1', errorMessage: message } },
    })
    expect(await rows(`['partial'] | count`)).toBe('[[1]]')
  })

  it('counts a record with too many attributes, or a name that is too long', async () => {
    const many = Array.from({ length: 10_001 }, (_, i) => attribute(`k${i}`, { intValue: i }))
    const long = [attribute('k'.repeat(2000), { boolValue: true })]
    const { body } = await postRecords(
      [{ attributes: many }, { attributes: long }, { body: { stringValue: 'kept' } }],
      'limits',
    )
    expect(body.partialSuccess).toEqual({
      rejectedLogRecords: '2',
      errorMessage: expect.stringMatching(
        /^2 of 3 log records were rejected\. The first, at index 0: /,
      ),
    })
    expect(await rows(`['limits'] | project body`)).toBe('[["kept"]]')
  })

  it('counts rejected records, in protobuf', async () => {
    const times = [1, 2 ** 63]
    const body = logsMessage((record) => record.writeFixed64Field(1, times.pop() ?? 1), 2)
    const { bytes, headers } = await post(body, { dataset: 'partial', type: PROTOBUF })
    expect(headers['content-type']).toBe(PROTOBUF)
    const partial = new PbfReader(bytes).readFields<Record<number, unknown>>((_, all, outer) => {
      outer.readMessage((tag, fields, inner) => {
        fields[tag] = tag === 1 ? inner.readVarint() : inner.readString()
      }, all)
    }, {})
    expect(partial).toEqual({ 1: 1, 2: expect.stringMatching(/^1 of 2 log records .* index 0/) })
  })

  it('is empty in protobuf when all are stored', async () => {
    const body = logsMessage((record) => record.writeStringField(3, 'INFO'))
    const { status, bytes, headers } = await post(body, { dataset: 'ok', type: PROTOBUF })
    expect([status, bytes.length, headers['content-type']]).toEqual([200, 0, PROTOBUF])
    expect((await post(Buffer.alloc(0), { dataset: 'ok', type: PROTOBUF })).status).toBe(200)
    expect((await post('{}', { dataset: 'ok' })).text).toBe('{}')
  })

  it('is counted in the metrics of its protocol', async () => {
    const path = '/metrics'
    const value = async () => {
      const { text } = await send({ method: 'GET', path })
      return Number(/^evq_ingested_events_total\{protocol="otlp"\} (\d+)$/m.exec(text)?.[1])
    }
    const before = await value()
    await postRecords([{}, {}, {}], 'counted')
    expect((await value()) - before).toBe(3)
  })
})

/** The status of a response, and its `google.rpc.Status`. */
function failure({ status, bytes, headers, body }: TestResponse): readonly unknown[] {
  if (headers['content-type'] === JSON_TYPE) return [status, body.code, body.message]
  expect(headers['content-type']).toBe(PROTOBUF)
  const fields = new PbfReader(bytes).readFields<Record<number, unknown>>((tag, all, reader) => {
    all[tag] = tag === 1 ? reader.readVarint() : reader.readString()
  }, {})
  return [status, fields[1], fields[2]]
}

describe('a refused request', () => {
  it('has a google.rpc.Status in its encoding', async () => {
    const noDataset = expect.stringMatching(/^The request names no dataset\. /)
    expect(failure(await post('{}'))).toEqual([400, 3, noDataset])
    expect(failure(await post('', { type: PROTOBUF }))).toEqual([400, 3, noDataset])
    const denied = await service.send({
      path: '/v1/traces?dataset=secret',
      headers: { 'content-type': PROTOBUF, authorization: 'Bearer xaat-shipper' },
      trusted: false,
    })
    expect(failure(denied)).toEqual([
      403,
      7,
      'The token `shipper` does not allow ingest into `secret`.',
    ])
    expect(failure(await post('x', { type: 'text/plain' }))).toEqual([
      415,
      3,
      'The content type `text/plain` is not supported. Supported types: `application/x-protobuf`, `application/json`.',
    ])
  })

  it('has metrics, which are not stored', async () => {
    const message = expect.stringMatching(/^Metrics are not stored, only logs /)
    const path = '/v1/metrics'
    expect(failure(await post('{}', { path }))).toEqual([404, 5, message])
    expect(failure(await post('', { path, type: PROTOBUF }))).toEqual([404, 5, message])
  })

  it.each([
    ['[]', 'not JSON: an object expected at byte 0'],
    ['', 'not JSON: an object expected at byte 0'],
    ['{"resourceLogs":[{"scopeLogs":', 'not JSON: an array expected at byte 30'],
    ['{"resourceLogs":[]} {}', 'not JSON: the end expected at byte 20'],
    ['{"resourceLogs":{}}', 'not JSON: an array expected at byte 16'],
    ['{"x":"\\q","resourceLogs":[]}', 'not JSON: a string has an invalid escape'],
    [record('{"severityNumber":"high"}'), '`severityNumber` must be an integer'],
    [record('{"timeUnixNano":-1}'), '`timeUnixNano` must be an unsigned 64-bit integer'],
    [record('{"flags":4294967296}'), '`flags` must be an unsigned 32-bit integer'],
    [record('{"traceId":"xyz"}'), '`traceId` must be a string of hexadecimal digits'],
    [record('{"body":{"intValue":"1.5"}}'), '`intValue` must be an integer'],
    [record('{"body":{"intValue":9223372036854775808}}'), '`intValue` must be a 64-bit integer'],
    [record('{"body":{"doubleValue":"one"}}'), '`doubleValue` must be a number'],
    [record('{"body":{"boolValue":1}}'), '`boolValue` must be true or false'],
  ])('is malformed: %s', async (body, trouble) => {
    expect(failure(await post(body, { dataset: 'malformed' }))).toEqual([
      400,
      3,
      `The request body is not a valid export request of logs: ${trouble}.`,
    ])
    expect(service.store.schema.datasets).not.toContain('malformed')
  })

  it('is nested too deeply', async () => {
    const deep = `${'{"arrayValue":{"values":['.repeat(5000)}{}${']}}'.repeat(5000)}`
    expect(failure(await post(record(`{"body":${deep}}`), { dataset: 'deep' }))).toEqual([
      400,
      3,
      expect.stringMatching(/nested too deeply\.$/),
    ])
    const nested = (writer: PbfWriter, levels: number): void => {
      if (levels === 0) writer.writeBooleanField(2, true)
      else {
        writer.writeMessage(
          5,
          (_, list) => list.writeMessage(1, (_, any) => nested(any, levels - 1), null),
          null,
        )
      }
    }
    const body = (levels: number) =>
      logsMessage((one) => one.writeMessage(5, (_, any) => nested(any, levels), null))
    expect((await post(body(100), { dataset: 'nested', type: PROTOBUF })).status).toBe(200)
    expect(failure(await post(body(101), { dataset: 'nested', type: PROTOBUF }))).toEqual([
      400,
      3,
      expect.stringMatching(/a value is nested more than 100 levels deep\.$/),
    ])
    // Unknown members may be nested as deeply as the body allows.
    const skipped = `{"x":${'['.repeat(100_000)}${']'.repeat(100_000)}}`
    expect((await post(skipped, { dataset: 'nested' })).status).toBe(200)
  })

  it('is larger than the limit, compressed or as events', async () => {
    const gzip = { 'content-encoding': 'gzip' }
    const bomb = gzipSync(Buffer.alloc(2 * LIMIT))
    expect(failure(await post(bomb, { dataset: 'bomb', headers: gzip, type: PROTOBUF }))).toEqual([
      413,
      3,
      expect.stringMatching(/^The request body is larger than 4 MiB/),
    ])
    // A resource of 1 MB, and an empty record for each two bytes.
    const writer = new PbfWriter()
    writer.writeMessage(
      1,
      (_, group) => {
        group.writeStringField(3, 'x'.repeat(1_000_000))
        group.writeBytesField(2, Buffer.from('1200'.repeat(10_000), 'hex'))
      },
      null,
    )
    const amplified = Buffer.from(writer.finish())
    expect(failure(await post(amplified, { dataset: 'bomb', type: PROTOBUF }))).toEqual([
      413,
      3,
      'The request is too large: the events, each with its resource and scope, are larger than 256 MiB. Send smaller requests.',
    ])
    expect(service.store.schema.datasets).not.toContain('bomb')
  })

  it('is truncated at any byte', async () => {
    const whole = logsMessage((one) => {
      one.writeFixed64Field(1, 5)
      one.writeMessage(5, (_, any) => any.writeStringField(1, 'text'), null)
      one.writeFixed32Field?.(8, 1)
    })
    for (let size = 1; size < whole.length; size++) {
      const [status, , message] = failure(
        await post(whole.subarray(0, size), { dataset: 'cut', type: PROTOBUF }),
      )
      expect([status, message], `${size} bytes`).toEqual([
        400,
        'The request body is not a valid export request of logs: the message is truncated.',
      ])
    }
    expect(service.store.schema.datasets).not.toContain('cut')
  })

  it('arrives too slowly, and may be sent again', async () => {
    const slow = await listen({
      app: service.app,
      address: { host: '127.0.0.1', port: 0 },
      trusted: true,
      timeouts: { ...LISTENER_TIMEOUTS, slackMs: 50, streamIdleMs: 50, drainMs: 50 },
    })
    if (!('port' in slow.address)) throw new Error('no port')
    const { port } = slow.address
    for (const length of [{ 'content-length': 1000 }, {}]) {
      const headers = { 'content-type': PROTOBUF, 'x-axiom-dataset': 'slow', ...length }
      const response = await new Promise<IncomingMessage>((resolve, reject) => {
        const path = '/v1/traces'
        const outgoing = request({ host: '127.0.0.1', port, path, method: 'POST', headers })
        outgoing.on('response', resolve).on('error', reject)
        outgoing.write(Buffer.from('0a80', 'hex'))
      })
      response.resume()
      expect([response.statusCode, response.headers['retry-after']]).toEqual([503, '5'])
    }
    await slow.close()
    expect(service.store.schema.datasets).not.toContain('slow')
  })

  it('is random bytes, and the service goes on', async () => {
    let seed = 7
    const random = () => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return seed >>> 16
    }
    for (let n = 0; n < 300; n++) {
      const bytes = Buffer.from(Array.from({ length: random() % 200 }, () => random() & 0xff))
      // Some begin like a request.
      if (n % 2 === 0 && bytes.length > 6)
        bytes.set([0x0a, bytes.length - 2, 0x12, bytes.length - 4])
      const type = n % 3 === 0 ? JSON_TYPE : PROTOBUF
      const path = n % 5 === 0 ? '/v1/traces' : '/v1/logs'
      const { status } = await post(bytes, { dataset: 'random', type, path })
      expect([200, 400], bytes.toString('hex')).toContain(status)
    }
    expect(await postRecords([{}], 'after')).toMatchObject({ status: 200 })
  })
})

function record(text: string): string {
  return `{"resourceLogs":[{"scopeLogs":[{"logRecords":[${text}]}]}]}`
}

describe('a compressed request', () => {
  it('is decompressed with gzip or zstd', async () => {
    const body = record(`{"body":{"stringValue":"${'x'.repeat(1000)}"}}`)
    const gzip = { 'content-encoding': 'gzip' }
    expect((await post(gzipSync(body), { dataset: 'gzip', headers: gzip })).status).toBe(200)
    expect(await rows(`['gzip'] | project strlen(body)`)).toBe('[[1000]]')
    // The content is NDJSON of two objects.
    const zstd = { 'content-encoding': 'zstd' }
    expect(failure(await post(Buffer.from(ZSTD.two), { dataset: 'zstd', headers: zstd }))).toEqual([
      400,
      3,
      expect.stringMatching(/not JSON: the end expected at byte 8\.$/),
    ])
  })
})

describe('a request that may succeed later', () => {
  it.each([
    [408, 503, '5'],
    [507, 503, '5'],
    [503, 503, '1'],
  ])('has a status that exporters retry in place of %i', (code, status, seconds) => {
    const request = { headers: { 'content-type': PROTOBUF } } as unknown as ServiceRequest
    const retryAfterSeconds = code === 503 ? { retryAfterSeconds: 1 } : {}
    const response = encodeOtlpError(
      { error: undefined, body: { code, message: 'm' }, ...retryAfterSeconds },
      request,
    )
    expect([response.status, response.headers?.['retry-after']]).toEqual([status, seconds])
    // Code 14, UNAVAILABLE, and the message.
    expect(Buffer.from(response.body as Buffer).toString('hex')).toBe('080e12016d')
  })
})
