import { rename } from 'node:fs/promises'
import { deflateSync, gzipSync } from 'node:zlib'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ZSTD } from '../../support/zstd.js'
import {
  type Running,
  run,
  type Send,
  spoolIsEmpty,
  type TestRequest,
  type TestResponse,
} from '../running.js'

const LIMIT = 1024 * 1024

let service: Running
let send: Send

beforeAll(async () => {
  service = await run()
  send = service.limited({ bodyBytes: LIMIT })
})

afterEach(() => spoolIsEmpty(service.store))

afterAll(() => service.close())

const NDJSON = 'application/x-ndjson'

/** Sends events with a content type, by default to the dataset `logs`. */
function ingest(
  type: string,
  body: NonNullable<TestRequest['body']>,
  more: Partial<TestRequest> = {},
): Promise<TestResponse> {
  const headers = { 'content-type': type, ...more.headers }
  return send({ path: '/v1/ingest/logs', body, ...more, headers })
}

async function rowsOf(dataset: string): Promise<Record<string, unknown>[]> {
  const { status, text, body } = await service.send({
    path: '/v1/datasets/_apl?format=tabular',
    body: JSON.stringify({ apl: `['${dataset}'] | sort by _time asc` }),
  })
  expect(status, text).toBe(200)
  const [table] = body.tables
  const rows = (table.columns[0] ?? []) as unknown[]
  return rows.map((_, row) =>
    Object.fromEntries(
      table.fields.map(({ name }: { name: string }, i: number) => [name, table.columns[i][row]]),
    ),
  )
}

