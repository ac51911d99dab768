import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { formatTimestamp, parseTimestamp } from '../../src/wire/time/timestamp.js'
import { type Running, run, type TestResponse } from './running.js'

/** Two of the events have the same time; the `status` of one is a string. */
const EVENTS = `
{"_time":"2026-01-01T10:00:01.010Z","n":1,"service":"web","took":10,"big":9007199254740993,"geo":{"city":"Ulm"},"tags":["a","b"]}
{"_time":"2026-01-01T10:00:02.123456789Z","n":2,"service":"Web","took":20.5,"text":"100% sure"}
{"_time":"2026-01-01T10:00:02.123456789Z","n":3,"service":"api","took":30,"ok":true,"text":"An error\\nin \\"it\\""}
{"_time":"2026-01-01T10:10:00Z","n":4,"service":"api","took":50,"ok":false}
`

let service: Running

beforeAll(async () => {
  service = await run({ token: 'xaat-test' })
  const headers = { 'content-type': 'application/x-ndjson' }
  await service.send({ path: '/v1/ingest/logs', headers, body: EVENTS })
  const many = Array.from({ length: 1_001 }, (_, i) => `{"_time":${1_767_312_000 + i},"i":${i}}\n`)
  await service.send({ path: '/v1/ingest/many', headers, body: many })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

function ask(body: unknown, dataset = 'logs'): Promise<TestResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return service.send({ path: `/v1/datasets/${dataset}/query`, body: text })
}

/** The `n` of each match. */
async function numbersOf(body: object): Promise<readonly number[]> {
  const response = await ask(body)
  expect(response.status, response.text).toBe(200)
  return response.body.matches.map(({ data }: { data: { n: number } }) => data.n)
}

async function refused(body: unknown, status: number, dataset = 'logs'): Promise<string> {
  const response = await ask(body, dataset)
  expect(response.status, response.text).toBe(status)
  expect(response.body.code).toBe(status)
  expect(response.body.problems).toBeUndefined()
  return response.body.message
}

describe('POST /v1/datasets/<dataset_name>/query', () => {
  it('returns the status and the matches, newest first', async () => {
    const { status, body, text } = await ask({})
    expect(status).toBe(200)
    expect(body.status).toMatchObject({ rowsMatched: 4, isPartial: false })
    expect(body.matches.map((match: object) => Object.keys(match))).toEqual(
      Array(4).fill(['_time', '_sysTime', '_rowId', 'data']),
    )
    expect(body.matches[0]).toMatchObject({
      _time: '2026-01-01T10:10:00Z',
      _sysTime: '2026-01-01T12:00:00Z',
      data: { n: 4, ok: false, service: 'api', took: 50 },
    })
    expect(body.matches[3].data).toEqual({
      big: 9007199254740992,
      'geo.city': 'Ulm',
      n: 1,
      service: 'web',
      tags: ['a', 'b'],
      took: 10,
    })
    expect(text).toContain('"big":9007199254740993,')
    expect(body.buckets).toEqual({ series: [], totals: [] })
    expect(body.datasetNames).toEqual(['logs'])
    expect(body.fieldsMetaMap.logs.map(({ name }: { name: string }) => name)).toContain('geo.city')
  })

  it("uses a row's cursor as its id, and returns the cursors of the ends of the page", async () => {
    const { body } = await ask({})
    const ids = body.matches.map(({ _rowId }: { _rowId: string }) => _rowId)
    expect(new Set(ids).size).toBe(4)
    expect([...ids].sort().reverse()).toEqual(ids)
    expect(body.status).toMatchObject({ minCursor: ids[3], maxCursor: ids[0] })
  })

  it('keeps the values of each event together, whatever they contain', async () => {
    const data = [
      { name: 'a", "b\\\\', list: ['],', '"', [[]], { k: '}' }], n: 1 },
      { name: '\\\\" \u2028😀\n', n: -2.5e-7 },
      { list: [], other: { deep: { er: ', ' } } },
      {},
      { name: '', n: 0, list: [null, true] },
    ]
    const lines = data.map((event, i) =>
      JSON.stringify({ _time: `2026-01-01T00:00:0${i}Z`, ...event }),
    )
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.send({ path: '/v1/ingest/odd', headers, body: lines.join('\n') })
    const { body } = await ask({ order: [{ field: '_time', desc: false }] }, 'odd')
    const { other: _, ...third } = data[2]!
    expect(body.matches.map((match: { data: object }) => match.data)).toEqual(
      data.with(2, { ...third, 'other.deep.er': ', ' } as object),
    )
  })

  it('echoes the request', async () => {
    const filter = { op: 'not', children: [{ op: 'exists', field: 'missing' }] }
    const request = { limit: 1, order: [{ field: '_time', desc: false }], filter }
    expect((await ask(request)).body.request).toEqual(request)
  })

  it('includes startTime and excludes endTime', async () => {
    const startTime = '2026-01-01T10:00:02.123456789Z'
    expect(await numbersOf({ startTime, endTime: '2026-01-01T10:10:00Z' })).toEqual([3, 2])
    expect(await numbersOf({ startTime: '2026-01-01T10:10:00Z' })).toEqual([4])
  })

  it('applies limit to the events of a page, and orders by any field', async () => {
    expect(await numbersOf({ limit: 3, order: [{ field: '_time', desc: false }] })).toEqual([
      1, 2, 3,
    ])
    expect(await numbersOf({ limit: 1 })).toEqual([4])
    expect(await numbersOf({ order: [{ field: 'took', desc: true }] })).toEqual([4, 3, 2, 1])
    const order = [{ field: 'service' }, { field: 'n', desc: true }]
    expect(await numbersOf({ order })).toEqual([2, 4, 3, 1])
  })

  it('returns 1,000 events by default, with a warning', async () => {
    const { body } = await ask({}, 'many')
    expect(body.matches).toHaveLength(1_000)
    expect(body.status.messages).toMatchObject([{ code: 'default_limit_warning' }])
    expect((await ask({ limit: 2_000 }, 'many')).body.matches).toHaveLength(1_001)
  })

  it('treats the zero values of Go clients as absent', async () => {
    const filter = { op: '', field: '', value: null, caseSensitive: false, children: null }
    const times = { startTime: '0001-01-01T00:00:00Z', endTime: '0001-01-01T00:00:00Z' }
    const lists = { aggregations: null, groupBy: [], virtualFields: null, project: null }
    const rest = { ...times, ...lists, filter, limit: 0, cursor: '', resolution: 'auto' }
    expect(await numbersOf({ ...rest, order: null })).toHaveLength(4)
  })
})

describe('legacy paging', () => {
  it.each([
    ['descending: endTime is the last time and 1 ns more', true],
    ['ascending: startTime is the last time', false],
  ])('works by time, %s, when repeated rows are dropped', async (_, desc) => {
    const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }
    const order = [{ field: '_time', desc }]
    const seen = new Map<string, number>()
    for (let before = -1; before < seen.size; ) {
      before = seen.size
      const { body } = await ask({ limit: 3, order, ...range })
      for (const { _rowId, data } of body.matches) seen.set(_rowId, data.n)
      const last = parseTimestamp(body.matches.at(-1)._time)!
      if (desc) range.endTime = formatTimestamp(last + 1n)
      else range.startTime = formatTimestamp(last)
    }
    expect([...seen.values()]).toEqual(desc ? [4, 3, 2, 1] : [1, 2, 3, 4])
  })

  it('ends with an empty page', async () => {
    const startTime = '2026-01-01T10:10:00.000000001Z'
    expect(await numbersOf({ limit: 3, order: [{ field: '_time' }], startTime })).toEqual([])
  })

  it.each([
    ['descending: minCursor is the next cursor', true, 'minCursor'],
    ['ascending: maxCursor is the next cursor', false, 'maxCursor'],
  ] as const)('by cursor, %s, until it comes back unchanged', async (_, desc, next) => {
    const seen: number[] = []
    const order = [{ field: '_time', desc }]
    let cursor = ''
    for (;;) {
      const { body } = await ask({ limit: 1, order, cursor })
      seen.push(...body.matches.map(({ data }: { data: { n: number } }) => data.n))
      if (body.status[next] === cursor) break
      cursor = body.status[next]
    }
    expect(seen).toEqual(desc ? [4, 3, 2, 1] : [1, 2, 3, 4])
  })

  it('excludes the row of the cursor unless includeCursor is true', async () => {
    const first = await ask({ limit: 1 })
    const cursor = first.body.status.minCursor
    expect(await numbersOf({ limit: 1, cursor })).toEqual([3])
    expect(await numbersOf({ limit: 1, cursor, includeCursor: true })).toEqual([4])
  })

  it('refuses a malformed cursor, and a cursor for rows without one', async () => {
    expect(await refused({ cursor: 'nonsense' }, 400)).toContain('`cursor`')
    const { minCursor: cursor } = (await ask({})).body.status
    const order = [{ field: 'n', desc: true }]
    expect(await refused({ cursor, order }, 400)).toContain(
      '`cursor` is not supported for this query',
    )
    const aggregations = [{ op: 'count' }]
    expect(await refused({ cursor, aggregations }, 400)).toContain('`cursor` is not supported')
  })
})

