import { readdirSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type RunningService, serve } from '../../src/local/serve.js'
import { needsLinux } from '../support/needs.js'
import { RUNS } from '../support/runs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { SKIPPABLE, ZSTD } from '../support/zstd.js'
import { oddBody, PLACES } from './http/bodies.js'
import { sendRaw } from './http/raw.js'

// Random requests over real sockets: each gets a response with a status below 500 or is disconnected, and the
// service works as before afterwards.

const COUNT = 2 * RUNS
const TIMEOUT_MS = Math.max(300_000, COUNT * 200)
const options = { numRuns: COUNT } as const

const directory = temporaryDirectory()
const reported: unknown[] = []
let service: RunningService
let port: number
let headers: Readonly<Record<string, string>>

beforeAll(async () => {
  service = await serve({
    directory,
    host: '127.0.0.1',
    port: 0,
    limits: { bodyBytes: 8 * 1024 * 1024 },
    now: () => 1_767_268_800_000_000_000n,
    report: (error) => reported.push(error),
  })
  port = Number(new URL(service.url).port)
  headers = { authorization: `Bearer ${service.token}`, 'content-type': 'application/json' }
  await post('/v1/ingest/logs', '[{"status":200,"uri":"/a"},{"status":500,"uri":"/b"}]')
})

afterAll(() => service.close())

async function post(path: string, body: string, method = 'POST') {
  const response = await fetch(`${service.url}${path}`, { method, headers, body })
  return { status: response.status, text: await response.text() }
}

/** A request as sent. */
function request(path: string, body: Buffer | string, more: Readonly<Record<string, string>> = {}) {
  const all = { host: 'x', 'content-length': String(body.length), ...headers, ...more }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.concat([
    Buffer.from(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`, 'latin1'),
    Buffer.from(body),
  ])
}

function sendWhole(path: string, body: Buffer, more: Readonly<Record<string, string>>) {
  const bytes = request(path, body, { ...more, connection: 'close' })
  return sendRaw(port, [bytes], { isWhole: true })
}

/** The response to a request that is usually invalid. */
function expectSound(statuses: readonly number[], about: string): void {
  for (const status of statuses) {
    expect(status >= 200 && status < 500 && status !== 499, `${status}: ${about}`).toBe(true)
  }
  expect(reported.splice(0), about).toEqual([])
}

describe('a body of JSON', () => {
  it.each(PLACES)(
    'gets a response for random content: $method $path',
    async ({ method, path, body }) => {
      await fc.assert(
        fc.asyncProperty(oddBody(body), async (odd) => {
          const { status, text } = await post(path, odd, method)
          expectSound([status], `${odd}\n${text.slice(0, 500)}`)
          if (status >= 400) {
            expect(JSON.parse(text)).toMatchObject({ code: status, message: /^[A-Z`].*\.$/s })
          }
        }),
        { ...options, numRuns: RUNS / 2 },
      )
    },
    TIMEOUT_MS,
  )

  it.each(PLACES)(
    'is rejected when it is nested too deeply: $method $path',
    async ({ method, path, body }) => {
      for (const depth of [300, 20_000]) {
        for (const [open, close] of [
          ['[', ']'],
          ['{"a":', '}'],
          ['{"op":"not","children":[', ']}'],
        ] as const) {
          const deep = `${open.repeat(depth)}0${close.repeat(depth)}`
          for (const key of Object.keys(body as object)) {
            const text = JSON.stringify({ ...(body as object), [key]: '@' }).replace('"@"', deep)
            const { status } = await post(path, text, method)
            expectSound([status], `${key} of ${depth} ${open}`)
          }
        }
      }
    },
  )
})

const TYPES = ['application/json', 'application/x-ndjson', 'text/csv', 'text/csv; charset=utf-8']
const ENCODINGS = ['identity', 'gzip', 'zstd', 'x-gzip', 'br', '', 'gzip, gzip', 'GZIP']
const HEADER_TEXT = fc.string({
  unit: fc.integer({ min: 0x20, max: 0xff }).map((code) => String.fromCharCode(code)),
  maxLength: 40,
})
const EVENTS = Buffer.from('{"a":1,"b":{"c":[1,"x"]}}\n{"a":"y"}\n')

describe('an ingest request', () => {
  const body = fc.oneof(
    fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
    fc.json({ maxDepth: 5 }).map((text) => Buffer.from(text)),
    fc.array(fc.json(), { maxLength: 5 }).map((lines) => Buffer.from(lines.join('\n'))),
    fc.constantFrom(EVENTS, gzipSync(EVENTS), ZSTD.two, ZSTD.repeated, ZSTD.wide, SKIPPABLE),
  )
  const sent = fc.record({
    body,
    damage: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 3 }),
    cut: fc.nat(400),
    type: fc.constantFrom(...TYPES),
    encoding: fc.constantFrom(...ENCODINGS),
    query: fc.constantFrom('', 'timestamp-field', 'timestamp-format', 'csv-delimiter', 'x'),
    value: fc.oneof(fc.string(), fc.constantFrom('2006-01-02', '2006 Jan _2', 'a', '%', '\0')),
    header: fc.constantFrom('event-labels', 'csv-fields', 'batch-id', 'org-id'),
    headerValue: fc.oneof(
      HEADER_TEXT,
      fc.json().map((text) => encodeURI(text)),
    ),
  })

  it(
    'gets a response for random bytes',
    async () => {
      await fc.assert(
        fc.asyncProperty(sent, async (given) => {
          const bytes = Buffer.from(given.body).subarray(0, Math.max(1, given.cut))
          for (const [at, value] of given.damage)
            if (bytes.length > 0) bytes[at % bytes.length] = value
          const { query, value, type, encoding, header, headerValue } = given
          const path = `/v1/ingest/odd?${encodeURIComponent(query)}=${encodeURIComponent(value)}`
          const output = await sendWhole(path, bytes, {
            'content-type': type,
            'content-encoding': encoding,
            [`x-service-${header}`]: headerValue,
          })
          expect(output.statuses).toHaveLength(1)
          expectSound(output.statuses, output.text)
        }),
        options,
      )
    },
    TIMEOUT_MS,
  )

  it.each(['application/json', 'application/x-ndjson', 'text/csv'])(
    'is rejected when it decompresses to far more: %s',
    async (type) => {
      const bomb = gzipSync(Buffer.alloc(64 * 1024 * 1024, ' '))
      const more = { 'content-type': type, 'content-encoding': 'gzip' }
      expect((await sendWhole('/v1/ingest/bomb', bomb, more)).statuses).toEqual([413])
    },
  )

  it('of a query is rejected when it decompresses to far more', async () => {
    const bomb = gzipSync(`{"apl":"logs${' '.repeat(64 * 1024 * 1024)}"}`)
    const path = '/v1/datasets/_apl?format=tabular'
    const { statuses } = await sendWhole(path, bomb, { 'content-encoding': 'gzip' })
    expect(statuses).toEqual([413])
  })
})

