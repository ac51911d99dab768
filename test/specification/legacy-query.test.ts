import { beforeAll, describe, expect, it } from 'vitest'
import { specifiedService } from './service.js'

const service = specifiedService()
const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T00:02:00Z' }

const EVENTS = [
  { _time: '2026-01-01T00:00:10Z', n: 1, host: 'web-1', tag: 'Red', list: ['a', 'b'] },
  { _time: '2026-01-01T00:00:20Z', n: 2, host: 'web-2', tag: 'green' },
  { _time: '2026-01-01T00:01:10Z', n: 3, host: 'api-1', tag: 'red', geo: { city: 'Ulm' } },
  { _time: '2026-01-01T00:01:20Z', n: 4, host: 'api-1' },
]

beforeAll(async () => {
  await service.ingest('logs', EVENTS)
})

const ask = async (request: object) => (await service.legacy('logs', { ...RANGE, ...request })).body

/** The `n` of the matches in ascending order. */
async function found(request: object): Promise<readonly number[]> {
  const { matches } = await ask(request)
  return matches.map((match: { data: { n: number } }) => match.data.n).sort()
}

describe('Run query (legacy)', () => {
  it('Method and path: POST {base_url}/v1/datasets/<dataset_name>/query', async () => {
    expect(await service.legacy('logs', RANGE)).toMatchObject({ status: 200 })
    const get = await service.send({ method: 'GET', path: '/v1/datasets/logs/query' })
    expect(get.status).toBe(405)
  })

  it('Response: status and matches as in the cursor-pagination result.', async () => {
    const { status, matches } = await ask({})
    expect(status).toMatchObject({
      minCursor: expect.any(String),
      maxCursor: expect.any(String),
      rowsMatched: 4,
    })
    expect(matches).toHaveLength(4)
  })
})

describe('Legacy query request body', () => {
  it('`startTime`: string (timestamp)', async () => {
    expect(await found({ startTime: '2026-01-01T00:01:10Z' })).toEqual([3, 4])
  })

  it('`endTime`: string (timestamp)', async () => {
    expect(await found({ endTime: '2026-01-01T00:01:10Z' })).toEqual([1, 2])
  })

  it('`limit`: integer, events per page', async () => {
    expect((await ask({ limit: 3 })).matches).toHaveLength(3)
    expect(await service.legacy('logs', { ...RANGE, limit: '3' })).toMatchObject({ status: 400 })
  })

  it('`order`: array of order entries, e.g. field `_time` with `desc` boolean', async () => {
    const order = (desc: boolean) => ({ order: [{ field: '_time', desc }], limit: 1 })
    expect(await found(order(false))).toEqual([1])
    expect(await found(order(true))).toEqual([4])
  })

  it('`cursor`: string, optional, for cursor pagination', async () => {
    const order = [{ field: '_time', desc: false }]
    const { status } = await ask({ order, limit: 3 })
    expect(await found({ order, cursor: status.maxCursor })).toEqual([4])
  })
})

describe('Where the specification says not shown: the legacy answer', () => {
  it('`status`, `matches`, `buckets`, `request`, `datasetNames`, `fieldsMetaMap`', async () => {
    for (const response of [await ask({}), await ask({ aggregations: [{ op: 'count' }] })]) {
      const fields = ['buckets', 'datasetNames', 'fieldsMetaMap', 'matches', 'request', 'status']
      expect(Object.keys(response).sort()).toEqual(fields)
      expect(response.datasetNames).toEqual(['logs'])
    }
  })

  it('`matches: [{_time, _sysTime, _rowId, data}]`', async () => {
    const { matches } = await ask({ limit: 1 })
    expect(matches).toEqual([
      {
        _time: '2026-01-01T00:01:20Z',
        _sysTime: expect.stringMatching(/Z$/),
        _rowId: expect.any(String),
        data: { n: 4, host: 'api-1' },
      },
    ])
  })

  it('`buckets: {series: [{startTime, endTime, groups: [{id, group, aggregations: [{op, value}]}]}], totals: [...]}`', async () => {
    const { buckets } = await ask({
      aggregations: [{ op: 'sum', field: 'n', alias: 'total' }],
      groupBy: ['host'],
      resolution: '1m',
      order: [{ field: 'host', desc: false }],
    })
    const minutes = buckets.series.map((one: { startTime: string; endTime: string }) => [
      one.startTime,
      one.endTime,
    ])
    expect(minutes).toEqual([
      ['2026-01-01T00:00:00Z', '2026-01-01T00:01:00Z'],
      ['2026-01-01T00:01:00Z', '2026-01-01T00:02:00Z'],
    ])
    const sums = (groups: readonly object[]) =>
      groups
        .map((one) => one as { group: object; aggregations: readonly object[] })
        .map(({ group, aggregations }) => ({ group, aggregations }))
    expect(sums(buckets.totals)).toEqual([
      { group: { host: 'api-1' }, aggregations: [{ op: 'total', value: 7 }] },
      { group: { host: 'web-1' }, aggregations: [{ op: 'total', value: 1 }] },
      { group: { host: 'web-2' }, aggregations: [{ op: 'total', value: 2 }] },
    ])
    expect(sums(buckets.series[1].groups)).toEqual([
      { group: { host: 'api-1' }, aggregations: [{ op: 'total', value: 7 }] },
    ])
    const ids = buckets.totals.map(({ id }: { id: unknown }) => id)
    expect(new Set(ids).size).toBe(3)
    expect(buckets.series[1].groups[0].id).toBe(buckets.totals[0].id)
  })

  it('The legacy request also takes `resolution` (default `auto`)', async () => {
    for (const resolution of [undefined, 'auto', '30s']) {
      const { buckets } = await ask({ aggregations: [{ op: 'count' }], resolution })
      expect(buckets.totals[0].aggregations[0].value).toBe(4)
      expect(buckets.series.length).toBeGreaterThan(1)
    }
  })

  it('`virtualFields [{alias, expr}]`', async () => {
    const virtualFields = [{ alias: 'double', expr: 'n * 2' }]
    const filter = { op: '>', field: 'double', value: 5 }
    expect(await found({ virtualFields, filter })).toEqual([3, 4])
  })

  it('`project [{field, alias}]`', async () => {
    const { matches } = await ask({ project: [{ field: 'n', alias: 'number' }], limit: 1 })
    expect(matches[0].data).toEqual({ number: 4 })
  })

  it('`includeCursor`', async () => {
    const order = [{ field: '_time', desc: false }]
    const cursor = (await ask({ order, limit: 3 })).status.maxCursor
    expect(await found({ order, cursor, includeCursor: true })).toEqual([3, 4])
  })
})

