import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()

beforeAll(async () => {
  await service.ingest(
    'logs',
    [1, 2, 3, 4].map((n) => ({
      _time: `2026-01-01T00:00:0${n}Z`,
      n,
      level: n % 2 === 0 ? 'error' : 'info',
    })),
  )
})

const numbers = async (request: object) =>
  (await service.rows({ apl: 'logs | project n', ...request })).flat()

describe('What the service does', () => {
  it('Runs APL queries against datasets and returns tabular results (or a legacy-format result).', async () => {
    const path = (format: string) => ({ path: `/v1/datasets/_apl?format=${format}` })
    const tabular = await service.query('logs', path('tabular'))
    expect(tabular.body.tables[0].columns).toHaveLength(4)
    const legacy = await service.query('logs', path('legacy'))
    expect(legacy.body.matches).toHaveLength(4)
  })
})

describe('Dataset', () => {
  it('Identified by <dataset_name> in paths and in APL text.', async () => {
    const ingested = await service.ingest('named.data-set_1', [{ n: 7 }])
    expect(ingested.body).toMatchObject({ ingested: 1 })
    expect(await service.rows("['named.data-set_1'] | project n")).toEqual([[7]])
    const legacy = await service.legacy('named.data-set_1', {})
    expect(legacy.body.matches).toMatchObject([{ data: { n: 7 } }])
  })
})

describe('Run query (APL)', () => {
  it('Method and path: POST {base_url}/v1/datasets/_apl?format=<format>', async () => {
    const path = '/v1/datasets/_apl?format=tabular'
    expect(await service.query('logs', { path })).toMatchObject({ status: 200 })
    expect(await service.send({ method: 'GET', path })).toMatchObject({ status: 405 })
  })

  it('Query parameter `format`: `tabular` (tabular output) or `legacy` (legacy output).', async () => {
    const tabular = await service.query('logs', { path: '/v1/datasets/_apl?format=tabular' })
    expect(Object.keys(tabular.body)).toContain('tables')
    const legacy = await service.query('logs', { path: '/v1/datasets/_apl?format=legacy' })
    expect(legacy.body).toMatchObject({ status: {}, matches: [{}, {}, {}, {}] })
  })

  it('Request body: APL request with options. `apl` is required.', async () => {
    expect(await service.query({ apl: 'logs' })).toMatchObject({ status: 200 })
    expect(await service.query({ startTime: 'now-1h' })).toMatchObject({ status: 422 })
  })

  it('`startTime` and `endTime` are optional.', async () => {
    expect(await numbers({})).toEqual([4, 3, 2, 1])
    expect(await numbers({ startTime: '2026-01-01T00:00:03Z' })).toEqual([4, 3])
    expect(await numbers({ endTime: '2026-01-01T00:00:03Z' })).toEqual([2, 1])
  })

  it('Headers: `Authorization: Bearer <API_TOKEN>`, `Content-Type: application/json`', async () => {
    expect(await service.query('logs', { token: null })).toMatchObject({ status: 403 })
    expect(await service.query('logs', { type: 'application/json' })).toMatchObject({ status: 200 })
  })

  it('Response: tabular query result when `format` is `tabular`.', async () => {
    const { body } = await service.query('logs')
    expect(Object.keys(body).sort()).toEqual([
      'datasetNames',
      'fieldsMetaMap',
      'format',
      'status',
      'tables',
    ])
  })

  it('The APL text names the dataset and may hold operators such as limit and sort by _time asc or desc.', async () => {
    const apl = (order: string) => `['logs'] | sort by _time ${order} | limit 2 | project n`
    expect(await service.rows(apl('asc'))).toEqual([[1], [2]])
    expect(await service.rows(apl('desc'))).toEqual([[4], [3]])
  })
})

