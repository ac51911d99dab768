import { request } from 'node:http'
import { gzipSync } from 'node:zlib'
import pLimit from 'p-limit'
import { describe, expect, it } from 'vitest'
import type { Grant } from '../../../../src/service/auth/grant.js'
import { listening } from '../../running.js'
import { rowsOf } from '../../stored.js'

// Requests as clients of the HTTP Event Collector send them, over real sockets.

const TOKEN = 'xaat-shipper'
const shipper: Grant = { name: 'shipper', personal: false, ingest: ['*'] }
const AUTHORIZED = { authorization: `Splunk ${TOKEN}` }

const service = listening({ grants: { [TOKEN]: shipper } })

interface Sent {
  readonly method?: string
  readonly path: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Buffer
}

/** Returns the status and the body of the response. */
function send({ method = 'POST', path, headers, body }: Sent): Promise<[number, string]> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(service.url)
    const sent = request({ hostname, port, method, path, headers })
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

const rows = (apl: string) => rowsOf(service, apl)

const SUCCESS = [200, '{"text":"Success","code":0}']

describe('the requests of', () => {
  it("Docker's logging driver: a connection test, then events without anything between them", async () => {
    const path = '/services/collector/event/1.0'
    expect((await send({ method: 'OPTIONS', path }))[0]).toBe(200)
    const event = (line: string, time: string) =>
      `{"event":{"line":${line},"source":"stdout","tag":"3f0f0a4"},"time":"${time}","host":"docker-1","index":"docker"}`
    const text =
      event('"plain"', '1767261600.123456') + event('{"level":"warn","n":1}', '1767261601.000000')
    const gzip = { ...AUTHORIZED, 'content-encoding': 'gzip' }
    expect(await send({ path, headers: AUTHORIZED, body: text })).toEqual(SUCCESS)
    expect(await send({ path, headers: gzip, body: gzipSync(text) })).toEqual(SUCCESS)
    expect(
      await rows(
        "['docker'] | summarize count() by _time, host, source, tag, ['line.level'], line=tostring(line) | sort by _time asc | project-away line",
      ),
    ).toEqual([
      ['2026-01-01T10:00:00.123456Z', 'docker-1', 'stdout', '3f0f0a4', null, 2],
      ['2026-01-01T10:00:01Z', 'docker-1', 'stdout', '3f0f0a4', 'warn', 2],
    ])
  })

  it('the OpenTelemetry Collector', async () => {
    expect((await send({ method: 'GET', path: '/services/collector/health' }))[0]).toBe(200)
    const headers = {
      ...AUTHORIZED,
      'content-type': 'application/json',
      'content-encoding': 'gzip',
      'user-agent': 'OpenTelemetry Collector Contrib/v0.120.0',
      'x-splunk-app-name': 'OpenTelemetry Collector Contrib',
      __splunk_app_version: 'v0.120.0',
    }
    const body = gzipSync(
      [
        '{"time":1767261600.5,"host":"h-1","source":"otel","sourcetype":"otel:log","index":"otel","event":"started","fields":{"service.name":"shop","otel.log.severity.number":9,"trace_id":"7b"}}',
        '{"time":1767261601,"host":"unknown","index":"otel","event":{"a":{"b":true}},"fields":{}}',
      ].join('\r\n\r\n'),
    )
    expect(await send({ path: '/services/collector', headers, body })).toEqual(SUCCESS)
    expect(
      await rows(
        "['otel'] | sort by _time asc | project _time, host, _raw, ['service.name'], ['otel.log.severity.number'], ['a.b']",
      ),
    ).toEqual([
      ['2026-01-01T10:00:00.5Z', 'h-1', 'started', 'shop', 9, null],
      ['2026-01-01T10:00:01Z', 'unknown', null, null, null, true],
    ])
  })

  it('Vector, Fluent Bit and the JavaScript library', async () => {
    expect((await send({ method: 'GET', path: '/services/collector/health/1.0' }))[0]).toBe(200)
    const vector =
      '{"event":{"message":"v"},"fields":{"region":"eu"},"time":1767261600.111,"host":"h","index":"others"}'
    const channel = { 'x-splunk-request-channel': '0f5b7b0a-9f2c-4c39-8a0d-3e2c2b1d6f11' }
    expect(
      await send({
        path: '/services/collector/event',
        headers: { ...AUTHORIZED, ...channel },
        body: vector + vector,
      }),
    ).toEqual(SUCCESS)
    const fluentBit = '{"time":1767261600.222333,"event":{"log":"f"},"index":"others"}'
    expect(
      await send({ path: '/services/collector/event', headers: AUTHORIZED, body: fluentBit }),
    ).toEqual(SUCCESS)
    const library =
      '{"time":"1767261600.333","host":"l","event":{"message":{"order":1},"severity":"info"},"index":"others"}'
    const basic = { authorization: `Basic ${Buffer.from(`x:${TOKEN}`).toString('base64')}` }
    expect(
      await send({ path: '/services/collector/event/1.0', headers: basic, body: library }),
    ).toEqual(SUCCESS)
    expect(
      await rows(
        "['others'] | summarize count() by _time, message=tostring(message), log, severity, region | sort by _time asc",
      ),
    ).toEqual([
      ['2026-01-01T10:00:00.111Z', 'v', null, null, 'eu', 2],
      ['2026-01-01T10:00:00.222333Z', '', 'f', null, null, 1],
      ['2026-01-01T10:00:00.333Z', expect.anything(), null, 'info', null, 1],
    ])
  })

  it('a forwarder of raw lines', async () => {
    const path = '/services/collector/raw?index=raw&sourcetype=access&host=web-1'
    const body = 'GET /a 200\nGET /b 404\n'
    expect(await send({ path, headers: AUTHORIZED, body })).toEqual(SUCCESS)
    expect(await rows("['raw'] | sort by _raw asc | project _raw, sourcetype, host")).toEqual([
      ['GET /a 200', 'access', 'web-1'],
      ['GET /b 404', 'access', 'web-1'],
    ])
  })
})

