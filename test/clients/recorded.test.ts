import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { until } from '../support/until.js'
import { ZSTD } from '../support/zstd.js'
import { servedClients } from './served-clients.js'

// Requests as they were recorded from clients that are seldom on a machine, and what those clients require of the responses.

const service = servedClients()

interface Asked {
  readonly token: 'personal' | 'api'
  readonly method?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: NonNullable<RequestInit['body']>
}

// biome-ignore lint/suspicious/noExplicitAny: tests state their expectations
async function ask(path: string, { token, headers, ...init }: Asked): Promise<[number, any]> {
  const { personalToken, apiToken } = service
  const authorization = `Bearer ${token === 'personal' ? personalToken : apiToken}`
  const response = await service.send(path, { ...init, headers: { authorization, ...headers } })
  const text = await response.text()
  return [response.status, text === '' ? undefined : JSON.parse(text)]
}

const RFC_3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

describe('the Rust SDK', () => {
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'axiom-rs/0.11.6',
    'x-axiom-org-id': 'evq',
  }

  it('ingests with gzip, and with an empty content encoding', async () => {
    const counted = {
      ...{ ingested: 1, failed: 0, failures: [] },
      processedBytes: expect.any(Number),
      blocksCreated: expect.any(Number),
      walLength: expect.any(Number),
    }
    const packed = { ...headers, 'content-encoding': 'gzip' }
    const body = gzipSync('[{"_time":"2026-01-01T10:00:00Z","n":1}]')
    const gzip: Asked = { token: 'personal', headers: packed, body }
    expect(await ask('/v1/datasets/rs/ingest', gzip)).toEqual([200, counted])
    const empty: Asked = {
      token: 'personal',
      headers: { ...headers, 'content-encoding': '' },
      body: '[{"_time":"2026-01-01T10:01:00Z","n":2}]',
    }
    expect(await ask('/v1/datasets/rs/ingest', empty)).toEqual([200, counted])
    expect(await service.ask('rs | summarize sum(n)')).toEqual({ sum_n: [3] })
  })

  it('requires times of blocks in each result', async () => {
    const body = JSON.stringify({ apl: 'rs | where n > 100', includeCursor: false })
    const [status, result] = await ask('/v1/datasets/_apl?format=tabular&nocache=false', {
      token: 'personal',
      headers,
      body,
    })
    expect(status).toBe(200)
    expect(result.status).toMatchObject({
      minBlockTime: expect.stringMatching(RFC_3339),
      maxBlockTime: expect.stringMatching(RFC_3339),
    })
  })

  it('requires the maker and the time of a dataset, its size, and the addresses of a user', async () => {
    const get: Asked = { token: 'personal', method: 'GET', headers }
    const record = {
      id: 'rs',
      name: 'rs',
      description: expect.any(String),
      who: expect.any(String),
      created: expect.stringMatching(RFC_3339),
    }
    const [, listed] = await ask('/v1/datasets', get)
    expect(listed).toEqual([expect.objectContaining(record)])
    const [, info] = await ask('/v1/datasets/rs/info', get)
    expect(info).toMatchObject({
      ...{ name: 'rs', numEvents: 2, numFields: expect.any(Number) },
      inputBytes: expect.any(Number),
      compressedBytes: expect.any(Number),
      minTime: '2026-01-01T10:00:00Z',
      maxTime: '2026-01-01T10:01:00Z',
      created: expect.stringMatching(RFC_3339),
    })
    const [, user] = await ask('/v1/user', get)
    expect(user).toMatchObject({ id: expect.any(String), emails: expect.any(Array) })
  })
})