describe('APL request with options', () => {
  it('`apl`: string, required; the APL query text', async () => {
    expect(await service.rows({ apl: 'logs | count' })).toEqual([[4]])
    for (const apl of [undefined, null, '', ' ']) {
      expect(await service.query({ apl })).toMatchObject({ status: 422 })
    }
  })

  it('`cursor`: string, optional', async () => {
    const apl = 'logs | sort by _time asc | limit 2'
    const { body } = await service.query({ apl })
    const next = await service.query({ apl, cursor: body.status.maxCursor })
    const [{ fields, columns }] = next.body.tables
    const at = fields.findIndex(({ name }: { name: string }) => name === 'n')
    expect(columns[at]).toEqual([3, 4])
  })

  it('`defaultLimit`: integer (64-bit), optional', async () => {
    expect(await numbers({ defaultLimit: 2 })).toEqual([4, 3])
    const largest = '{"apl":"logs | project n","defaultLimit":9223372036854775807}'
    const response = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      type: 'application/json',
      body: largest,
    })
    expect(response.body?.tables[0].columns).toEqual([[4, 3, 2, 1]])
  })

  it('`defaultOrder`: array of order entries, optional. Order entry: `desc` (boolean), `field` (string).', async () => {
    const defaultOrder = [
      { field: 'level', desc: false },
      { field: 'n', desc: true },
    ]
    expect(await numbers({ defaultOrder })).toEqual([4, 2, 3, 1])
  })

  it('`endTime`: string, optional', async () => {
    expect(await numbers({ endTime: '2026-01-01T00:00:02.000000001Z' })).toEqual([2, 1])
  })

  it('`includeCursor`: boolean, optional', async () => {
    const apl = 'logs | sort by _time asc'
    const cursor = (await service.query(`${apl} | limit 2`)).body.status.maxCursor
    const matched = async (includeCursor: boolean) =>
      (await service.query({ apl, cursor, includeCursor })).body.tables[0].columns[0].length
    expect(await matched(false)).toBe(2)
    expect(await matched(true)).toBe(3)
  })

  it('`includeCursorField`: boolean, optional', async () => {
    const { body } = await service.query({ apl: 'logs', includeCursorField: true })
    const [{ fields, columns }] = body.tables
    expect(fields.at(-1)).toEqual({ name: '_cursor', type: 'string' })
    expect(columns.at(-1)[0]).toBe(body.status.maxCursor)
    expect(columns.at(-1)[3]).toBe(body.status.minCursor)
  })

  it('`libraries`: array of string, optional', async () => {
    expect(await numbers({ libraries: ['one', 'two'] })).toHaveLength(4)
  })

  it('`queryOptions`: query options, optional', async () => {
    expect(await numbers({ queryOptions: {} })).toHaveLength(4)
  })

  it('`startTime`: string, optional', async () => {
    expect(await numbers({ startTime: '2026-01-01T00:00:04Z' })).toEqual([4])
  })

  it('`variables`: object, optional', async () => {
    const apl = 'logs | where n >= least and level == word | project n'
    expect(await numbers({ apl, variables: { least: 2, word: 'info' } })).toEqual([3])
  })

  it.each([
    ['apl', 1],
    ['cursor', 1],
    ['defaultLimit', '10'],
    ['defaultLimit', 1.5],
    ['defaultOrder', {}],
    ['defaultOrder', [{ field: 1 }]],
    ['defaultOrder', [{ field: 'n', desc: 'yes' }]],
    ['endTime', 1],
    ['includeCursor', 'true'],
    ['includeCursorField', 1],
    ['libraries', 'one'],
    ['libraries', [1]],
    ['queryOptions', []],
    ['startTime', {}],
    ['variables', []],
  ])('`%s` has its type: %j is 400', async (field, value) => {
    expect(await service.query({ apl: 'logs', [field]: value })).toMatchObject({ status: 400 })
  })
})