describe('an ingest request', () => {
  it('stores the same with the name of the dataset before `ingest`', async () => {
    const path = '/v1/datasets/by-base-url/ingest'
    expect((await ingest(NDJSON, '{"a":1}', { path })).body).toMatchObject({ ingested: 1 })
    expect(await rowsOf('by-base-url')).toMatchObject([{ a: 1 }])
    const invalid = await ingest(NDJSON, '{"a":1}', { path: '/v1/datasets/_stats/ingest' })
    expect(invalid.status).toBe(400)
  })

  it('may have extra slashes in its path', async () => {
    const path = 'http://localhost//v1/ingest/loose/'
    expect((await ingest(NDJSON, '{"a":1}', { path })).body).toMatchObject({ ingested: 1 })
    expect(await rowsOf('loose')).toMatchObject([{ a: 1 }])
  })

  it('stores one object per line', async () => {
    const body = '{"a":1,"_time":"2026-01-01T00:00:01Z"}\n{"a":2,"_time":"2026-01-01T00:00:02Z"}\n'
    const response = await ingest(NDJSON, body, { path: '/v1/ingest/lines' })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({
      ingested: 2,
      failed: 0,
      failures: [],
      processedBytes: 78,
      walLength: 0,
    })
    expect(response.body.blocksCreated).toBeGreaterThan(0)
    expect((await rowsOf('lines')).map(({ a }) => a)).toEqual([1, 2])
  })

  describe('with more failures than are listed', () => {
    // Every third line is valid.
    const body = Array.from({ length: 3_000 }, (_, i) => (i % 3 === 2 ? '{"a":1}' : 'x')).join('\n')

    it('counts all failures and lists the first 1,000', async () => {
      const { body: result } = await ingest(NDJSON, body, { path: '/v1/ingest/failures' })
      expect(result).toMatchObject({ ingested: 1000, failed: 2000, failuresOmitted: 1000 })
      expect(result.failures).toHaveLength(1000)
      expect(result.failures[999]).toMatchObject({ index: 1498, line: 1499 })
    })

    it.each([
      ['0', 0, 2000],
      ['1999', 1999, 1],
      ['10000', 2000, undefined],
    ])(
      'lists the number of failures that the request specifies: %s',
      async (limit, listed, omitted) => {
        const headers = { 'x-service-failure-limit': limit }
        const path = `/v1/ingest/failures-${limit}`
        const { body: result } = await ingest(NDJSON, body, { path, headers })
        expect(result.failed).toBe(2000)
        expect(result.failures).toHaveLength(listed)
        expect(result.failuresOmitted).toBe(omitted)
      },
    )

    it('lists at most 20,000 failures', async () => {
      const headers = { 'x-service-failure-limit': '999999999' }
      const lines = 'x\n'.repeat(20_001)
      const { body: result } = await ingest(NDJSON, lines, { headers })
      expect(result).toMatchObject({ ingested: 0, failed: 20_001, failuresOmitted: 1 })
      expect(result.failures).toHaveLength(20_000)
    })

    it('refuses a failure limit that is not a number', async () => {
      const headers = { 'x-service-failure-limit': 'all' }
      const { status, body: refusal } = await ingest(NDJSON, body, { headers })
      expect(status).toBe(400)
      expect(refusal.message).toBe(
        '`x-service-failure-limit` must be a non-negative integer, not `all`. At most 20,000 failures are listed.',
      )
    })
  })

  it('stores an array, however the body is split', async () => {
    const text = '[ {"a":1,"_time":1767225601}, {"a":\n"é","_time":1767225602}\n]\n'
    const pieces = [...Buffer.from(text)].map((byte) => Buffer.from([byte]))
    const response = await ingest('application/json', pieces, { path: '/v1/ingest/array' })
    expect(response.body).toMatchObject({ ingested: 2, failed: 0, processedBytes: 63 })
    expect((await rowsOf('array')).map(({ a }) => a)).toEqual([1, 'é'])
  })

  it('stores lines sent as application/json', async () => {
    const type = 'application/json; charset=utf-8'
    const response = await ingest(type, '{"a":1}\n{"a":2}', { path: '/v1/ingest/json-lines' })
    expect(response.body).toMatchObject({ ingested: 2, failed: 0 })
  })

  it.each([NDJSON, 'application/json'])('skips a byte-order mark in %s', async (type) => {
    const path = `/v1/ingest/mark-${type.replace(/\W/g, '-')}`
    const response = await ingest(type, '\ufeff{"a":1}\n{"a":2}\n', { path })
    expect(response.body).toMatchObject({ ingested: 2, failed: 0 })
  })

  it('skips a byte order mark in front of an array', async () => {
    const path = '/v1/ingest/mark-array'
    const response = await ingest('application/json', '\ufeff [{"a":1},{"a":2}]', { path })
    expect(response.body).toMatchObject({ ingested: 2, failed: 0 })
    expect((await rowsOf('mark-array')).map(({ a }) => a)).toEqual(expect.arrayContaining([1, 2]))
  })

  it('names the control character that is not allowed in a string of an array', async () => {
    const response = await ingest('application/json', '[{"a":"x\ny"}]')
    expect(response.body.failures).toMatchObject([
      {
        error:
          'not JSON: a raw line feed or U+0001 in a string at column 9, which must be written `\\n` or `\\u0001`',
      },
    ])
  })

  it('yields to other requests while a long body is received', async () => {
    let turns = 0
    let sent = 0
    const count = (): void => {
      turns += 1
      setImmediate(count).unref()
    }
    setImmediate(count).unref()
    async function* rows(): AsyncGenerator<string> {
      yield 'a,b\n'
      // A service that never gives way reads all rows in the same turn.
      for (; turns < 3 && sent < 1_000_000; sent++) yield '1,2,3\n'
    }
    const response = await ingest('text/csv', rows())
    expect(turns).toBeGreaterThanOrEqual(3)
    expect(response.body).toMatchObject({ ingested: 0, failed: sent })
  })

  it('refuses rows that are far longer once they have the names of the fields', async () => {
    const body = `${'n'.repeat(16_384)}\n${'1\n'.repeat(1_100)}`
    const path = '/v1/ingest/long-names'
    const response = await ingest('text/csv', body, { path })
    expect(response.status).toBe(413)
    expect(response.body.message).toMatch(/^The request is larger than 16 times its size /)
    expect(service.store.schema.datasets).not.toContain('long-names')
  })

  it('stores CSV', async () => {
    const body = '_time,n,s\n2026-01-01T00:00:01Z,1,007\n2026-01-01T00:00:02Z,,"x, y"\n'
    const response = await ingest('text/csv', body, { path: '/v1/ingest/csv' })
    expect(response.body).toMatchObject({ ingested: 2, failed: 0, processedBytes: body.length })
    expect(await rowsOf('csv')).toMatchObject([
      { n: 1, s: '007' },
      { n: null, s: 'x, y' },
    ])
  })

  it('uses the field names and delimiter of CSV in the request', async () => {
    const response = await ingest('text/csv', '1;x\n2;y\n', {
      path: '/v1/ingest/csv-fields?csv-delimiter=%3B',
      headers: { 'x-service-csv-fields': 'a, b' },
    })
    expect(response.body).toMatchObject({ ingested: 2, failed: 0 })
    const rows = await rowsOf('csv-fields')
    expect(rows.map(({ a, b }) => [a, b])).toEqual(
      expect.arrayContaining([
        [1, 'x'],
        [2, 'y'],
      ]),
    )
  })

  it.each(['', '1', 'identity'])('may be declared as not compressed: %j', async (encoding) => {
    const headers = { 'content-encoding': encoding }
    const { status, body } = await ingest(NDJSON, '{"a":1}', { headers, path: '/v1/ingest/plain' })
    expect([status, body.ingested]).toEqual([200, 1])
  })

  it('decompresses gzip, and counts the uncompressed bytes', async () => {
    const response = await ingest(NDJSON, gzipSync('{"a":1}\n{"a":2}\n'), {
      path: '/v1/ingest/gzip',
      headers: { 'content-encoding': 'gzip' },
    })
    expect(response.body).toMatchObject({ ingested: 2, processedBytes: 16 })
  })

  it('decompresses zstd, and counts the uncompressed bytes', async () => {
    const response = await ingest(NDJSON, ZSTD.two, {
      path: '/v1/ingest/zstd',
      headers: { 'content-encoding': 'zstd' },
    })
    expect(response.body).toMatchObject({ ingested: 2, processedBytes: 16 })
  })

  it('uses the time in the given field', async () => {
    await ingest(NDJSON, '{"when":"2025-06-01T00:00:00.5Z","a":1}', {
      path: '/v1/ingest/when?timestamp-field=when',
    })
    const [row] = await rowsOf('when')
    expect(row?._time).toBe('2025-06-01T00:00:00.5Z')
  })

  it('is stored once per batch id', async () => {
    const more = { path: '/v1/ingest/batches', headers: { 'x-service-batch-id': 'one' } }
    const first = await ingest(NDJSON, '{"a":1}\n{"a":2}\n', more)
    const second = await ingest(NDJSON, '{"a":1}\n{"a":2}\n', more)
    expect(second.body.ingested).toBe(first.body.ingested)
    expect(await rowsOf('batches')).toHaveLength(2)
  })
})

