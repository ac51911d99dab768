import { beforeAll, describe, expect, it, vi } from 'vitest'
import { unavailable } from '../../../src/service/refused-error.js'
import { needsEmbedded, TEST_ENGINE } from '../../support/engine.js'
import { runningWith, type TestResponse } from '../running.js'

const EVENTS = `
{"_time":"2026-01-01T10:00:01.010Z","status":200,"service":"a","big":9007199254740993,"mixed":1,"list":[1,"x"],"geo":{"city":"é"}}
{"_time":"2026-01-01T10:00:02.123456789Z","status":500,"service":"b","big":-9223372036854775808,"mixed":"one","list":[],"ratio":0.1}
{"_time":"2026-01-01T10:01:03Z","status":503,"service":"a","mixed":2.5,"ok":true,"text":"two\\nlines, \\"quoted\\""}
`

/** More than the default limit: one event per second, from 2026-01-02 on. */
const MANY = Array.from({ length: 1_001 }, (_, i) => `{"_time":${1_767_312_000 + i},"i":${i}}\n`)

const service = runningWith({ logs: EVENTS, many: MANY })

function query(apl: string, more: object = {}): Promise<TestResponse> {
  return post({ apl, ...more })
}

function post(body: unknown, format = '?format=tabular'): Promise<TestResponse> {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return service.send({ path: `/v1/datasets/_apl${format}`, body: text })
}

/** The columns of a response by name. */
function columns({ body, text }: TestResponse): Record<string, unknown> {
  const [table] = body.tables
  expect(table?.name, text).toBe('0')
  return Object.fromEntries(
    table.fields.map(({ name }: { name: string }, i: number) => [name, table.columns[i]]),
  )
}

describe('the path of clients with an edge URL', () => {
  it('returns both formats, and a cursor continues on the other path', async () => {
    const at = (path: string, body: object) => service.send({ path, body: JSON.stringify(body) })
    const apl = "['logs'] | sort by _time asc | limit 2 | project status"
    const page = await at('/v1/query/_apl?format=tabular', { apl })
    expect(columns(page)).toEqual({ status: [200, 500] })
    const cursor = page.body.status.maxCursor
    for (const path of ['/v1/query/_apl', '/v1/datasets/_apl']) {
      expect(columns(await at(`${path}?format=tabular`, { apl, cursor }))).toEqual({
        status: [503],
      })
    }
    // The JavaScript SDK has its cursor here.
    const inUrl = `/v1/query/_apl?format=tabular&nocache=true&cursor=${cursor}`
    expect(columns(await at(inUrl, { apl }))).toEqual({ status: [503] })
    expect(columns(await at(inUrl, { apl, cursor }))).toEqual({ status: [503] })
    const other = page.body.status.minCursor
    expect((await at(inUrl, { apl, cursor: other })).status).toBe(400)
    const legacy = await at('/v1/query/_apl?format=legacy', { apl })
    expect(legacy.body.matches).toMatchObject([
      { data: { status: 200 } },
      { data: { status: 500 } },
    ])
    expect((await at('/v1/query/_apl', { apl })).status).toBe(400)
  })
})