describe('bytes that are almost HTTP', () => {
  const sound = fc.constantFrom(
    () => request('/v1/ingest/odd', '{"a":1}'),
    () => request('/v1/datasets/_apl?format=tabular', '{"apl":"logs | count"}'),
    () => Buffer.from(`GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n`),
    () =>
      Buffer.from(
        `POST /v1/ingest/odd HTTP/1.1\r\nhost: x\r\nauthorization: ${headers.authorization}\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\nexpect: 100-continue\r\n\r\n3\r\n[{}\r\n1\r\n]\r\n0\r\n\r\n`,
      ),
  )
  const PIECES = [
    '\r\n',
    '\n',
    '\r',
    '\0',
    ' ',
    ':',
    'HTTP/1.1',
    'HTTP/9.9',
    'content-length: 5\r\n',
  ]
  const MORE = ['transfer-encoding: chunked\r\n', 'transfer-encoding: gzip\r\n', 'a'.repeat(20_000)]
  const LAST = [
    'CONNECT',
    'upgrade: websocket\r\nconnection: upgrade\r\n',
    '%',
    '../',
    'ffffffffff\r\n',
  ]
  const piece = fc.oneof(
    fc.constantFrom(...PIECES, ...MORE, ...LAST).map((text) => Buffer.from(text)),
    fc.uint8Array({ minLength: 1, maxLength: 8 }).map((bytes) => Buffer.from(bytes)),
  )
  const edit = fc.record({ at: fc.nat(), removed: fc.nat(8), piece })

  it(
    'get a response or end the connection',
    async () => {
      await fc.assert(
        fc.asyncProperty(
          fc.array(sound, { minLength: 1, maxLength: 3 }),
          fc.array(edit, { minLength: 1, maxLength: 3 }),
          fc.array(fc.nat(), { maxLength: 4 }),
          async (requests, edits, cuts) => {
            let bytes = Buffer.concat(requests.map((make) => make()))
            for (const { at, removed, piece } of edits) {
              const where = at % bytes.length
              bytes = Buffer.concat([
                bytes.subarray(0, where),
                piece,
                bytes.subarray(where + removed),
              ])
            }
            const output = await sendRaw(port, split(bytes, cuts), { isWhole: false })
            // A second request on the connection may get status 100 before its response. And the end of the bytes cancels
            // a query that is still running.
            const statuses = output.statuses.filter((status) => status !== 100 && status !== 499)
            expectSound(statuses, `${JSON.stringify(bytes.toString('latin1'))}\n${output.text}`)
          },
        ),
        options,
      )
    },
    TIMEOUT_MS,
  )
})

function split(bytes: Buffer, cuts: readonly number[]): readonly Buffer[] {
  const places = [0, ...cuts.map((cut) => cut % bytes.length).sort((a, b) => a - b), bytes.length]
  return places.slice(1).map((end, i) => bytes.subarray(places[i], end))
}

describe('afterwards', () => {
  async function busy(): Promise<readonly string[]> {
    const text = await fetch(`${service.url}/metrics`, { headers }).then((response) =>
      response.text(),
    )
    return [...text.matchAll(/^evq_(?:ingest_)?(\w+_(?:running|waiting) \d+)$/gm)].map(
      (found) => found[1]!,
    )
  }

  it('no request, file or connection is left', async () => {
    // Requests whose clients disconnected may still be ending.
    const idle = ['queries_running 0', 'queries_waiting 0', 'requests_waiting 0', 'bytes_waiting 0']
    await until(async () => isDeepStrictEqual(await busy(), idle), 'all requests have ended')
    const spooled = async () => (await readdir(join(directory, 'spool'))).length
    await until(async () => (await spooled()) === 0, 'all files are removed')
  })

  it('no additional file is open', needsLinux, async () => {
    const open = () => readdirSync('/proc/self/fd').length
    const before = open()
    const broken = request('/v1/ingest/odd', 'x'.repeat(100_000), { 'content-length': '200000' })
    for (let i = 0; i < 20; i++) await sendRaw(port, [broken], { isWhole: false })
    // The service may still be closing the last ones.
    await until(
      () => open() <= before + 2,
      () => `${before + 2} open files, not ${open()}`,
    )
    expect(reported).toEqual([])
  })

  it('queries return correct results', async () => {
    const { status, text } = await post(
      '/v1/datasets/_apl?format=tabular',
      '{"apl":"logs | count"}',
    )
    expect([status, JSON.parse(text).tables[0].columns]).toEqual([200, [[2]]])
  })
})