describe('a repeated batch', () => {
  it('returns the first outcome, even when no line was an event', async () => {
    const more = { path: '/v1/ingest/again', headers: { 'x-service-batch-id': 'csv' } }
    const first = await ingest('text/csv', 'a\n1,2\n', more)
    expect(first.body).toMatchObject({ ingested: 0, failed: 1, processedBytes: 6 })
    const second = await ingest('text/csv', 'a,b\n1,2\n', more)
    expect(second.text).toBe(first.text)
    expect(service.store.schema.datasets).not.toContain('again')
  })
})

describe('rejected events', () => {
  it('are listed by index and line, and the others are stored', async () => {
    const response = await ingest(NDJSON, '\n{"a":1}\n\n{"a":\n[1]\n{"a":2}\n', {
      path: '/v1/ingest/bad-lines',
    })
    expect(response.status).toBe(200)
    expect(response.body).toMatchObject({ ingested: 2, failed: 2 })
    expect(response.body.failures).toMatchObject([
      { index: 1, line: 4, timestamp: '2026-01-01T12:00:00Z' },
      { index: 2, line: 5, timestamp: '2026-01-01T12:00:00Z' },
    ])
  })

  it('are listed by index in an array', async () => {
    const response = await ingest('application/json', '[{"a":1},\n7,\n{"a":2}]', {
      path: '/v1/ingest/bad-elements',
    })
    expect(response.body).toMatchObject({ ingested: 2, failed: 1 })
    expect(response.body.failures[0].index).toBe(1)
    expect(response.body.failures[0]).not.toHaveProperty('line')
  })

  it('start where an array is malformed', async () => {
    const response = await ingest('application/json', '[{"a":1},{"a":2},{"a":', {
      path: '/v1/ingest/cut',
    })
    expect(response.body).toMatchObject({
      ingested: 2,
      failed: 1,
      failures: [
        {
          index: 2,
          error: 'the array is not closed: `]` expected at byte 22, where the body ends',
        },
      ],
    })
  })

  it('are listed by the line of a CSV row', async () => {
    const body = '_time,a\n,"x\ny"\n1,2,3\nnever,1\n,z\n'
    const response = await ingest('text/csv', body, { path: '/v1/ingest/bad-rows' })
    expect(response.body).toMatchObject({ ingested: 2, failed: 2 })
    expect(response.body.failures).toMatchObject([
      { index: 1, line: 4, error: 'it has 3 cells, the header has 2' },
      { index: 2, line: 5 },
    ])
  })
})

