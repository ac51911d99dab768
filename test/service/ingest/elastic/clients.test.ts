import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import { Client, errors } from '@elastic/elasticsearch'
import pLimit from 'p-limit'
import { describe, expect, it } from 'vitest'
import type { Grant } from '../../../../src/service/auth/grant.js'
import { listening } from '../../running.js'
import { rowsOf } from '../../stored.js'

// Elasticsearch's client as it is, and requests as shippers send them, over real sockets.

const TOKEN = 'xaat-shipper'
const shipper: Grant = { name: 'shipper', personal: false, ingest: ['*'] }

const service = listening({ grants: { [TOKEN]: shipper } })

const rows = (apl: string) => rowsOf(service, apl)

describe("Elasticsearch's client", () => {
  it.each([
    ['', 'shop', { apiKey: TOKEN }, false],
    ['/', 'shop-basic', { username: 'elastic', password: TOKEN }, true],
    ['/v1/ingest/shop-path/elastic', 'ignored', { apiKey: { id: 'i', api_key: TOKEN } }, true],
    ['', 'shop-bearer', { bearer: TOKEN }, false],
  ])('sends to `%s` and index `%s`, authorized by %j', async (path, index, auth, compression) => {
    const client = new Client({ node: service.url + path, auth, compression, maxRetries: 0 })
    try {
      expect((await client.info()).version.number).toMatch(/^8\./)
      expect(await client.ping()).toBe(true)
      expect(await client.indices.exists({ index })).toBe(false)
      const dropped: unknown[] = []
      const documents = Array.from({ length: 500 }, (_, n) => ({
        '@timestamp': new Date(1_767_261_600_000 + n).toISOString(),
        n,
        text: `ü ${n}`,
        ...(n === 100 && { '@timestamp': 'never' }),
      }))
      const stats = await client.helpers.bulk({
        datasource: documents,
        onDocument: ({ n }) =>
          n % 2 === 0 ? { index: { _index: index } } : { create: { _index: index, _id: `${n}` } },
        onDrop: (drop) => dropped.push([drop.status, drop.document?.n, drop.error?.reason]),
        flushBytes: 10_000,
        concurrency: 3,
        refreshOnCompletion: index === 'shop' ? true : index,
      })
      expect(stats).toMatchObject({ total: 500, successful: 499, failed: 1, retry: 0 })
      expect(dropped).toEqual([[400, 100, expect.stringContaining('never')]])
      const dataset = path.includes('shop-path') ? 'shop-path' : index
      expect(
        await rows(
          `['${dataset}'] | summarize count(), sum(n), countif(isnotempty(_id)), max(_time), dcount(text)`,
        ),
      ).toEqual([[499, (499 * 500) / 2 - 100, 250, '2026-01-01T10:00:00.499Z', 499]])
    } finally {
      await client.close()
    }
  })

  it('indexes single documents, with and without an id', async () => {
    const client = new Client({ node: service.url, auth: { apiKey: TOKEN }, maxRetries: 0 })
    try {
      const document = { '@timestamp': '2026-01-01T10:00:00Z', n: 1, text: 'a\nb' }
      expect(await client.index({ index: 'single', document })).toMatchObject({
        _index: 'single',
        _id: expect.stringMatching(/./),
        result: 'created',
      })
      await client.index({ index: 'single', id: 'a/b', document: { n: 2 } })
      expect(await client.create({ index: 'single', id: '3', document: {} })).toMatchObject({
        _id: '3',
      })
      const failed = client.index({ index: 'single', document: { '@timestamp': 'never' } })
      await expect(failed).rejects.toThrow(errors.ResponseError)
      await expect(client.index({ index: '-x-', document })).rejects.toThrow('not a valid dataset')
      expect(await rows("['single'] | sort by n asc | project _id, n, text")).toEqual([
        ['3', null, null],
        [null, 1, 'a\nb'],
        ['a/b', 2, null],
      ])
    } finally {
      await client.close()
    }
  })

  it('finds the address of the service when it looks for nodes', async () => {
    const client = new Client({ node: service.url, auth: { apiKey: TOKEN }, sniffOnStart: true })
    try {
      await new Promise((resolve) => client.diagnostic.once('sniff', resolve))
      await client.index({ index: 'sniffed', document: { n: 1 } })
      expect(await rows('sniffed | project n')).toEqual([[1]])
    } finally {
      await client.close()
    }
  })

  it("creates an index, but can't search it", async () => {
    const client = new Client({ node: service.url, auth: { apiKey: TOKEN }, maxRetries: 0 })
    try {
      expect(await client.indices.exists({ index: 'made' })).toBe(false)
      expect(await client.indices.create({ index: 'made' })).toEqual({
        acknowledged: true,
        shards_acknowledged: true,
        index: 'made',
      })
      await expect(client.search({ index: 'made' })).rejects.toThrow('`/made/_search` is not')
    } finally {
      await client.close()
    }
  })

  it('throws the reason of a refused request', async () => {
    const client = new Client({
      node: service.url,
      auth: { apiKey: 'xaat-unknown' },
      maxRetries: 0,
    })
    try {
      const error = await client.info().catch((thrown: unknown) => thrown)
      expect(error).toBeInstanceOf(errors.ResponseError)
      expect((error as errors.ResponseError).body).toMatchObject({
        error: { type: 'security_exception', reason: 'The token is unknown to this service.' },
        status: 403,
      })
    } finally {
      await client.close()
    }
  })
})