describe('the events of a dataset', () => {
  it('are newest first, times in front of the other fields by name', async () => {
    const response = await query("['logs']")
    expect(response.status).toBe(200)
    expect(response.body.format).toBe('tabular')
    const [table] = response.body.tables
    expect(table.name).toBe('0')
    expect(table.sources).toEqual([{ name: 'logs' }])
    expect(table.order).toEqual([{ field: '_time', desc: true }])
    expect(table.groups).toEqual([])
    expect(table.fields).toEqual([
      { name: '_sysTime', type: 'datetime' },
      { name: '_time', type: 'datetime' },
      { name: 'big', type: 'integer' },
      { name: 'geo.city', type: 'string' },
      { name: 'list', type: 'array' },
      { name: 'mixed', type: 'float|integer|string' },
      { name: 'ok', type: 'boolean' },
      { name: 'ratio', type: 'float' },
      { name: 'service', type: 'string' },
      { name: 'status', type: 'integer' },
      { name: 'text', type: 'string' },
    ])
    expect(columns(response)).toMatchObject({
      _sysTime: ['2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z', '2026-01-01T12:00:00Z'],
      _time: ['2026-01-01T10:01:03Z', '2026-01-01T10:00:02.123456789Z', '2026-01-01T10:00:01.01Z'],
      'geo.city': [null, null, 'é'],
      list: [null, [], [1, 'x']],
      mixed: [2.5, 'one', 1],
      ok: [true, null, null],
      ratio: [null, 0.1, null],
      service: ['a', 'b', 'a'],
      status: [503, 500, 200],
      text: ['two\nlines, "quoted"', null, null],
    })
  })

  it('keep integers that no double represents', async () => {
    const { text } = await query("['logs'] | project big | sort by big asc")
    expect(text.replaceAll(' ', '')).toContain(
      '"columns":[[null,-9223372036854775808,9007199254740993]]',
    )
  })

  it('are returned with a status, names and fields', async () => {
    const { body } = await query("['logs'] | where status >= 500 | project service")
    expect(body.status).toMatchObject({
      minCursor: expect.stringMatching(/^[0-9a-z]{26}logs$/),
      maxCursor: expect.stringMatching(/^[0-9a-z]{26}logs$/),
      rowsMatched: 2,
      numGroups: 0,
      isPartial: false,
      cacheStatus: 0,
      minBlockTime: '2026-01-01T10:00:01.01Z',
      maxBlockTime: '2026-01-01T10:01:03Z',
    })
    expect(body.status.rowsExamined).toBe(3)
    for (const name of ['elapsedTime', 'blocksExamined', 'blocksCached', 'blocksMatched']) {
      expect(Number.isInteger(body.status[name]), name).toBe(true)
    }
    expect(body.status).not.toHaveProperty('messages')
    expect(body.datasetNames).toEqual(['logs'])
    expect(body.fieldsMetaMap).toEqual({
      logs: [{ name: 'service', type: 'string', unit: '', hidden: false, description: '' }],
    })
  })
})

describe('an aggregation', () => {
  it('describes its columns', async () => {
    const response = await query(
      "['logs'] | summarize n = count(), percentile(status, 50) by bin(_time, 1m), service",
    )
    const [table] = response.body.tables
    expect(table.fields).toEqual([
      { name: '_time', type: 'datetime' },
      { name: 'service', type: 'string' },
      { name: 'n', type: 'integer', agg: { name: 'count', fields: [], args: [] } },
      {
        name: 'percentile_status',
        type: 'integer',
        agg: { name: 'percentiles', fields: ['status'], args: [50] },
      },
    ])
    expect(table.groups).toEqual([{ name: 'service' }])
    expect(table.buckets).toEqual({ field: '_time', size: 60_000_000_000 })
    expect(response.body.status).toMatchObject({ rowsMatched: 3, numGroups: 3 })
    expect(columns(response).n).toEqual([1, 1, 1])
  })

  it('keeps the description when a column is renamed', async () => {
    const { body } = await query("['logs'] | summarize most = max(status) by service | limit 1")
    expect(body.tables[0].fields[1].agg).toEqual({ name: 'max', fields: ['status'], args: [] })
  })
})