describe('the command line of the hosted service', () => {
  const headers = { 'user-agent': 'axiom-cli/0.14.7', 'content-type': 'application/json' }

  it('starts with the user and the organization', async () => {
    const get: Asked = { token: 'personal', method: 'GET', headers }
    const [status, user] = await ask('/v2/user', get)
    expect([status, user]).toEqual([200, expect.objectContaining({ email: expect.any(String) })])
    const [, orgs] = await ask('/v2/orgs', get)
    const path = `/v2/orgs/${orgs[0].id}`
    expect(await ask(path, get)).toEqual([200, expect.objectContaining({ id: orgs[0].id })])
  })

  it('ingests zstd in a body of unknown length', async () => {
    const body = new Blob([ZSTD.two]).stream()
    const [status, result] = await ask('/v1/datasets/cli/ingest', {
      token: 'api',
      headers: { ...headers, 'content-type': 'application/x-ndjson', 'content-encoding': 'zstd' },
      body,
      ...{ duplex: 'half' },
    })
    expect([status, result.failed]).toEqual([200, 0])
    expect(result.ingested).toBeGreaterThan(0)
  })

  it('names the columns of CSV and adds labels', async () => {
    const [status, result] = await ask('/v1/datasets/cli-csv/ingest?csv-delimiter=%3B', {
      token: 'api',
      headers: {
        'content-type': 'text/csv',
        'x-axiom-csv-fields': 'x,y',
        'x-axiom-event-labels': '{"host":"h1"}',
      },
      body: '1;2\n3;4\n',
    })
    expect([status, result.ingested]).toEqual([200, 2])
    expect(await service.ask("['cli-csv'] | project x, y, host | sort by x asc")).toEqual({
      x: [1, 3],
      y: [2, 4],
      host: ['h1', 'h1'],
    })
  })

  /** Streams the first event of a new dataset; returns the response, and how late the request arrived at most. */
  async function streamed(dataset: string) {
    const path = `/v1/datasets/${dataset}`
    await service.send(`${path}/ingest`, { headers, body: '[{"n":0,"_time":0}]' })
    const began = performance.now()
    const held = ask(`${path}/query?streaming-duration=30s`, {
      token: 'api',
      headers,
      body: JSON.stringify({
        ...{ startTime: '2026-01-01T12:00:00Z', endTime: new Date().toISOString() },
        ...{ resolution: 'auto', aggregations: null, groupBy: null, order: null, limit: 0 },
        ...{ filter: { op: '', field: '', value: null, caseSensitive: false, children: null } },
        ...{
          virtualFields: null,
          project: null,
          cursor: '',
          includeCursor: false,
          continuationToken: '',
        },
      }),
    })
    let isAnswered = false
    held.then(() => {
      isAnswered = true
    })
    const metrics = async () => {
      const init = { method: 'GET', headers: { authorization: `Bearer ${service.personalToken}` } }
      return await (await service.send('/metrics', init)).text()
    }
    await until(
      async () => /\nevq_queries_running 0\n/.test(await metrics()),
      'the query has run once',
    )
    expect(isAnswered).toBe(false)
    await service.send(`${path}/ingest`, { headers, body: '[{"n":7}]' })
    const [status, result] = await held
    const lateMs = performance.now() - began - result.status?.elapsedTime / 1_000
    return {
      lateMs,
      response: [status, result.matches?.map(({ data }: { data: object }) => data)],
    }
  }

  it('streams events: a request is held until there is one', async () => {
    let attempts = 0
    const attempt = () => streamed(`live-${++attempts}`)
    let last = await attempt()
    // To the service, an end up to five seconds ago is now. It may be older when it arrives from a slow machine.
    while (last.lateMs >= 5_000 && attempts < 5) last = await attempt()
    expect(last.response).toEqual([200, [{ n: 7 }]])
  })

  it('creates, updates, trims and deletes datasets', async () => {
    const json: Asked = { token: 'personal', headers }
    const body = (value: object) => ({ body: JSON.stringify(value) })
    const made = { name: 'made', description: 'by the CLI' }
    expect(await ask('/v2/datasets', { ...json, ...body(made) })).toEqual([
      200,
      expect.objectContaining(made),
    ])
    const change = { ...json, method: 'PUT', ...body({ description: 'changed' }) }
    expect((await ask('/v2/datasets/made', change))[0]).toBe(200)
    const trim = { ...json, ...body({ maxDuration: '1h0m0s' }) }
    expect((await ask('/v2/datasets/made/trim', trim))[0]).toBe(200)
    expect((await ask('/v2/datasets/made', { ...json, method: 'DELETE' }))[0]).toBe(204)
  })
})

describe('the Python SDK', () => {
  it('sends the number of an encoding, and seconds', async () => {
    const [status, result] = await ask('/v1/datasets/py/ingest', {
      token: 'api',
      headers: { 'content-type': 'application/x-ndjson', 'content-encoding': '1' },
      body: '{"n":1}\n',
    })
    expect([status, result.ingested]).toEqual([200, 1])
    const trim: Asked = {
      token: 'personal',
      headers: { 'content-type': 'application/json' },
      body: '{"maxDuration":"3600s"}',
    }
    expect((await ask('/v1/datasets/py/trim', trim))[0]).toBe(200)
  })
})

describe("Log4j's appender for HTTP", () => {
  it('sends one event per request, which its JSON layout writes in several lines', async () => {
    const [status, result] = await ask('/v1/ingest/log4j', {
      token: 'api',
      headers: { 'content-type': 'application/json; charset=UTF-8', 'user-agent': 'Java/17.0.15' },
      body: `{
  "instant" : {
    "epochSecond" : 1795721067,
    "nanoOfSecond" : 642277931
  },
  "thread" : "main",
  "level" : "INFO",
  "loggerName" : "a.B",
  "message" : "hello é {1}",
  "contextMap" : {
    "req" : "r1"
  },
  "endOfBatch" : false,
  "threadId" : 1,
  "threadPriority" : 5
}\r\n`,
    })
    expect([status, result.ingested, result.failed]).toEqual([200, 1, 0])
    expect(
      await service.ask('log4j | project message, level, instant.nanoOfSecond, contextMap.req'),
    ).toEqual({
      message: ['hello é {1}'],
      level: ['INFO'],
      'instant.nanoOfSecond': [642277931],
      'contextMap.req': ['r1'],
    })
  })
})

describe("Fluent Bit's output for HTTP", () => {
  it('sends events of the format `json_stream` without anything between them', async () => {
    const [status, result] = await ask('/v1/ingest/fluent?timestamp-field=date', {
      token: 'api',
      headers: { 'content-type': 'application/json', 'user-agent': 'Fluent-Bit' },
      body: '{"date":1767268800.5,"log":"one"}{"date":1767268801.25,"log":"two"}',
    })
    expect([status, result.ingested, result.failed]).toEqual([200, 2, 0])
    expect(await service.ask('fluent | sort by _time asc | project _time, log')).toEqual({
      _time: ['2026-01-01T12:00:00.5Z', '2026-01-01T12:00:01.25Z'],
      log: ['one', 'two'],
    })
  })
})