describe('a body without events', () => {
  it.each([
    [NDJSON, ''],
    [NDJSON, ' \n\n'],
    ['application/json', ''],
    ['application/json', ' [ ] '],
    ['text/csv', ''],
    ['text/csv', 'a,b\n'],
  ])('is not an error: %s %j', async (type, body) => {
    const response = await ingest(type, body, { path: '/v1/ingest/empty' })
    expect(response.status).toBe(200)
    expect(response.body).toEqual({
      ingested: 0,
      failed: 0,
      failures: [],
      processedBytes: body.length,
      blocksCreated: 0,
      walLength: 0,
    })
  })
})

describe('the media type of NDJSON', () => {
  it.each([
    'application/ndjson',
    'application/nd-json',
    'application/jsonl',
    'Application/X-JSONLines; charset=utf-8',
  ])('may be %s', async (type) => {
    const { body } = await ingest(type, '{"a":1}\n{"a":2}\n', { path: '/v1/ingest/named' })
    expect(body).toMatchObject({ ingested: 2, failed: 0 })
  })
})

describe('a media type whose suffix is `json`', () => {
  it.each([
    ['application/cloudevents+json', '{"specversion":"1.0","data":{"k":1}}', 1],
    ['application/cloudevents-batch+json; charset=UTF-8', '[{"id":"a"},{"id":"b"}]', 2],
  ])('is JSON: %s', async (type, events, ingested) => {
    const { body } = await ingest(type, events, { path: '/v1/ingest/cloud' })
    expect(body).toMatchObject({ ingested, failed: 0 })
  })
})

