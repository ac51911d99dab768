import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { OTLPLogExporter as JsonLogs } from '@opentelemetry/exporter-logs-otlp-http'
import { OTLPLogExporter as ProtobufLogs } from '@opentelemetry/exporter-logs-otlp-proto'
import { OTLPTraceExporter as JsonTraces } from '@opentelemetry/exporter-trace-otlp-http'
import { OTLPTraceExporter as ProtobufTraces } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import { BatchLogRecordProcessor, LoggerProvider } from '@opentelemetry/sdk-logs'
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base'
import { PbfWriter } from 'pbf'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Listener, listen } from '../../../src/service/listener/listen.js'
import { attribute, logsMessage, otlpService, PROTOBUF, TIME } from './otlp-service.js'

const service = otlpService()
const { post, postRecords, rows, events } = service
let listener: Listener
let url: string

beforeAll(async () => {
  listener = await listen({
    app: service.running.app,
    address: { host: '127.0.0.1', port: 0 },
    trusted: false,
  })
  if (!('port' in listener.address)) throw new Error('no port')
  url = `http://127.0.0.1:${listener.address.port}`
})

afterAll(() => listener.close())

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

/** The exporters give up after ten seconds by default, which a busy machine may need. */
const PATIENT = { timeoutMillis: 120_000 }
const PATIENT_BATCH = { exportTimeoutMillis: 120_000 }

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
    const exporter = new Logs({ url: `${url}/v1/logs`, headers: headers(dataset), ...PATIENT })
    const provider = new LoggerProvider({
      resource,
      processors: [new BatchLogRecordProcessor({ exporter, ...PATIENT_BATCH })],
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
    const exporter = new Traces({ url: `${url}/v1/traces`, headers: headers(dataset), ...PATIENT })
    const provider = new BasicTracerProvider({
      resource,
      spanProcessors: [new BatchSpanProcessor(exporter, PATIENT_BATCH)],
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

describe('a request in JSON', () => {
  // As Vector sends its batches, with the media type that its encoding has by default or with the one of OTLP.
  it.each([
    ['application/json', 'batched'],
    ['application/x-ndjson', 'batched-lines'],
  ])('may be several, one per line: %s', async (type, dataset) => {
    const request = (n: number) => {
      const record = { timeUnixNano: `${TIME.slice(0, -1)}${n}`, body: { intValue: n } }
      return JSON.stringify({ resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] })
    }
    const body = `${request(1)}\n{}\n${request(2)}\n`
    expect(await post(body, { dataset, type })).toMatchObject({ status: 200, text: '{}' })
    expect(await rows(`['${dataset}'] | sort by _time asc | project body`)).toBe('[[1,2]]')
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

  it('may have the names of protobuf, which the Collector accepts too', async () => {
    const record = {
      time_unix_nano: TIME,
      severity_number: 'SEVERITY_NUMBER_WARN',
      trace_id: '0102030405060708090a0b0c0d0e0f10',
      body: { string_value: 'kept' },
    }
    const request = { resource_logs: [{ scope_logs: [{ log_records: [record] }] }] }
    const { status, text } = await post(JSON.stringify(request), { dataset: 'original-names' })
    expect([status, text]).toEqual([200, '{}'])
    expect(await events('original-names')).toMatchObject([
      {
        _time: '2026-01-01T12:00:00.000000001Z',
        severity_number: 13,
        trace_id: '0102030405060708090a0b0c0d0e0f10',
        body: 'kept',
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
        (_, value) => value.writeBytesField(1, Buffer.from('\xef\xbb\xbfa\xff"b', 'latin1')),
        null,
      ),
    )
    expect((await post(message, { dataset: 'text', type: PROTOBUF })).status).toBe(200)
    expect(await rows(`['text'] | project body`)).toBe(`[["\ufeffa\ufffd\\"b"]]`)
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