describe('the time range', () => {
  const times = async (more: object) =>
    columns(await query("['logs'] | project _time | sort by _time asc", more))._time

  it('includes its start and not its end', async () => {
    const range = { startTime: '2026-01-01T10:00:01.01Z', endTime: '2026-01-01T10:01:03Z' }
    expect(await times(range)).toEqual([
      '2026-01-01T10:00:01.01Z',
      '2026-01-01T10:00:02.123456789Z',
    ])
    const { body } = await query("['logs']", range)
    expect(body.tables[0].range).toEqual({
      field: '_time',
      start: range.startTime,
      end: range.endTime,
    })
    expect(body.status).toMatchObject({
      rowsMatched: 2,
      minBlockTime: '2026-01-01T10:00:01.01Z',
      maxBlockTime: '2026-01-01T10:01:02.999999999Z',
    })
  })

  it('is exact to the nanosecond', async () => {
    expect(await times({ startTime: '2026-01-01T10:00:02.123456790Z' })).toEqual([
      '2026-01-01T10:01:03Z',
    ])
    expect(await times({ endTime: '2026-01-01T10:00:02.123456789Z' })).toEqual([
      '2026-01-01T10:00:01.01Z',
    ])
  })

  it('can be relative to now, which is noon', async () => {
    expect(await times({ startTime: 'now-119m' })).toEqual(['2026-01-01T10:01:03Z'])
    expect(await times({ endTime: 'now-1d' })).toEqual([])
  })

  it('can be outside of the supported times', async () => {
    expect(
      await times({ startTime: '0001-01-01T00:00:00Z', endTime: '9999-12-31T00:00:00Z' }),
    ).toHaveLength(3)
    expect(await times({ startTime: '9999-12-31T00:00:00Z' })).toEqual([])
  })

  it('covers all events when absent', async () => {
    const { body } = await query("['logs']")
    expect(body.tables[0].range).toEqual({
      field: '_time',
      start: '2026-01-01T10:00:01.01Z',
      end: '2026-01-01T10:01:03.000000001Z',
    })
  })

  it('without events in it yields fields and no rows', async () => {
    const response = await query("['logs'] | project status", { startTime: 'now', endTime: 'now' })
    expect(columns(response)).toEqual({ status: [] })
    expect(response.body.status.rowsMatched).toBe(0)
  })

  it.each(['yesterday', '2026-01-01', 'now-1y'])('is refused when it is %s', async (startTime) => {
    const { status, body } = await query("['logs']", { startTime })
    expect([status, body.message]).toEqual([
      400,
      `\`startTime\` is \`${startTime}\`, which is not a time such as \`2026-01-31T10:00:00Z\`, \`now\` or \`now-1h\`.`,
    ])
  })
})

describe('the row counts of a status', () => {
  it.each([
    ["['logs'] | count", 3, 3],
    ["['logs'] | summarize count() by service", 3, 3],
    ["['logs'] | sort by service asc", 3, 3],
    ["['logs'] | where status >= 500 | summarize count()", 3, 2],
    ["['logs'] | limit 2", 3, 3],
    ["['logs'] | where status >= 500 | limit 2", 3, 2],
    ["['logs'] | limit 2 | where status >= 500", 3, 3],
    ["['many'] | count", 1_001, 1_001],
    ["['many'] | summarize max(_time)", 1_001, 1_001],
    ["['many'] | summarize min(_time), dcount(i)", 1_001, 1_001],
    ["['many'] | where _time >= datetime(2026-01-02T00:10:00Z) | count", 1_001, 401],
    ["['many'] | where i < 7 | summarize avg(i)", 1_001, 7],
    ["['many'] | where i < 70 | extend tens = i / 10 | distinct tens", 1_001, 70],
    ["['many'] | where i < 70 | summarize count() by tens = i / 10 | limit 2", 1_001, 70],
    // A later filter of groups does not filter events.
    ["['many'] | where i < 70 | summarize count() by tens = i / 10 | where tens == 3", 1_001, 70],
    // Two aggregations, one of which reads the groups.
    ["['many'] | where i < 70 | summarize n = count() by tens = i / 10 | count", 1_001, 70],
    // A key without fields does not make the engine count parts.
    ["['many'] | extend k = 1 | summarize count() by k", 1_001, 1_001],
    [
      "['many'] | where i in ((['many'] | where i < 5 | summarize by i)) | summarize count() by i",
      1_001,
      5,
    ],
    ["['many'] | where i < 50 | summarize count() by i, bin(_time, 1m) | limit 3", 1_001, 50],
    ["['many'] | where i < 50 | summarize count() | project-rename n = count_", 1_001, 50],
    ["['many'] | where i < 50 | summarize count() | project one = 1", 1_001, 50],
    ["['many'] | where i < 50 | summarize count() | limit 1", 1_001, 50],
    ["['many'] | where i < 50 | summarize topk(i, 5) by five = i / 5", 1_001, 50],
    ["['many'] | where i < 50 | summarize make_set(i)", 1_001, 50],
  ])('of %s are %d examined and %d matched', async (apl, rowsExamined, rowsMatched) => {
    const { body } = await query(apl)
    // A cluster may reach the limit before its servers have reported all that they have read.
    const isExact = TEST_ENGINE === 'embedded' || !apl.includes('limit')
    const { rowsExamined: found } = body.status
    expect(found).toBeLessThanOrEqual(rowsExamined)
    expect(found).toBeGreaterThanOrEqual(isExact ? rowsExamined : rowsMatched)
    expect(body.status.rowsMatched).toBe(rowsMatched)
  })

  it('examine at least the matching rows, and 0 without events', async () => {
    const range = { startTime: '2020-01-01T00:00:00Z', endTime: '2020-01-02T00:00:00Z' }
    const { body } = await query("['logs'] | count", range)
    expect(body.status).toMatchObject({ rowsExamined: 0, rowsMatched: 0 })
  })
})