describe('a body compressed with deflate', () => {
  const headers = { 'content-encoding': 'deflate' }

  it('is stored', async () => {
    const path = '/v1/ingest/deflated'
    const { body } = await ingest(NDJSON, deflateSync('{"a":7}\n'), { path, headers })
    expect(body).toMatchObject({ ingested: 1, processedBytes: 8 })
    expect(await rowsOf('deflated')).toMatchObject([{ a: 7 }])
  })

  it('is refused when it is truncated, or too large uncompressed', async () => {
    const cut = await ingest(NDJSON, deflateSync('{"a":1}').subarray(0, 9), { headers })
    expect([cut.status, cut.body.message]).toEqual([
      400,
      'The request body is not valid deflate data, or is truncated.',
    ])
    const bomb = await ingest(NDJSON, deflateSync(' '.repeat(LIMIT + 1)), { headers })
    expect(bomb.status).toBe(413)
  })

  it('is refused when other data follows', async () => {
    const [first, second] = [deflateSync('{"a":1}\n'), deflateSync('{"a":2}\n')]
    for (const body of [Buffer.concat([first, second]), [first, second]]) {
      const { status, body: refusal } = await ingest(NDJSON, body, { headers })
      expect([status, refusal.message]).toEqual([
        400,
        'The request body is not valid deflate data, or is truncated.',
      ])
    }
  })
})

