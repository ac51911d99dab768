import { type IncomingMessage, request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { PbfReader, PbfWriter } from 'pbf'
import { describe, expect, it } from 'vitest'
import type { ServiceRequest } from '../../../src/service/http.js'
import { encodeOtlpError } from '../../../src/service/ingest/otlp/otlp-response.js'
import { listen } from '../../../src/service/listener/listen.js'
import { LISTENER_TIMEOUTS } from '../../../src/service/listener/timeouts.js'
import type { TestResponse } from '../running.js'
import {
  attribute,
  JSON_TYPE,
  LIMIT,
  logsMessage,
  otlpService,
  PROTOBUF,
  TIME,
} from './otlp-service.js'

const service = otlpService()
const { post, postRecords, rows, send } = service

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
    const denied = await service.running.send({
      path: '/v1/traces?dataset=secret',
      headers: { 'content-type': PROTOBUF, authorization: 'Bearer xaat-shipper' },
      trusted: false,
    })
    expect(failure(denied)).toEqual([
      403,
      7,
      'The token `shipper` does not allow ingest into `secret`.',
    ])
    for (const type of ['text/plain', 'constructor', '__proto__']) {
      expect(failure(await post('x', { type }))).toEqual([
        415,
        3,
        `The content type \`${type}\` is not supported. Supported types: \`application/x-protobuf\`, \`application/json\`.`,
      ])
    }
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
    ['{"resourceLogs":[]} []', 'not JSON: an object expected at byte 20'],
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
    expect(service.running.store.schema.datasets).not.toContain('malformed')
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
      'The request is larger than 16 times its size once each event has its labels, resource and scope, or the names of its fields: none of the events were stored. Send several smaller requests.',
    ])
    expect(service.running.store.schema.datasets).not.toContain('bomb')
  })

  it('has a record of more than 8 MiB, or an unknown member', async () => {
    const send = service.running.limited({ bodyBytes: 32 * 1024 * 1024 })
    const text = 'x'.repeat(9 * 1024 * 1024)
    const sendAs = (type: string, body: string | Buffer) =>
      send({ path: '/v1/logs?dataset=huge', headers: { 'content-type': type }, body })
    const refused = [
      413,
      3,
      'The request is too large: a record or a resource is larger than 8 MiB. Send smaller requests.',
    ]
    const large = record(JSON.stringify({ attributes: [{ key: text }, { key: 'k' }] }))
    expect(failure(await sendAs(JSON_TYPE, large))).toEqual(refused)
    const unknown = `{"x":[${'1,'.repeat(5 * 1024 * 1024)}1]}`
    expect(failure(await sendAs(JSON_TYPE, unknown))).toEqual(refused)
    expect(failure(await sendAs(JSON_TYPE, `{"x":"${text}`))).toEqual(refused)
    const message = logsMessage((one) => one.writeStringField(3, text))
    expect(failure(await sendAs(PROTOBUF, message))).toEqual(refused)
  })

  it.each([
    ['0b', 'a field has the wire type 3'],
    ['08ffffffffffffffffffff01', 'an integer has more than 10 bytes'],
    ['0000', 'a field has the number 0'],
  ])('is malformed protobuf: %s', async (hex, trouble) => {
    const body = Buffer.from(hex, 'hex')
    expect(failure(await post(body, { dataset: 'malformed', type: PROTOBUF }))).toEqual([
      400,
      3,
      `The request body is not a valid export request of logs: ${trouble}.`,
    ])
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
    expect(service.running.store.schema.datasets).not.toContain('cut')
  })

  it('arrives too slowly, and may be sent again', async () => {
    const slow = await listen({
      app: service.running.app,
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
    expect(service.running.store.schema.datasets).not.toContain('slow')
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
    const zstd = { 'content-encoding': 'zstd' }
    const small = record('{"body":{"stringValue":"zstd"}}')
    expect((await post(rawZstd(small), { dataset: 'zstd', headers: zstd })).status).toBe(200)
    expect(await rows(`['zstd'] | project body`)).toBe('[["zstd"]]')
    const [status] = failure(await post(small, { dataset: 'zstd', headers: zstd }))
    expect(status).toBe(400)
  })
})

/** A zstd frame of one block without compression (RFC 8878): of a single segment, its length in one byte. */
function rawZstd(text: string): Buffer {
  const header = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, 0x20, text.length, 0, 0, 0])
  header.writeUIntLE((text.length << 3) | 1, 6, 3)
  return Buffer.concat([header, Buffer.from(text)])
}

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