// Other services may change the events of a shared engine.
describe('the number of engine reads', needsEmbedded, () => {
  async function reads(apl: string): Promise<number> {
    const read = vi.spyOn(service.store, 'read')
    const parts = vi.spyOn(service.store, 'parts')
    await query(apl)
    const count = read.mock.calls.length + parts.mock.calls.length
    read.mockRestore()
    parts.mockRestore()
    return count
  }

  it.each([
    ['project status', 2],
    ['limit 5', 2],
    ['limit 2', 2],
    ['count', 2],
    ['where status >= 500 | count', 2],
    ['where status >= 500 | summarize count() by service', 2],
    ['summarize avg(status)', 2],
    ['distinct service', 2],
    // The engine stops at the limit, and all matching events are counted.
    ['where status >= 200 | limit 2', 3],
  ])('for `%s` is %d, and 1 while the events stay the same', async (operator, first) => {
    const dataset = operator.replace(/\W/g, '')
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.send({ path: `/v1/ingest/${dataset}`, headers, body: EVENTS })
    const apl = `['${dataset}'] | ${operator}`
    expect(await reads(apl)).toBe(first)
    expect(await reads(apl)).toBe(1)
  })

  it.each([
    'summarize count() by service',
    'where status >= 500 | summarize count() by service',
    'where status >= 500 | count',
    'summarize dcount(service)',
    'distinct service',
    'project status',
    'limit 2',
  ])('for `%s` is one statement for a dataset whose parts are known', async (operator) => {
    await query("['logs'] | limit 1")
    const read = vi.spyOn(service.store, 'read')
    const { body } = await query(`['logs'] | ${operator} | extend unique = '${operator}'`)
    const statements = read.mock.calls.length
    read.mockRestore()
    expect(statements).toBe(1)
    expect(body.status).toMatchObject({
      blocksExamined: 1,
      minBlockTime: '2026-01-01T10:00:01.01Z',
      maxBlockTime: '2026-01-01T10:01:03Z',
    })
  })
})