interface Sent {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string | Buffer
  /** True for clients that use `Transfer-Encoding: chunked`. */
  readonly isChunked?: boolean
}

/** Sends a request as it is; `fetch` changes paths and headers. */
function send({ method, path, headers, body, isChunked }: Sent): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const length =
      body === undefined || isChunked ? {} : { 'content-length': Buffer.byteLength(body) }
    const { hostname, port } = new URL(service.url)
    const sent = request({ hostname, port, method, path, headers: { ...headers, ...length } })
    sent.on('error', reject)
    sent.on('response', (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (piece) => {
        text += piece
      })
      response.on('end', () => resolve([response.statusCode ?? 0, text]))
    })
    sent.end(body)
  })
}

const base64 = (text: string) => Buffer.from(text).toString('base64')

describe('the requests of', () => {
  it('Filebeat 8, with templates and gzip', async () => {
    const headers = {
      'user-agent': 'Elastic-filebeat/8.12.1 (linux; amd64)',
      accept: 'application/json',
      authorization: `ApiKey ${base64(`axiom:${TOKEN}`)}`,
      'x-elastic-product-origin': 'beats',
    }
    const json = { ...headers, 'content-type': 'application/json; charset=UTF-8' }
    const base = '/v1/ingest/beats/elastic'
    const start: readonly Sent[] = [
      { method: 'GET', path: `${base}/`, headers },
      { method: 'GET', path: `${base}/_license?human=false`, headers },
      { method: 'GET', path: `${base}/_ilm/policy/filebeat`, headers },
      { method: 'HEAD', path: `${base}/_index_template/filebeat-8.12.1`, headers },
      { method: 'PUT', path: `${base}/_index_template/filebeat-8.12.1`, headers: json, body: '{}' },
      { method: 'PUT', path: `${base}/_data_stream/filebeat-8.12.1`, headers },
    ]
    for (const sent of start) expect((await send(sent))[0], sent.path).toBe(200)
    const event =
      '{"@timestamp":"2026-01-01T10:00:00.123Z","@metadata":{"beat":"filebeat","type":"_doc","version":"8.12.1"},"log":{"offset":0,"file":{"path":"/var/log/a.log"}},"message":"GET /a 200","input":{"type":"filestream"},"ecs":{"version":"8.0.0"},"host":{"name":"h-1"},"agent":{"type":"filebeat","version":"8.12.1"}}'
    const body = gzipSync(`{"create":{"_index":"filebeat-8.12.1"}}\n${event}\n`.repeat(3))
    const [status, text] = await send({
      method: 'POST',
      path: `${base}/_bulk?filter_path=errors%2Citems.%2A.error%2Citems.%2A.status`,
      headers: { ...json, 'content-encoding': 'gzip' },
      body,
    })
    expect([status, text]).toEqual([
      200,
      '{"errors":false,"items":[{"create":{"status":201}},{"create":{"status":201}},{"create":{"status":201}}]}',
    ])
    expect(
      await rows(
        "['beats'] | summarize count() by _time, message, ['log.file.path'], ['host.name'], ['@metadata.beat']",
      ),
    ).toEqual([['2026-01-01T10:00:00.123Z', 'GET /a 200', '/var/log/a.log', 'h-1', 'filebeat', 3]])
  })

  it('Filebeat 7, with an alias and a daily index', async () => {
    const headers = { authorization: `Basic ${base64(`elastic:${TOKEN}`)}` }
    const json = { ...headers, 'content-type': 'application/json; charset=UTF-8' }
    const index = '/%3Cfilebeat-7.17.0-%7Bnow%2Fd%7D-000001%3E'
    const start: readonly Sent[] = [
      { method: 'GET', path: '/', headers },
      { method: 'GET', path: '/_xpack', headers },
      { method: 'HEAD', path: '/_template/filebeat-7.17.0', headers },
      { method: 'GET', path: '/_alias/filebeat-7.17.0', headers },
      { method: 'PUT', path: index, headers: json, body: '{"aliases":{}}' },
    ]
    for (const sent of start) expect((await send(sent))[0], sent.path).toBe(200)
    const action = '{"index":{"_index":"filebeat-7.17.0-2026.01.01","_type":"_doc"}}'
    const [status, text] = await send({
      method: 'POST',
      path: '/_bulk',
      headers: json,
      body: `${action}\n{"@timestamp":"2026-01-01T10:00:00.000Z","message":"x"}\n`,
    })
    expect([status, JSON.parse(text).errors]).toEqual([200, false])
    expect(await rows("['filebeat-7.17.0'] | project message")).toEqual([['x']])
  })

  it('Logstash, with slashes and data streams', async () => {
    const headers = {
      authorization: `Basic ${base64(`logstash:${TOKEN}`)}`,
      'content-type': 'application/json',
      'x-elastic-product-origin': 'logstash-output-elasticsearch',
    }
    for (const [method, path] of [
      ['HEAD', '/'],
      ['GET', '/'],
      ['GET', '/_license'],
      ['HEAD', '/_index_template/ecs-logstash'],
    ]) {
      expect((await send({ method: method!, path: path!, headers }))[0], path).toBe(200)
    }
    const [status, text] = await send({
      method: 'POST',
      path: '//_bulk?filter_path=errors,items.*.error,items.*.status',
      headers,
      body: '{"create":{"_index":"logs-generic-default","routing":null}}\n{"@timestamp":"2026-01-01T10:00:00.000000001Z","@version":"1","message":"hello","data_stream":{"type":"logs"}}\n',
    })
    expect([status, text]).toEqual([200, '{"errors":false,"items":[{"create":{"status":201}}]}'])
    expect(await rows("['logs-generic-default'] | project _time, message, ['@version']")).toEqual([
      ['2026-01-01T10:00:00.000000001Z', 'hello', '1'],
    ])
  })

  it('Fluent Bit, whose actions have an id or a type', async () => {
    const [status, text] = await send({
      method: 'POST',
      path: '/_bulk/?pipeline=none',
      headers: {
        'user-agent': 'Fluent-Bit',
        'content-type': 'application/x-ndjson',
        authorization: `Basic ${base64(`any:${TOKEN}`)}`,
      },
      body: '{"create":{"_index":"fluent-bit","_type":"_doc","_id":"b5-1"}}\n{"@timestamp":"2026-01-01T10:00:00.500Z","cpu_p":1.5}\n{"index":{"_index":"fluent-bit"}}\n{"@timestamp":"2026-01-01T10:00:01.500Z","cpu_p":2}\n',
    })
    expect([status, JSON.parse(text)]).toEqual([
      200,
      {
        took: expect.any(Number),
        errors: false,
        items: [
          { create: expect.objectContaining({ _index: 'fluent-bit', _id: 'b5-1', status: 201 }) },
          { index: expect.objectContaining({ _index: 'fluent-bit', status: 201 }) },
        ],
      },
    ])
    expect(await rows("['fluent-bit'] | sort by _time asc | project _id, cpu_p")).toEqual([
      ['b5-1', 1.5],
      [null, 2],
    ])
  })

  it('rsyslog and syslog-ng, with types and blanks', async () => {
    const headers = {
      'content-type': 'application/json; charset=utf-8',
      authorization: `Basic ${base64(`rsyslog:${TOKEN}`)}`,
    }
    const rsyslog =
      '{"index":{"_index": "system","_type":"events"}}\n{"message":" started","fromhost":"h","facility":"daemon","priority":"info","timereported":"2026-01-01T10:00:00.000000+00:00","timegenerated":"2026-01-01T10:00:00.000000+00:00"}\n'
    const [status, text] = await send({ method: 'POST', path: '/_bulk?', headers, body: rsyslog })
    expect([status, JSON.parse(text).items]).toEqual([
      200,
      [{ index: expect.objectContaining({ _index: 'system', status: 201 }) }],
    ])
    const syslogNg =
      '{ "index" : { "_index" : "syslog-ng" } }\n{ "@timestamp" : "2026-01-01T10:00:00Z", "MESSAGE" : "m" }\n'
    const chunked = { method: 'POST', path: '/_bulk', headers, body: syslogNg, isChunked: true }
    expect((await send(chunked))[0]).toBe(200)
    expect(await rows("['system'] | project message, facility")).toEqual([[' started', 'daemon']])
    expect(await rows("['syslog-ng'] | project _time, MESSAGE")).toEqual([
      ['2026-01-01T10:00:00Z', 'm'],
    ])
  })

  it('Vector and the Python client, by PUT and with a health check', async () => {
    const headers = {
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/vnd.elasticsearch+x-ndjson; compatible-with=8',
      accept: 'application/vnd.elasticsearch+json; compatible-with=8',
    }
    const health = await send({ method: 'GET', path: '/_cluster/health', headers })
    expect([health[0], JSON.parse(health[1]).status]).toEqual([200, 'green'])
    const body =
      '{"create":{"_index":"vector-2026.01.01","_type":"_doc"}}\n{"message":"x","timestamp":"2026-01-01T10:00:00Z"}'
    const [status] = await send({ method: 'PUT', path: '/_bulk', headers, body })
    expect(status).toBe(200)
    expect(await rows("['vector'] | project message")).toEqual([['x']])
  })
})