describe('virtual fields and projections', () => {
  const virtualFields = [{ alias: 'twice', expr: 'took * 2 // a comment' }]

  it('compute fields for filters, orders and other virtual fields', async () => {
    const { body } = await ask({
      virtualFields: [...virtualFields, { alias: 'more', expr: 'twice + 1' }],
      filter: { op: '>=', field: 'more', value: 61 },
      order: [{ field: 'twice', desc: false }],
      project: [{ field: 'more' }],
    })
    expect(body.matches.map(({ data }: { data: object }) => data)).toEqual([
      { more: 61 },
      { more: 101 },
    ])
  })

  it('treat a virtual field like any other, even when it shadows a field', async () => {
    const fields = [
      { alias: 'half', expr: 'took / 2' },
      { alias: 'ok', expr: 'iff(n > 2, "yes", tostring(dynamic(null)))' },
    ]
    const filter = (one: object) => numbersOf({ virtualFields: fields, filter: one })
    expect(await filter({ op: 'exists', field: 'half' })).toEqual([4, 3, 2, 1])
    expect(await filter({ op: 'starts-with', field: 'half', value: '10.' })).toEqual([2])
    expect(await filter({ op: '==', field: 'ok', value: 'yes' })).toEqual([4, 3])
    expect(await filter({ op: 'contains', field: 'ok', value: 'es' })).toEqual([4, 3])
  })

  it('return projected fields under their aliases, in addition to the times', async () => {
    const project = [{ field: 'geo.city', alias: 'where it was' }, { field: 'n' }]
    const { body } = await ask({ project, filter: { op: '==', field: 'n', value: 1 } })
    expect(body.matches).toMatchObject([
      {
        _time: '2026-01-01T10:00:01.01Z',
        _sysTime: '2026-01-01T12:00:00Z',
        _rowId: expect.stringMatching(/^[0-9a-z]{26,}$/),
        data: { 'where it was': 'Ulm', n: 1 },
      },
    ])
  })

  it.each([['took | limit 1'], ['took, n'], ['a = took'], ['took; print 1'], [''], ['took +']])(
    'accept exactly one expression: %j',
    async (expr) => {
      const status = expr === '' ? 422 : 400
      expect(await refused({ virtualFields: [{ alias: 'x', expr }] }, status)).toMatch(/expr/)
    },
  )

  it('report the unknown field of an expression', async () => {
    const fields = [{ alias: 'x', expr: 'tok * 2' }]
    expect(await refused({ virtualFields: fields }, 400)).toContain('There is no field `tok`')
  })
})