describe('the row limit', () => {
  const rows = async (apl: string, more: object = {}) => {
    const response = await query(apl, more)
    return {
      rows: (columns(response).i as number[]).length,
      matched: response.body.status.rowsMatched,
      messages: response.body.status.messages?.map(({ code }: { code: string }) => code),
    }
  }

  it.each([
    ['percentile(i, 0.95)', 'percentile(i, 0.95)'],
    ['percentiles_array(i, 0.5, 0.99)', 'percentiles_array(i, 0.5, 0.99)'],
    ['percentiles_array(i, dynamic([0.5, 1]))', 'percentiles_array(i, dynamic([0.5, 1]))'],
    ['percentileif(i, 0.5, i > 5)', 'percentileif(i, 0.5, i > 5)'],
  ])('comes with a warning when the percentiles of %s look like shares', async (apl, shown) => {
    const { body } = await query(`['many'] | summarize x = ${apl}`)
    const msg = `Percentiles are from 0 to 100, so \`${shown}\` is close to the minimum.`
    expect(body.status.messages).toEqual([
      { priority: 'warn', code: 'query_warning', count: 1, msg },
    ])
  })

  it.each([
    'percentile(i, 95)',
    'percentile(i, 0)',
    'percentile(i, 1)',
    'percentiles_array(i, 0.1, 50, 99.9)',
  ])('has no warning about %s', async (apl) => {
    const { body } = await query(`['many'] | summarize x = ${apl}`)
    expect(body.status.messages).toBeUndefined()
  })

  it('comes with a warning when the name of a field is a string', async () => {
    const { body } = await query(`['many'] | where "i" == "1" or "all" == "all" | limit 1`)
    const msg = '`"i"` is a string, not the field. Write it without quotes, or as `[\'i\']`.'
    expect(body.status.messages).toMatchObject([{ code: 'query_warning', msg }])
  })

  it('comes with a warning when a string is compared with a time', async () => {
    const { body } = await query(
      `['many'] | extend at = tostring(i) | where at < "2026-01-31 10:00" or at > "2026-01-31" | limit 1`,
    )
    const msg =
      '`at` is compared as a string, not as a time. The time of an event is `_time`; other fields are converted with `todatetime(at)`.'
    expect(body.status.messages).toMatchObject([{ code: 'query_warning', msg }])
  })

  it('is 1,000 by default, with a warning', async () => {
    const { body } = await query("['many'] | project i")
    expect(body.tables[0].columns[0]).toHaveLength(1_000)
    expect(body.tables[0].columns[0].slice(-2)).toEqual([2, 1])
    expect(body.status.rowsMatched).toBe(1_001)
    expect(body.status.messages).toEqual([
      {
        priority: 'warn',
        code: 'default_limit_warning',
        count: 1,
        msg: 'The result is truncated to 1,000 rows, the default. Set another limit with `limit` in the query, or in the request.',
      },
    ])
  })

  it('adds no warning when nothing is truncated', async () => {
    expect(await rows("['many'] | where i > 0 | project i")).toEqual({
      rows: 1_000,
      matched: 1_000,
      messages: undefined,
    })
  })

  it('is the lower of query and request', async () => {
    const all = { rows: 1_001, matched: 1_001, messages: undefined }
    expect(await rows("['many'] | limit 1500")).toEqual(all)
    expect(await rows("['many'] | project i", { defaultLimit: 1_500 })).toEqual(all)
    expect(await rows("['many'] | limit 1500", { defaultLimit: 5 })).toEqual({ ...all, rows: 5 })
    expect(await rows("['many'] | limit 5", { defaultLimit: 1_500 })).toEqual({ ...all, rows: 5 })
    expect(await rows("['many'] | project i", { defaultLimit: 0 })).toEqual({ ...all, rows: 0 })
  })

  it('is at most that of the service, with a warning', async () => {
    const send = service.limited({ rows: 10 })
    for (const body of [{ apl: "['many'] | limit 11" }, { apl: "['many']", defaultLimit: 11 }]) {
      const path = '/v1/datasets/_apl?format=tabular'
      const response = await send({ path, body: JSON.stringify(body) })
      expect(columns(response).i).toHaveLength(10)
      expect(response.body.status.messages).toMatchObject([{ code: 'service_limit_warning' }])
    }
  })
})