describe('hostile requests', () => {
  const headers = { authorization: `Bearer ${TOKEN}` }

  it('that are truncated or damaged anywhere are refused, or have an item per action', async () => {
    let seed = 3
    const random = (below: number) => {
      seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
      return (seed >>> 8) % below
    }
    const whole = Buffer.from(
      '{"index":{"_id":"1"}}\n{"a":{"b":[1,"x\\n"]}}\n{"create":{}}\n{"a":2}\n{"delete":{"_id":"1"}}\n',
    )
    const bodies = [
      ...Array.from(whole, (_, end) => whole.subarray(0, end)),
      ...Array.from({ length: 60 }, () => {
        const damaged = Buffer.from(whole)
        damaged[random(damaged.length)] = random(256)
        return damaged
      }),
      ...Array.from({ length: 40 }, () =>
        Buffer.from(Array.from({ length: random(200) }, () => random(256))),
      ),
    ]
    // Several at once, whose events are stored together.
    await pLimit(20).map(bodies, async (body) => {
      const response = await service.send({ path: '/damaged/_bulk', body })
      expect([200, 400], body.toString('hex')).toContain(response.status)
      if (response.status === 200) {
        const failed = response.body.items.some(
          (item: object) => Object.values(item)[0].status !== 201,
        )
        expect(failed, body.toString()).toBe(response.body.errors)
      } else expect(response.body.error.type).toBe('illegal_argument_exception')
    })
  })

  it('that decompress to far more are refused', async () => {
    const small = service.limited({ bodyBytes: 1_000_000 })
    for (const content of [' ', '\n', 'x', '{"delete":{}}\n', '{"index":{}}\n{}\n']) {
      const body = gzipSync(content.repeat(Math.ceil(4_000_000 / content.length)))
      const { status } = await small({
        path: '/bomb/_bulk',
        headers: { 'content-encoding': 'gzip' },
        body,
      })
      expect([400, 413], content).toContain(status)
    }
    expect(service.store.schema.datasets).not.toContain('bomb')
  })

  it('that disconnect in the middle store nothing', async () => {
    const { hostname, port } = new URL(service.url)
    const sent = request({
      hostname,
      port,
      method: 'POST',
      path: '/cut/_bulk',
      headers: { ...headers, 'content-length': 1000 },
      // A connection of its own: one that is reused is connected already.
      agent: false,
    })
    sent.on('error', () => {})
    sent.write('{"index":{}}\n{"n":1}\n{"index":{}}\n')
    await new Promise((resolve) => sent.once('socket', (socket) => socket.once('connect', resolve)))
    sent.destroy()
    const after = { method: 'GET', path: '/', headers: { ...headers } }
    expect((await send(after))[0]).toBe(200)
    expect(service.store.schema.datasets).not.toContain('cut')
  })
})