describe('hostile requests', () => {
  let seed = 5
  const random = (below: number) => {
    seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0
    return (seed >>> 8) % below
  }

  it('that are truncated or damaged anywhere are refused, or stored', async () => {
    const whole = Buffer.from(
      '[{"event":{"a":[1,{"b":"x\\u00e9"}]},"time":1767261600.5},{"event":"t","fields":{"f":1},"host":"h"}]',
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
    await pLimit(20).map(bodies, async (body, i) => {
      for (const kind of i % 10 === 0 ? ['event', 'raw'] : ['event']) {
        const path = `/services/collector/${kind}?index=damaged`
        const response = await service.send({
          path,
          headers: { 'content-type': 'application/json' },
          body,
        })
        expect([200, 400], body.toString('hex')).toContain(response.status)
        expect([0, 5, 6, 7, 12, 13, 15]).toContain(response.body.code)
      }
    })
  })

  it('that decompress to far more, or are nested deeply, are refused', async () => {
    const small = service.limited({ bodyBytes: 1_000_000 })
    const headers = { 'content-encoding': 'gzip' }
    for (const content of [' ', '{"event":1}', '{"event":', '[', 'x\n']) {
      const body = gzipSync(content.repeat(Math.ceil(4_000_000 / content.length)))
      for (const kind of ['event', 'raw']) {
        const path = `/services/collector/${kind}?index=bomb`
        expect([400, 413], content).toContain((await small({ path, headers, body })).status)
      }
    }
    const depth = 100_000
    const deep = `{"event":${'['.repeat(depth)}${']'.repeat(depth)}}`
    const nested = await service.send({ path: '/services/collector?index=bomb', body: deep })
    expect([200, 400]).toContain(nested.status)
    const object = `{"event":${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}}`
    const path = '/services/collector?index=bomb'
    expect((await service.send({ path, body: object })).body.code).toBe(6)
  })
})