describe('a query that does not compile', () => {
  it('is refused with 400 and all its problems', async () => {
    const { status, body } = await query("['logs']\n| where '😀' == statsu or servce == 'a'")
    expect(status).toBe(400)
    expect(body.code).toBe(400)
    expect(body.message).toBe('There is no field `statsu` at this point of the query.')
    // The emoji is one character and two UTF-16 code units.
    expect(body.detail).toEqual({
      errorType: 'compile',
      compileErrorCode: 'unknown-field',
      line: 2,
      column: 16,
      message: body.message,
    })
    expect(body.problems).toMatchObject([
      { code: 'unknown-field', span: { start: 25, end: 31 } },
      { code: 'unknown-field', span: { start: 35, end: 41 } },
    ])
  })

  it('is refused with 400 when the engine would plan it for minutes', async () => {
    const steps = Array.from({ length: 50 }, () => '| extend x = 1 | sort by x | take 9')
    const { status, body } = await query(`['logs'] ${steps.join(' ')}`)
    expect([status, body.message]).toEqual([400, expect.stringMatching(/nested too deeply/)])
  })

  it('is refused with 404 when all problems are unknown datasets', async () => {
    const { status, body } = await query("['logz']")
    expect([status, body.code]).toEqual([404, 404])
    expect(body.message).toContain('There is no dataset `logz`.')
    expect(body.message).toContain('logs')
    expect(body.problems).toMatchObject([
      { code: 'unknown-dataset', span: { start: 0, end: 8 }, label: 'close to `logs`' },
    ])
  })
})

describe('a query that fails because of its values', () => {
  it('is refused with 400, in terms of APL', async () => {
    const { status, body, text } = await query("['logs'] | project n = big * 1024")
    expect(status, text).toBe(400)
    expect(body.message).toMatch(/exceeds 64 bits/)
    expect(text).not.toMatch(/DB::|ClickHouse|Code:/)
  })
})

describe('a refused query request', () => {
  it.each(['', '?format=', '?format=csv', '?format=Legacy'])(
    'has the format %j',
    async (format) => {
      const { status, body } = await post({ apl: "['logs']" }, format)
      expect(status).toBe(400)
      expect(body.message).toContain('`format=tabular`')
    },
  )

  it.each(['{', '\xff', '[1', '{"apl": "a"} x'])('is not JSON: %j', async (text) => {
    const { status, body } = await post(text)
    expect([status, body.message]).toEqual([400, 'The request body is not valid JSON.'])
  })

  it('has no query', async () => {
    expect((await post({})).status).toBe(422)
  })

  it.each(['', '?format=tabular', '?format=legacy'])(
    'has no body, with the format %j: a check of the credentials by a client',
    async (format) => {
      const { status, body } = await post('', format)
      expect([status, body.code]).toEqual([422, 422])
      expect(body.message).toContain('`apl`')
    },
  )
})

describe('query parameters', () => {
  it('have the type of their JSON value', async () => {
    const variables = {
      least: 500,
      who: 'a',
      share: 0.5,
      flag: true,
      codes: [500, [503]],
      none: null,
    }
    const response = await query(
      "['logs'] | where status >= least and service == who and status in (codes) | project status, share, flag, none",
      { variables },
    )
    expect(columns(response)).toEqual({ status: [503], share: [0.5], flag: [true], none: [null] })
  })

  it('are overridden by statements, and set declared parameters', async () => {
    const apl =
      'declare query_parameters (d:string = "many", n:real = 1); let least = 5; table(d) | count | extend least, n'
    const variables = { least: 500, d: 'logs', n: 2 }
    expect(columns(await query(apl, { variables }))).toEqual({ Count: [3], least: [5], n: [2] })
    expect(columns(await query(apl))).toEqual({ Count: [1001], least: [5], n: [1] })
  })

  it('keep integers beyond 2^53 exact, also within lists', async () => {
    const body = `{"apl":"print n, l = tostring(l), big","variables":{"n":9007199254740993,"l":[9223372036854775807,{"k":-9007199254740993}],"big":123456789012345678901234567890}}`
    const response = await service.send({ path: '/v1/datasets/_apl?format=tabular', body })
    expect(response.status).toBe(200)
    expect(response.text).toContain(
      '"columns":[[9007199254740993],["[9223372036854775807,{\\"k\\":-9007199254740993}]"],[1.2345678901234568e29]]',
    )
  })

  it('are refused when their type is wrong', async () => {
    const declared = 'declare query_parameters (n:int); print n'
    const wrong = await query(declared, { variables: { n: 'five' } })
    expect([wrong.status, wrong.body.detail.compileErrorCode]).toEqual([400, 'wrong-parameter'])
  })

  it('that are numbers are refused for strings, which need quotes', async () => {
    const declared = 'declare query_parameters (id:string); print id'
    const { body } = await query(declared, { variables: { id: 5 } })
    expect(body.problems[0].help).toContain('quotes')
    expect((await query(declared, { variables: { id: '5' } })).status).toBe(200)
  })
})