describe('legacy refusals', () => {
  it('respond with 400 to invalid JSON, non-objects and wrong types', async () => {
    expect(await refused('{', 400)).toBe('The request body is not valid JSON.')
    expect(await refused('[]', 400)).toBe('The request body must be an object.')
    expect(await refused({ limit: '3' }, 400)).toContain('`limit`')
    expect(await refused({ groupBy: 'n' }, 400)).toContain('`groupBy`')
    expect(await refused({ order: [{ field: 3 }] }, 400)).toContain('`field`')
    expect(await refused({ startTime: 'monday' }, 400)).toContain('`startTime`')
    expect(await refused({ filter: [] }, 400)).toContain('`filter`')
  })

  it('respond with 422 to missing members and unknown keywords', async () => {
    expect(await refused({ order: [{ desc: true }] }, 422)).toContain('no `field`')
    expect(await refused({ aggregations: [{ op: 'median', field: 'n' }] }, 422)).toContain(
      'Unknown aggregation `median`. Supported: `count`, `distinct`,',
    )
    expect(await refused({ aggregations: [{}] }, 422)).toContain('An aggregation has no `op`.')
    expect(await refused({ aggregations: [{ op: 'sum' }] }, 422)).toContain('needs a `field`')
    expect(await refused({ filter: { op: 'like', field: 'n', value: 1 } }, 422)).toContain(
      'Unknown filter `like`. Supported: `and`, `or`, `not`, `==`, `eq`,',
    )
    expect(await refused({ groupBy: ['n'] }, 422)).toContain('`aggregations`')
    expect(await refused({ resolution: 'soon' }, 422)).toContain('`resolution`')
    expect(await refused({ project: [{ alias: 'x' }] }, 422)).toContain('no `field`')
  })

  it('respond with 404 to an unknown dataset, with suggestions', async () => {
    expect(await refused({}, 404, 'lgos')).toBe(
      'There is no dataset `lgos`. Datasets: logs, many, odd.',
    )
  })

  it('respond with 400 to an invalid dataset name', async () => {
    expect(await refused({}, 400, '-logs')).toContain('name of a dataset')
  })

  it('respond with 400 to an unknown field, with suggestions', async () => {
    const message = await refused({ filter: { op: '==', field: 'nn', value: 1 } }, 400)
    expect(message).toContain('There is no field `nn`')
    expect(message).toContain('geo.city')
  })

  it('respond with 403 without a token and with 405 to another method', async () => {
    const path = '/v1/datasets/logs/query'
    expect((await service.send({ path, body: '{}', trusted: false })).status).toBe(403)
    const headers = { authorization: 'Bearer xaat-test' }
    expect((await service.send({ path, body: '{}', trusted: false, headers })).status).toBe(200)
    expect((await service.send({ path, method: 'GET' })).status).toBe(405)
  })
})
