import { describe, expect, it } from 'vitest'
import { runningWith, type TestResponse } from './running.js'

const EVENTS = `
{"_time":"2026-01-01T10:00:10Z","service":"web","took":10,"big":9007199254740993,"geo":{"city":"Ulm"}}
{"_time":"2026-01-01T10:00:20Z","service":"web","took":20,"big":1}
{"_time":"2026-01-01T10:01:30Z","service":"web","took":60,"text":"slow"}
{"_time":"2026-01-01T10:01:40Z","service":"api","took":30}
{"_time":"2026-01-01T10:01:50Z","took":null}
`
const RANGE = { startTime: '2026-01-01T10:00:00Z', endTime: '2026-01-01T10:02:00Z' }

const service = runningWith({ logs: EVENTS })

async function ask(body: object): Promise<TestResponse> {
  const text = JSON.stringify({ ...RANGE, ...body })
  const response = await service.send({ path: '/v1/datasets/logs/query', body: text })
  expect(response.status, response.text).toBe(200)
  return response
}

async function refused(body: object, status: number): Promise<string> {
  const text = JSON.stringify({ ...RANGE, ...body })
  const response = await service.send({ path: '/v1/datasets/logs/query', body: text })
  expect(response.status, response.text).toBe(status)
  return response.body.message
}

interface Group {
  readonly id: number
  readonly group: object
  readonly aggregations: readonly { readonly op: string; readonly value: unknown }[]
}

/** The value of one aggregation over all events. */
async function total(aggregation: object): Promise<unknown> {
  const { body } = await ask({ aggregations: [aggregation] })
  expect(body.buckets.totals).toHaveLength(1)
  return body.buckets.totals[0].aggregations[0].value
}

describe('legacy aggregations', () => {
  it.each([
    [{ op: 'count' }, 5],
    [{ op: 'count', field: '*' }, 5],
    [{ op: 'COUNT', field: '' }, 5],
    [{ op: 'distinct', field: 'service' }, 2],
    [{ op: 'makeset', field: 'service', argument: 5 }, expect.toSatisfy(isWebAndApi)],
    [{ op: 'makelist', field: 'geo.city' }, ['Ulm']],
    [{ op: 'sum', field: 'took' }, 120],
    [{ op: 'avg', field: 'took' }, 30],
    [{ op: 'min', field: 'took' }, 10],
    [{ op: 'max', field: 'took' }, 60],
    [{ op: 'topk', field: 'service', argument: 1 }, [{ key: 'web', count: 3, error: 0 }]],
    // Nearest ranks of 10, 20, 30, 60.
    [
      { op: 'percentiles', field: 'took', argument: [25, 50, 99.9] },
      { 25: 10, 50: 20, 99.9: 60 },
    ],
    [{ op: 'percentiles', field: 'took', argument: 100 }, { 100: 60 }],
    [
      { op: 'histogram', field: 'took', argument: 2 },
      [
        { from: 10, to: 35, count: 3 },
        { from: 35, to: 60, count: 1 },
      ],
    ],
    // The squares of -20, -10, 0 and 30 add up to 1,400, divided by three.
    [{ op: 'variance', field: 'took' }, expect.closeTo(1_400 / 3, 9)],
    [{ op: 'stdev', field: 'took' }, expect.closeTo(Math.sqrt(1_400 / 3), 9)],
    [
      { op: 'argmax', field: 'took' },
      {
        _time: '2026-01-01T10:01:30Z',
        _sysTime: '2026-01-01T12:00:00Z',
        service: 'web',
        text: 'slow',
        took: 60,
      },
    ],
    [{ op: 'argmin', field: 'took', argument: ['geo.city', 'text'] }, { 'geo.city': 'Ulm' }],
    // 120 in 120 seconds.
    [{ op: 'rate', field: 'took' }, 1],
  ])('compute %j', async (aggregation, expected) => {
    expect(await total(aggregation)).toEqual(expected)
  })

  it('keep integers exact', async () => {
    const aggregations = [
      { op: 'max', field: 'big' },
      { op: 'makelist', field: 'big' },
      { op: 'argmax', field: 'big', argument: ['big'] },
    ]
    const { text } = await ask({ aggregations, resolution: '1h' })
    expect(text).toContain('"value":9007199254740993}')
    expect(text).toContain('"value":{"big":9007199254740993}}')
    expect(text).not.toContain('9007199254740992')
  })

  it('are null or empty over no values', async () => {
    const filter = { op: 'not-exists', field: 'took' }
    const aggregations = ['percentiles', 'argmax', 'avg', 'sum'].map((op) => ({
      op,
      field: 'took',
      argument: op === 'percentiles' ? [50] : undefined,
    }))
    const { body } = await ask({ aggregations, filter })
    const values = body.buckets.totals[0].aggregations.map(({ value }: { value: unknown }) => value)
    expect(values[0]).toEqual(null)
    expect(values.slice(2)).toEqual([null, 0])
  })

  it('are named by their alias, or else by their operation in capitals', async () => {
    const { body } = await ask({
      aggregations: [
        { op: 'avg', field: 'took' },
        { op: 'max', field: 'took', alias: 'the max' },
      ],
    })
    expect(body.buckets.totals).toEqual([
      {
        id: 0,
        group: {},
        aggregations: [
          { op: 'AVG', value: 30 },
          { op: 'the max', value: 60 },
        ],
      },
    ])
  })

  it('refuse invalid fields and arguments', async () => {
    const one = (aggregation: object) => ({ aggregations: [aggregation] })
    expect(await refused(one({ op: 'count', field: 'took' }), 422)).toContain('`*` or absent')
    expect(await refused(one({ op: 'sum', field: '*' }), 422)).toContain('needs a `field`')
    expect(await refused(one({ op: 'sum', field: 'tok' }), 400)).toContain('no field `tok`')
    expect(await refused(one({ op: 'sum', field: 'service' }), 400)).toContain('`sum(value)`')
    const top = { op: 'topk', field: 'service' }
    expect(await refused(one({ ...top, argument: 0 }), 422)).toContain('a positive integer')
    expect(await refused(one({ ...top, argument: 'x' }), 400)).toContain('a number')
    const ranks = { op: 'percentiles', field: 'took' }
    expect(await refused(one(ranks), 422)).toContain('from 0 to 100')
    expect(await refused(one({ ...ranks, argument: [101] }), 422)).toContain('from 0 to 100')
    expect(await refused(one({ ...ranks, argument: ['p50'] }), 400)).toContain('array of numbers')
    expect(await refused({ ...one({ op: 'count' }), project: [{ field: 'took' }] }, 422)).toContain(
      '`project`',
    )
  })
})