describe('a query of several datasets', () => {
  const both = "union withsource=from ['logs'], ['many']"

  it('names them all, with the fields of the result', async () => {
    const { body } = await query(`${both} | project from, _time, status, i | limit 2`)
    expect(body.datasetNames).toEqual(['logs', 'many'])
    expect(body.tables[0].sources).toEqual([{ name: 'logs' }, { name: 'many' }])
    const shown = Object.entries<readonly { name: string }[]>(body.fieldsMetaMap)
    expect(shown.map(([name, fields]) => [name, fields.map((field) => field.name)])).toEqual([
      ['logs', ['_time', 'status']],
      ['many', ['_time', 'i']],
    ])
    expect(body.tables[0].order).toEqual([{ field: '_time', desc: true }])
    expect(body.status.minBlockTime).toBe('2026-01-01T10:00:01.01Z')
  })

  it('reads each of them within the time range of the request', async () => {
    const range = { startTime: '2026-01-01T10:00:02Z', endTime: '2026-01-02T00:00:10Z' }
    const response = await query(
      `${both} | summarize n = count() by from | sort by from asc`,
      range,
    )
    expect(columns(response)).toEqual({ from: ['logs', 'many'], n: [2, 10] })
    expect(response.body.status.rowsMatched).toBe(12)
    const joined = "['many'] | join kind=inner (['logs'] | extend i = 3) on i | count"
    expect(columns(await query(joined, range))).toEqual({ Count: [2] })
    const looked = "print n = 503 in (['logs'] | project status)"
    const early = { ...range, endTime: '2026-01-01T10:00:30Z' }
    expect(columns(await query(looked, early))).toEqual({ n: [false] })
  })

  it('counts the matching events of each', async () => {
    const { body } = await query(
      `union (['logs'] | where status >= 500), (['many'] | where i < 5) | where status > 0 or i > 2 | summarize count()`,
    )
    expect(body.status.rowsMatched).toBe(4)
    const join =
      "['logs'] | where status == 200 | join kind=leftouter (['many'] | where i < 5 | project i, status = i) on status"
    expect((await query(join)).body.status.rowsMatched).toBe(6)
  })

  it('is refused with 404 when one of them is unknown', async () => {
    const { status, body } = await query("['logs'] | union ['nope']")
    expect([status, body.detail.compileErrorCode]).toEqual([404, 'unknown-dataset'])
  })

  it('can match no dataset', async () => {
    const { status, body } = await query('print a = 1')
    expect([status, body.datasetNames, body.fieldsMetaMap]).toEqual([200, [], {}])
    expect(body.tables[0].columns).toEqual([[1]])
  })
})