describe('a refused ingest request', () => {
  it.each(['-logs', 'lo%20gs', 'a%2Fb', 'x'.repeat(129), '%'])(
    'has an invalid dataset name: %s',
    async (name) => {
      const { status, body } = await ingest(NDJSON, '{}', { path: `/v1/ingest/${name}` })
      expect(status).toBe(400)
      expect(body.message).toContain('is not a valid dataset name')
    },
  )

  it.each([
    '',
    'text/plain',
    'application/xml',
    // Names that every JavaScript object has.
    'constructor',
    '__proto__',
  ])('has the content type %j', async (type) => {
    const { status, body } = await ingest(type, '{}')
    expect(status).toBe(415)
    for (const accepted of ['application/json', 'application/x-ndjson', 'text/csv']) {
      expect(body.message).toContain(accepted)
    }
  })

  it.each(['br', 'constructor', '__proto__'])(
    'has the unknown content encoding %s',
    async (name) => {
      const { status, body } = await ingest(NDJSON, '{}', { headers: { 'content-encoding': name } })
      expect([status, body.message]).toEqual([
        415,
        `The content encoding \`${name}\` is not supported. Supported: \`gzip\`, \`zstd\`, \`deflate\` and \`identity\`.`,
      ])
    },
  )

  it.each([
    ['garbage', Buffer.from('{"a":1}')],
    ['cut', gzipSync('{"a":1}').subarray(0, 15)],
  ])('declares gzip and is %s', async (_, body) => {
    const response = await ingest(NDJSON, body, { headers: { 'content-encoding': 'gzip' } })
    expect([response.status, response.body.message]).toEqual([
      400,
      'The request body is not valid gzip data, or is truncated.',
    ])
  })

  it.each([
    ['garbage', Buffer.from('{"a":1}'), 'not valid zstd data'],
    ['cut', ZSTD.two.subarray(0, 15), 'not valid zstd data'],
    ['too much to unpack', ZSTD.wide, 'with a window larger than 8 MiB'],
    // Empty frames, of 9 bytes each, that need 8 MiB (RFC 8878, 3.1.1).
    ['too many frames', Buffer.from('28b52ffd0068010000'.repeat(257), 'hex'), 'too many small'],
  ])('declares zstd and is %s', async (_, body, words) => {
    const response = await ingest(NDJSON, body, { headers: { 'content-encoding': 'zstd' } })
    expect([response.status, response.body.message]).toEqual([400, expect.stringContaining(words)])
  })

  it('exceeds the number of waiting requests, and succeeds later', async () => {
    const narrow = service.limited({ waitingRequests: 1 })
    let open = (): void => {}
    const held = new Promise<void>((resolve) => {
      open = resolve
    })
    const body = (async function* () {
      await held
      yield '{"a":1}\n'
    })()
    const headers = { 'content-type': NDJSON }
    const first = narrow({ path: '/v1/ingest/busy', headers, body })
    const second = await narrow({ path: '/v1/ingest/busy', headers, body: '{"a":2}' })
    expect([second.status, second.headers['retry-after']]).toEqual([503, '1'])
    expect(second.body.message).toContain('Retry in a second')
    open()
    expect((await first).body.ingested).toBe(1)
    const third = await narrow({ path: '/v1/ingest/busy', headers, body: '{"a":2}' })
    expect(third.body.ingested).toBe(1)
  })

  it('declares a length above the limit', async () => {
    const headers = { 'content-length': String(LIMIT + 1) }
    expect((await ingest(NDJSON, '{}', { headers })).status).toBe(413)
  })

  it('exceeds the limit, whatever its declared length', async () => {
    const { status, body } = await ingest(NDJSON, ['{}\n', ' '.repeat(LIMIT)])
    expect([status, body.message]).toEqual([
      413,
      'The request body is larger than 1 MiB uncompressed. Send several smaller requests.',
    ])
  })

  it('has more lines than a response can report', async () => {
    const { status, body } = await service.send({
      path: '/v1/ingest/logs',
      headers: { 'content-type': NDJSON },
      body: Buffer.alloc(2 * 1_048_577, 'x\n'),
    })
    expect([status, body.message]).toEqual([
      413,
      'The request has more than 1,048,576 lines: none of them were stored. Split it into smaller requests.',
    ])
  })

  it('has labels that are too long once each event has them', async () => {
    const label = 'x'.repeat(10_000)
    const { status, body } = await service.send({
      path: '/v1/ingest/labeled',
      headers: { 'content-type': NDJSON, 'x-axiom-event-labels': JSON.stringify({ label }) },
      body: '{"n":1}\n'.repeat(26_850),
    })
    expect([status, body.message]).toEqual([
      413,
      'The labels of the request, repeated in each event, have more than 256 MiB: none of the events were stored. Split it into smaller requests.',
    ])
  })

  it('exceeds the limit when it is decompressed', async () => {
    const body = gzipSync(' '.repeat(LIMIT + 1))
    expect(body.length).toBeLessThan(10_000)
    const headers = { 'content-encoding': 'gzip' }
    expect((await ingest(NDJSON, body, { headers })).status).toBe(413)
    const zstd = { 'content-encoding': 'zstd' }
    const bomb = Buffer.concat([ZSTD.repeated, ZSTD.repeated, ZSTD.repeated])
    expect((await ingest(NDJSON, bomb, { headers: zstd })).status).toBe(413)
  })

  it.each(['%3B%3B', '%22', '%0A'])('has the CSV delimiter %s', async (delimiter) => {
    const path = `/v1/ingest/logs?csv-delimiter=${delimiter}`
    expect((await ingest('text/csv', 'a\n1\n', { path })).status).toBe(422)
  })

  it('has a CSV header with a duplicate field', async () => {
    const { status, body } = await ingest('text/csv', 'a,a\n1,2\n')
    const message = 'The CSV header names the field `a` twice. Rename one of the columns.'
    expect([status, body.message]).toEqual([400, message])
  })

  it('stores nothing', async () => {
    const schema = service.store.schema.datasets
    expect(schema).not.toContain('logs')
    expect(schema).not.toContain('empty')
  })
})

describe('a data directory that is deleted while the service runs', () => {
  it('is named in a response that makes shippers keep their events, and logged once', async () => {
    const { spool } = service.store
    const message = `The folder \`${spool}\` was deleted or replaced.`
    for (const round of [1, 2]) {
      await rename(spool, `${spool}-away`)
      for (let i = 0; i < 3; i++) {
        const { status, headers, body } = await ingest(NDJSON, '{"n":1}\n')
        expect([status, headers['retry-after']]).toEqual([503, '2'])
        expect(body.message).toContain('The data directory of the service was deleted or replaced')
      }
      await rename(`${spool}-away`, spool)
      expect((await ingest(NDJSON, '')).status).not.toBe(503)
      expect(service.warned).toEqual(Array(round).fill(expect.stringContaining(message)))
    }
  })
})