describe('legacy buckets', () => {
  const counted = { aggregations: [{ op: 'count' }], groupBy: ['service'] }

  it('have totals, and a series of intervals with the same groups by id', async () => {
    const { body } = await ask({ ...counted, resolution: '1m' })
    expect(body.matches).toEqual([])
    const { series, totals } = body.buckets
    const count = (value: number) => [{ op: 'COUNT', value }]
    expect(totals.map(({ group, aggregations }: Group) => ({ group, aggregations }))).toEqual([
      { group: { service: 'web' }, aggregations: count(3) },
      ...expectAnyOrder([
        { group: { service: 'api' }, aggregations: count(1) },
        { group: { service: null }, aggregations: count(1) },
      ]),
    ])
    expect(series.map(({ startTime, endTime }: Interval) => [startTime, endTime])).toEqual([
      ['2026-01-01T10:00:00Z', '2026-01-01T10:01:00Z'],
      ['2026-01-01T10:01:00Z', '2026-01-01T10:02:00Z'],
    ])
    expect(series[0].groups).toEqual([{ id: 0, group: { service: 'web' }, aggregations: count(2) }])
    expect(series[1].groups.map(({ aggregations }: Group) => aggregations)).toEqual([
      count(1),
      count(1),
      count(1),
    ])
    for (const { id, group } of series[1].groups) expect(totals[id].group).toEqual(group)
    expect(body.status.numGroups).toBe(3)
    expect(body.status.rowsMatched).toBe(5)
  })

  it('take their resolution from the time range when it is auto or absent', async () => {
    // Two minutes are at most 60 steps of 5 seconds.
    for (const resolution of ['auto', undefined]) {
      const { body } = await ask({ ...counted, resolution })
      expect(body.buckets.series[0]).toMatchObject({
        startTime: '2026-01-01T10:00:10Z',
        endTime: '2026-01-01T10:00:15Z',
      })
    }
  })

  it('are ordered by groups and by names of aggregations, and limited in number', async () => {
    const aggregations = [{ op: 'sum', field: 'took', alias: 'time' }, { op: 'count' }]
    const names = async (more: object) => {
      const { body } = await ask({ ...counted, aggregations, resolution: '1m', ...more })
      const inSeries = body.buckets.series.flatMap(({ groups }: Interval) => groups)
      const { totals } = body.buckets
      for (const { id } of inSeries) expect(id).toBeLessThan(totals.length)
      return totals.map(({ group }: { group: { service: unknown } }) => group.service)
    }
    const filter = { op: 'exists', field: 'service' }
    const by = (field: string, desc: boolean) => ({ order: [{ field, desc }], filter })
    expect(await names(by('service', false))).toEqual(['api', 'web'])
    expect(await names(by('time', true))).toEqual(['web', 'api'])
    expect(await names(by('count', false))).toEqual(['api', 'web'])
    expect(await names(by('COUNT', false))).toEqual(['api', 'web'])
    expect(await names({ ...by('time', true), limit: 1 })).toEqual(['web'])
    expect(await names({ ...by('time', false), limit: 1 })).toEqual(['api'])
    const order = [{ field: 'took', desc: true }]
    expect(await refused({ ...counted, order }, 400)).toContain('Valid fields: `service`, `count`.')
  })

  it('are in descending order of time when ordered by _time descending', async () => {
    const order = [{ field: '_time', desc: true }]
    const { body } = await ask({ ...counted, resolution: '1m', order })
    expect(body.buckets.series.map(({ startTime }: Interval) => startTime)).toEqual([
      '2026-01-01T10:01:00Z',
      '2026-01-01T10:00:00Z',
    ])
  })

  it('group by virtual fields and dotted fields', async () => {
    const virtualFields = [{ alias: 'slow', expr: 'took >= 30' }]
    const groupBy = ['slow', 'geo.city', 'slow']
    const { body } = await ask({ ...counted, groupBy, virtualFields })
    const found = body.buckets.totals.map(({ group, aggregations }: Group) => [
      group,
      aggregations[0]?.value,
    ])
    // No value is above 30 where there are no values.
    expect(found).toHaveLength(3)
    expect(found).toContainEqual([{ slow: false, 'geo.city': null }, 2])
    expect(found).toContainEqual([{ slow: true, 'geo.city': null }, 2])
    expect(found).toContainEqual([{ slow: false, 'geo.city': 'Ulm' }, 1])
  })

  it('group by fields with any name', async () => {
    const virtualFields = ['#0', '##0', '#interval'].map((alias) => ({ alias, expr: '"x"' }))
    const groupBy = virtualFields.map(({ alias }) => alias)
    const { body } = await ask({ ...counted, groupBy, virtualFields, resolution: '1h' })
    const group = { '#0': 'x', '##0': 'x', '#interval': 'x' }
    const groups = [{ id: 0, group, aggregations: [{ op: 'COUNT', value: 5 }] }]
    expect(body.buckets).toMatchObject({ totals: groups, series: [{ groups }] })
  })

  it('are empty, with one empty total, when there are no events', async () => {
    const filter = { op: '==', field: 'service', value: 'none' }
    const none = await ask({ aggregations: [{ op: 'count' }], filter })
    expect(none.body.buckets).toMatchObject({
      series: [],
      totals: [{ group: {}, aggregations: [{ op: 'COUNT', value: 0 }] }],
    })
    expect((await ask({ ...counted, filter })).body.buckets).toEqual({ series: [], totals: [] })
  })
})

interface Interval {
  readonly startTime: string
  readonly endTime: string
  readonly groups: readonly Group[]
}

function isWebAndApi(value: readonly string[]): boolean {
  return [...value].sort().join() === 'api,web'
}

/** Two values in either order, as two expectations. */
function expectAnyOrder(two: readonly [object, object]): readonly unknown[] {
  return two.map(() =>
    expect.toSatisfy((value: object) =>
      two.some((one) => JSON.stringify(one) === JSON.stringify(value)),
    ),
  )
}
