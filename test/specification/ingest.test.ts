import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()

const JSON_TYPE = 'application/json'
const NDJSON = 'application/x-ndjson'
const CSV = 'text/csv'

describe('What the service does', () => {
  it.each([
    ['JSON', JSON_TYPE, '[{"a":1,"b":"x"},{"a":2,"b":"y"}]'],
    ['NDJSON', NDJSON, '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ['NDJSON', JSON_TYPE, '{"a":1,"b":"x"}\n{"a":2,"b":"y"}\n'],
    ['CSV', CSV, 'a,b\n1,x\n2,y\n'],
  ])('Accepts events into named datasets over HTTP, in %s form: %s', async (form, type, body) => {
    const dataset = `form-${form}-${type.replace('/', '-')}`
    const response = await service.ingest(dataset, body, { type })
    expect(response).toMatchObject({ status: 200, body: { ingested: 2, failed: 0 } })
    expect(await service.rows(`['${dataset}'] | sort by a asc | project a, b`)).toEqual([
      [1, 'x'],
      [2, 'y'],
    ])
  })
})

describe('Event', () => {
  it('A JSON object (or one CSV row).', async () => {
    const objects = await service.ingest('rows', '[{"a":1},2,"three",null,[4]]')
    expect(objects.body).toMatchObject({ ingested: 1, failed: 4 })
    const rows = await service.ingest('rows', 'a\n1\n2\n3\n', { type: CSV })
    expect(rows.body).toMatchObject({ ingested: 3, failed: 0 })
  })

  it('Field names are arbitrary.', async () => {
    const names = [
      'a b',
      "it's",
      'a"b',
      'ключ',
      '日本',
      '👍',
      '1st',
      '-',
      'back`tick',
      'a\\b',
      'where',
    ]
    const event = Object.fromEntries(names.map((name, at) => [name, at]))
    await service.ingest('arbitrary', [event])
    const { body } = await service.query("['arbitrary'] | project-away _time, _sysTime")
    const [{ fields, columns }] = body.tables
    const found = fields.map((field: { name: string }, at: number) => [field.name, columns[at][0]])
    expect(Object.fromEntries(found)).toEqual(event)
  })

  it('Nested objects and arrays are accepted.', async () => {
    await service.ingest('nested', [{ geo: { city: { name: 'Ulm' } }, tags: ['a', { b: [1] }] }])
    expect(await service.rows("['nested'] | project ['geo.city.name'], tags")).toEqual([
      ['Ulm', ['a', { b: [1] }]],
    ])
  })

  it('In the grouped form, an event object may carry `time`, `data` (map) and `labels` (map).', async () => {
    const event = { time: '2026-01-01T00:00:00Z', data: { k: 1 }, labels: { host: 'a' } }
    const response = await service.ingest('grouped', [event])
    expect(response.body).toMatchObject({ ingested: 1, failed: 0 })
    const apl = "['grouped'] | project ['data.k'], ['labels.host']"
    expect(await service.rows(apl)).toEqual([[1, 'a']])
  })

  it('Every stored event has a `_time` datetime field and a `_sysTime` datetime field (these two appear in query results).', async () => {
    await service.ingest('times', [{ _time: '2026-01-01T00:00:00Z', n: 1 }, { n: 2 }])
    const { body } = await service.query('times')
    const [{ fields, columns }] = body.tables
    expect(fields.slice(0, 2)).toEqual([
      { name: '_sysTime', type: 'datetime' },
      { name: '_time', type: 'datetime' },
    ])
    for (const time of [...columns[0], ...columns[1]]) expect(time).toMatch(/^\d{4}-.*T.*Z$/)
  })
})

describe('Ingest result', () => {
  it.each([
    ['`ingested`: integer, number of events accepted', 'ingested', 2],
    ['`failed`: integer, number of events rejected', 'failed', 1],
    ['`processedBytes`: integer', 'processedBytes', 28],
    ['`blocksCreated`: integer', 'blocksCreated', expect.any(Number)],
    ['`walLength`: integer', 'walLength', expect.any(Number)],
  ])('%s', async (_, field, expected) => {
    const { body } = await service.ingest('result', '{"n":1}\nnot an event\n{"n":2}', {
      type: NDJSON,
    })
    expect(body[field]).toEqual(expected)
    expect(Number.isInteger(body[field])).toBe(true)
  })

  it('`failures`: array; empty when none failed', async () => {
    const none = await service.ingest('result', '{"n":1}', { type: NDJSON })
    expect(none.body.failures).toEqual([])
    const some = await service.ingest('result', '{"n":1}\n{\n[]\n', { type: NDJSON })
    expect(some.body.failures).toHaveLength(2)
  })
})

describe('Ingest events', () => {
  it('Method and path: POST {ingest_url}/v1/ingest/<dataset_name>', async () => {
    const sent = { path: '/v1/ingest/path', type: JSON_TYPE }
    expect(await service.send({ ...sent, body: '[{"n":1}]' })).toMatchObject({ status: 200 })
    expect(await service.send({ ...sent, method: 'GET' })).toMatchObject({ status: 405 })
    expect(await service.rows('path | project n')).toEqual([[1]])
  })

  it('Headers: `Authorization: Bearer <API_TOKEN>` (required)', async () => {
    const sent = { path: '/v1/ingest/headers', type: JSON_TYPE, body: '[{"n":1}]' }
    expect(await service.send({ ...sent, token: null })).toMatchObject({ status: 403 })
    const token = await service.makeToken('shipper', '--ingest', 'headers')
    expect(await service.send({ ...sent, token })).toMatchObject({ status: 200 })
  })

  it('Headers: `Content-Type` (required).', async () => {
    const { status } = await service.send({ path: '/v1/ingest/untyped', body: '[{"n":1}]' })
    expect(status).toBe(415)
    expect(await service.query('untyped')).toMatchObject({ status: 404 })
  })

  it('CSV: first line holds comma-separated field names; each later line holds comma-separated values of one event', async () => {
    await service.ingest('csv', 'host,n\na,1\nb,2\n', { type: CSV })
    expect(await service.rows('csv | sort by n asc | project host, n')).toEqual([
      ['a', 1],
      ['b', 2],
    ])
  })

  it('Optional parameters `timestamp-field` and `timestamp-format` select which field holds the event time and its format.', async () => {
    const query = 'timestamp-field=when&timestamp-format=02.01.2006%2015:04:05'
    const body = '[{"when":"31.12.2025 23:59:58"}]'
    await service.send({ path: `/v1/ingest/formats?${query}`, type: JSON_TYPE, body })
    expect(await service.rows('formats | project _time')).toEqual([['2025-12-31T23:59:58Z']])
  })

  it('They are set in the request.', async () => {
    const events = '[{"when":"2025-12-31T00:00:00Z"}]'
    await service.ingest('set?timestamp-field=when', events)
    await service.ingest('set', events)
    const before = "['set'] | where _time < datetime(2026-01-01) | count"
    expect(await service.rows(before)).toEqual([[1]])
    expect(await service.rows("['set'] | count")).toEqual([[2]])
  })
})

describe('Rules', () => {
  it.each([1, 2, 1_234])(
    'When an array of N valid events is sent, then `ingested` is N and `failed` is 0: %i',
    async (n) => {
      const { body } = await service.ingest(
        'rule-1',
        Array.from({ length: n }, (_, at) => ({ at })),
      )
      expect(body).toMatchObject({ ingested: n, failed: 0, failures: [] })
    },
  )

  it('NDJSON lines that are index-style action objects or other objects are each counted as one event.', async () => {
    const lines = '{"index":{"_index":"logs","_id":"1"}}\n{"n":1}\n{"create":{}}\n{"n":2}\n'
    const { body } = await service.ingest('rule-2', lines, { type: NDJSON })
    expect(body).toMatchObject({ ingested: 4, failed: 0 })
    expect(await service.rows("['rule-2'] | count")).toEqual([[4]])
  })

  it('Events that a request cannot store are counted in `failed` and described in `failures`.', async () => {
    const lines = '{"n":1}\n{"n":\n{"n":2,"_time":"someday"}\n{"n":3}\n'
    const { body } = await service.ingest('rule-3', lines, { type: NDJSON })
    expect(body).toMatchObject({ ingested: 2, failed: 2 })
    expect(body.failures).toEqual([
      { timestamp: expect.any(String), error: expect.any(String), index: 1, line: 2 },
      {
        timestamp: expect.any(String),
        error: expect.stringContaining('someday'),
        index: 2,
        line: 3,
      },
    ])
    expect(await service.rows("['rule-3'] | sort by n asc | project n")).toEqual([[1], [3]])
  })
})

describe('Where the specification says not shown: an ingest request', () => {
  it('Success is 200, also when some events failed', async () => {
    const all = await service.ingest('partly', '{\n', { type: NDJSON })
    expect(all).toMatchObject({ status: 200, body: { ingested: 0, failed: 1 } })
  })

  it('A failures entry has at least `timestamp` (RFC 3339) and `error` (text)', async () => {
    const { body } = await service.ingest('entries', '[{"n":1},2]')
    const [{ timestamp, error, index, line }] = body.failures
    expect(new Date(timestamp).getTime()).not.toBeNaN()
    expect(timestamp).toMatch(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{1,9})?Z$/)
    expect({ error, index, line }).toEqual({ error: expect.any(String), index: 1, line: undefined })
  })

  it('`processedBytes` is the length of the uncompressed body as received, white space included', async () => {
    const body = '  [ {"n": 1}\n,\t{"n": 2} ] \n'
    const plain = await service.ingest('bytes', body)
    expect(plain.body.processedBytes).toBe(Buffer.byteLength(body))
    const headers = { 'content-encoding': 'gzip' }
    const packed = await service.ingest('bytes', gzipSync(body), { headers })
    expect(packed.body).toMatchObject({ ingested: 2, processedBytes: Buffer.byteLength(body) })
  })

  it('`Content-Encoding`: `gzip`, `zstd`, `identity` or none. Anything else: 415, with the accepted ones named', async () => {
    const identity = { headers: { 'content-encoding': 'identity' } }
    expect(await service.ingest('encoded', '[{"n":1}]', identity)).toMatchObject({ status: 200 })
    const { status, body } = await service.ingest('encoded', '[{"n":1}]', {
      headers: { 'content-encoding': 'br' },
    })
    expect(status).toBe(415)
    for (const name of ['gzip', 'zstd', 'identity']) expect(body.message).toContain(name)
  })

  it.each(['', 'text/plain', 'application/xml'])(
    'A missing or wrong content type: 415: %j',
    async (type) => {
      const response = await service.ingest('typed', '[{"n":1}]', { type })
      expect(response.status).toBe(415)
      for (const name of [JSON_TYPE, NDJSON, CSV]) expect(response.body.message).toContain(name)
    },
  )

  it.each([
    ['RFC 3339', '"2026-01-31T10:00:00.123456789+01:00"', '2026-01-31T09:00:00.123456789Z'],
    ['a common date-time text', '"2026-01-31 10:00:00"', '2026-01-31T10:00:00Z'],
    ['s', '1769853600', '2026-01-31T10:00:00Z'],
    ['ms', '1769853600001', '2026-01-31T10:00:00.001Z'],
    ['µs', '1769853600000001', '2026-01-31T10:00:00.000001Z'],
    ['ns', '1769853600000000001', '2026-01-31T10:00:00.000000001Z'],
  ])(
    '`timestamp-field` (default `_time`); without `timestamp-format` are recognised: %s',
    async (_, time, expected) => {
      const dataset = `recognised-${expected.length}-${time.length}`
      await service.ingest(dataset, `[{"_time":${time}}]`)
      expect(await service.rows(`['${dataset}'] | project _time`)).toEqual([[expected]])
    },
  )

  it('`csv-delimiter` (one character; more is 422)', async () => {
    const body = 'a;b\n1;2\n'
    const one = await service.ingest('delimited?csv-delimiter=%3B', body, { type: CSV })
    expect(one.body).toMatchObject({ ingested: 1 })
    expect(await service.rows('delimited | project a, b')).toEqual([[1, 2]])
    const two = await service.ingest('delimited?csv-delimiter=%3B%3B', body, { type: CSV })
    expect(two.status).toBe(422)
  })

  it('`x-service-csv-fields: a,b,c` (then the first line is data)', async () => {
    const headers = { 'x-service-csv-fields': 'a,b,c' }
    await service.ingest('headless', '1,2,3\n', { type: CSV, headers })
    expect(await service.rows('headless | project a, b, c')).toEqual([[1, 2, 3]])
  })

  it('`x-service-event-labels: {"k":"v"}` (added to each event as top-level fields)', async () => {
    const headers = { 'x-service-event-labels': '{"k":"v"}' }
    await service.ingest('labelled', '[{"n":1},{"n":2}]', { headers })
    expect(await service.rows('labelled | sort by n asc | project n, k')).toEqual([
      [1, 'v'],
      [2, 'v'],
    ])
  })

  it('a batch the service has already stored under that id answers with the first answer and stores nothing again', async () => {
    const headers = { 'x-service-batch-id': 'batch-1' }
    const first = await service.ingest('batches', '[{"n":1},{"n":2},3]', { headers })
    const second = await service.ingest('batches', '[{"n":1},{"n":2},3]', { headers })
    expect(first.body).toMatchObject({ ingested: 2, failed: 1 })
    expect(second.body).toEqual(first.body)
    expect(await service.rows('batches | count')).toEqual([[2]])
  })

  it('A batch id is scoped to its dataset', async () => {
    const headers = { 'x-service-batch-id': 'shared' }
    for (const dataset of ['scope-a', 'scope-b']) {
      await service.ingest(dataset, '[{"n":1}]', { headers })
      expect(await service.rows(`['${dataset}'] | count`)).toEqual([[1]])
    }
  })

  it('The local service creates it on first ingest, and answers 404 for a query of one that does not exist, with the nearest names', async () => {
    expect(await service.query("['nearby']")).toMatchObject({ status: 404 })
    await service.ingest('nearby', '[{"n":1}]')
    expect(await service.query("['nearby']")).toMatchObject({ status: 200 })
    const missing = await service.query("['nearbi']")
    expect(missing.status).toBe(404)
    expect(JSON.stringify(missing.body)).toContain('nearby')
  })

  it.each(['-a', 'a-', '.a', 'a%20b', 'a%2Fb', '%C3%A4', 'x'.repeat(129)])(
    'Dataset name, else 400: %s',
    async (name) => {
      expect(await service.ingest(name, '[{"n":1}]')).toMatchObject({ status: 400 })
    },
  )

  it.each(['a', '0', 'A.b_c-9', 'x'.repeat(128)])('Dataset name: %s', async (name) => {
    expect(await service.ingest(name, '[{"n":1}]')).toMatchObject({ status: 200 })
  })

  it('Empty body: 200 with zero counters', async () => {
    for (const type of [JSON_TYPE, NDJSON, CSV]) {
      const { status, body } = await service.ingest('nothing', '', { type })
      expect(status).toBe(200)
      expect(body).toMatchObject({ ingested: 0, failed: 0, failures: [], processedBytes: 0 })
    }
  })
})