describe('Where the specification says not shown: legacy filters', () => {
  const n = (op: string, value: unknown) => ({ op, field: 'n', value })
  const host = (op: string, value: unknown) => ({ op, field: 'host', value })
  it.each([
    [{ op: 'and', children: [n('>', 1), n('<', 4)] }, [2, 3]],
    [{ op: 'or', children: [n('==', 1), n('==', 4)] }, [1, 4]],
    [{ op: 'not', children: [n('==', 1)] }, [2, 3, 4]],
    [n('==', 2), [2]],
    [n('!=', 2), [1, 3, 4]],
    [n('>', 3), [4]],
    [n('>=', 3), [3, 4]],
    [n('<', 2), [1]],
    [n('<=', 2), [1, 2]],
    [n('eq', 2), [2]],
    [n('ne', 2), [1, 3, 4]],
    [n('gt', 3), [4]],
    [n('gte', 3), [3, 4]],
    [n('lt', 2), [1]],
    [n('lte', 2), [1, 2]],
    [{ op: 'exists', field: 'tag' }, [1, 2, 3]],
    [{ op: 'not-exists', field: 'tag' }, [4]],
    [host('starts-with', 'web'), [1, 2]],
    [host('not-starts-with', 'web'), [3, 4]],
    [host('ends-with', '-1'), [1, 3, 4]],
    [host('not-ends-with', '-1'), [2]],
    [host('contains', 'eb-'), [1, 2]],
    [host('not-contains', 'eb-'), [3, 4]],
    [host('regexp', '^[aw].*2$'), [2]],
    [host('not-regexp', '^web'), [3, 4]],
    [{ op: 'contains', field: 'tag', value: 'red' }, [3]],
    [{ op: 'contains', field: 'tag', value: 'red', caseSensitive: false }, [1, 3]],
    [{ op: '==', field: 'geo.city', value: 'Ulm' }, [3]],
  ])('`filter {op, field, value, caseSensitive, children}`: %j', async (filter, expected) => {
    expect(await found({ filter })).toEqual(expected)
  })
})

describe('Where the specification says not shown: legacy aggregations', () => {
  it.each([
    [{ op: 'count' }, 4],
    [{ op: 'count', field: '*' }, 4],
    [{ op: 'distinct', field: 'host' }, 3],
    [
      { op: 'makeset', field: 'tag' },
      expect.toSatisfy((tags) => `${tags.toSorted()}` === 'Red,green,red'),
    ],
    [{ op: 'makelist', field: 'geo.city' }, ['Ulm']],
    [{ op: 'sum', field: 'n' }, 10],
    [{ op: 'avg', field: 'n' }, 2.5],
    [{ op: 'min', field: 'n' }, 1],
    [{ op: 'max', field: 'n' }, 4],
    [{ op: 'topk', field: 'host', argument: 1 }, [{ key: 'api-1', count: 2, error: 0 }]],
    [
      { op: 'percentiles', field: 'n', argument: [50, 100] },
      { 50: expect.any(Number), 100: 4 },
    ],
    [
      { op: 'histogram', field: 'n', argument: 3 },
      [
        { from: 1, to: 2, count: 1 },
        { from: 2, to: 3, count: 1 },
        { from: 3, to: 4, count: 2 },
      ],
    ],
    // The squares of 1.5, 0.5, 0.5 and 1.5 add up to 5, divided by three.
    [{ op: 'variance', field: 'n' }, expect.closeTo(5 / 3, 9)],
    [{ op: 'stdev', field: 'n' }, expect.closeTo(Math.sqrt(5 / 3), 9)],
    [{ op: 'argmin', field: 'n', argument: ['host'] }, { host: 'web-1' }],
    [{ op: 'argmax', field: 'n', argument: ['host'] }, { host: 'api-1' }],
    // 10 in two minutes.
    [{ op: 'rate', field: 'n' }, expect.closeTo(10 / 120, 9)],
  ])('`aggregations [{op, field, alias, argument}]`: %j', async (aggregation, expected) => {
    const { buckets } = await ask({ aggregations: [aggregation] })
    expect(buckets.totals[0].aggregations[0].value).toEqual(expected)
  })
})