describe('a query that is stopped', () => {
  const path = '/v1/datasets/_apl?format=tabular'
  const body = JSON.stringify({ apl: "['crowd'] | summarize dcount(text) by i" })

  beforeAll(async () => {
    const lines = Array.from({ length: 300_000 }, (_, i) => `{"i":${i},"text":"text ${i}"}\n`)
    const headers = { 'content-type': 'application/x-ndjson' }
    await service.send({ path: '/v1/ingest/crowd', headers, body: lines.join('') })
  })

  it('because its client disconnected is not an internal error', async () => {
    const caller = new AbortController()
    const response = service.send({ path, body, signal: caller.signal })
    caller.abort()
    expect((await response).status).toBe(499)
  })

  it('because the service stops is refused with the reason', async () => {
    const caller = new AbortController()
    const response = service.send({ path, body, signal: caller.signal })
    caller.abort(unavailable('The service is stopping.'))
    const { status, body: refusal } = await response
    expect([status, refusal.message]).toEqual([503, 'The service is stopping.'])
  })
})

describe('the time range of a request', () => {
  const RANGE = { startTime: '2026-01-01T10:00:00Z', endTime: '2026-01-01T10:02:00Z' }

  it('applies to a series without a range', async () => {
    const response = await query("['logs'] | make-series count() on _time step 1m", RANGE)
    expect(columns(response)).toEqual({
      count_: [[2, 1]],
      _time: [['2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z']],
    })
  })

  it('determines the steps of `bin_auto`', async () => {
    const size = async (queryOptions: object) => {
      const apl = "['logs'] | summarize count() by bin_auto(_time)"
      const { body } = await query(apl, { ...RANGE, queryOptions })
      return body.tables[0].buckets.size
    }
    expect(await size({})).toBe(5_000_000_000)
    expect(await size({ maxDataPoints: 2 })).toBe(60_000_000_000)
    expect(await size({ maxDataPoints: 2, resolution: '1m30s' })).toBe(90_000_000_000)
    expect(await size({ resolution: 'auto' })).toBe(5_000_000_000)
  })

  it('is the duration of a rate', async () => {
    const response = await query("['logs'] | summarize rate(status)", RANGE)
    expect(columns(response)).toEqual({ rate_status: [(200 + 500 + 503) / 120] })
  })

  it('can have a resolution', async () => {
    const response = await query("['logs'] | count", { queryOptions: { resolution: 'fine' } })
    expect(response.status).toBe(422)
    expect(response.body.message).toContain(
      '`resolution` must be `auto` or a duration such as `30s`',
    )
  })
})

describe('a query request beyond the size limits', () => {
  it('has a query of more than 262,144 characters', async () => {
    const { status, body } = await query(`logs | where service != "${'x'.repeat(262_144)}"`)
    expect([status, body.message]).toEqual([
      400,
      'The text of the query is longer than 262,144 characters.',
    ])
  })

  it('has a query of more than 50,000 tokens', async () => {
    const { status, body } = await query(`logs | where status in (${'0,'.repeat(100_000)}0)`)
    expect([status, body.message]).toEqual([400, 'The query has more than 50,000 tokens.'])
  })

  it('has parameters with more than 50,000 values', async () => {
    const apl = 'logs | where status in (codes) | count'
    const { status, body } = await query(apl, { variables: { codes: Array(50_000).fill(0) } })
    expect([status, body.message]).toEqual([
      400,
      'The request body has more than 50,000 values, including those in arrays and objects. Store a long list as a dataset, and query it with `in`.',
    ])
    const found = await query(apl, { variables: { codes: [...Array(40_000).fill(0), 500] } })
    expect(columns(found)).toEqual({ Count: [1] })
  })

  it('has a legacy filter with more than 50,000 values', async () => {
    const children = Array(13_000).fill({ op: '==', field: 'status', value: 500 })
    const range = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-02T00:00:00Z' }
    const { status, body } = await service.send({
      path: '/v1/datasets/logs/query',
      body: JSON.stringify({ ...range, filter: { op: 'or', children } }),
    })
    expect([status, body.message]).toEqual([
      400,
      'The request body has more than 50,000 values, including those in arrays and objects. Store a long list as a dataset, and query it with `in`.',
    ])
  })
})