describe('Query options', () => {
  it.each([
    ['disableCache', 'boolean', true],
    ['disableStats', 'boolean', true],
    ['disableTrace', 'boolean', true],
    ['maxDataPoints', 'integer (64-bit)', 100],
    ['maxSeries', 'integer (64-bit)', 100],
    ['noAggregation', 'boolean', true],
    ['noFill', 'boolean', true],
    ['noInterpolation', 'boolean', true],
    ['resolution', 'string', '1m'],
  ])('`%s`: %s', async (field, type, value) => {
    const { status, body } = await service.query({ apl: 'logs', queryOptions: { [field]: value } })
    expect({ status, rows: body.status.rowsMatched }).toEqual({ status: 200, rows: 4 })
    const wrong = type === 'string' ? 1 : 'yes'
    const refused = await service.query({ apl: 'logs', queryOptions: { [field]: wrong } })
    expect(refused.status).toBe(400)
  })

  it('`priority`: string; allowed values `low`, `medium`, `high`', async () => {
    const statusOf = async (priority: unknown) =>
      (await service.query({ apl: 'logs', queryOptions: { priority } })).status
    for (const priority of ['low', 'medium', 'high']) expect(await statusOf(priority)).toBe(200)
    expect(await statusOf('urgent')).toBe(422)
    expect(await statusOf(1)).toBe(400)
  })
})

describe('Where the specification says not shown: a query', () => {
  it.each(['', '?format=', '?format=csv', '?format=Tabular'])(
    '`format` is required: `tabular` or `legacy`; else 400: %s',
    async (query) => {
      const { status, body } = await service.query('logs', { path: `/v1/datasets/_apl${query}` })
      expect(status).toBe(400)
      for (const format of ['tabular', 'legacy']) expect(body.message).toContain(format)
    },
  )

  it('`startTime`/`endTime`: RFC 3339. Start inclusive, end exclusive.', async () => {
    const range = { startTime: '2026-01-01T01:00:02+01:00', endTime: '2026-01-01T00:00:04Z' }
    expect(await numbers(range)).toEqual([3, 2])
  })

  it('`startTime`/`endTime`: `now`, `now-1h`, `now-7d` forms', async () => {
    await service.ingest('recent', [
      { n: 1, _time: new Date(Date.now() - 7_200_000).toISOString() },
    ])
    const count = async (range: object) =>
      (await service.rows({ apl: 'recent | count', ...range }))[0]
    expect(await count({ startTime: 'now-7d', endTime: 'now' })).toEqual([1])
    expect(await count({ startTime: 'now-1h' })).toEqual([0])
    expect(await count({ endTime: 'now-1h' })).toEqual([1])
    expect(await count({ startTime: 'now' })).toEqual([0])
  })

  it('A request without `startTime`/`endTime` covers all events.', async () => {
    const times = ['1901-01-01T00:00:00Z', '2026-01-01T00:00:00Z', '2261-01-01T00:00:00Z']
    await service.ingest(
      'ages',
      times.map((_time) => ({ _time })),
    )
    expect(await service.rows('ages | count')).toEqual([[3]])
  })

  it('`variables`: visible in the query as names; a `let` of the same name in the text wins.', async () => {
    const variables = { least: 4 }
    expect(await numbers({ apl: 'logs | where n >= least | project n', variables })).toEqual([4])
    const apl = 'let least = 3; logs | where n >= least | project n'
    expect(await numbers({ apl, variables })).toEqual([4, 3])
  })

  it('Default order when the query states none: `_time` descending.', async () => {
    expect(await numbers({})).toEqual([4, 3, 2, 1])
  })

  it('400: a malformed time or cursor', async () => {
    for (const wrong of [{ startTime: 'lately' }, { endTime: '2026-13-01' }, { cursor: 'next' }])
      expect(await service.query({ apl: 'logs', ...wrong })).toMatchObject({ status: 400 })
  })

  it('a query that does not compile adds `detail`, and `problems` with offsets into the APL text', async () => {
    const apl = "['logs']\n| where 'é👍' == levle"
    const { status, body } = await service.query(apl)
    expect(status).toBe(400)
    const start = apl.indexOf('levle')
    expect(body.problems).toMatchObject([
      { code: 'unknown-field', span: { start, end: start + 5 }, message: expect.any(String) },
    ])
    // Columns are counted in characters: the thumb is one, and two UTF-16 units.
    expect(body.detail).toMatchObject({ line: 2, column: "| where 'éX' == ".length + 1 })
    for (const field of ['errorType', 'compileErrorCode', 'message'])
      expect(body.detail[field]).toEqual(expect.any(String))
  })
})
