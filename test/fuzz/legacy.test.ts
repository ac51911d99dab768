import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runningWith } from '../service/running.js'
import { RUNS } from '../support/runs.js'

// Random legacy queries: each gets a result or an error, and the results are consistent with each other.

const OPTIONS = { numRuns: RUNS }
const TIMEOUT_MS = 300_000 + RUNS * 2_000

const EVENTS = `
{"_time":"2026-01-01T10:00:01.010Z","n":1,"status":200,"service":"a","big":9007199254740993,"mixed":1,"list":[1,"x"],"geo":{"city":"é"}}
{"_time":"2026-01-01T10:00:02.123456789Z","n":2,"status":500,"service":"b","big":-9223372036854775808,"mixed":"one","list":[],"ratio":0.1}
{"_time":"2026-01-01T10:01:03Z","n":3,"status":503,"service":"a","mixed":2.5,"ok":true,"text":"two","geo":"x","#0":1}
{"_time":"2026-01-01T10:01:03Z","n":4}
`

const service = runningWith({ logs: EVENTS })

async function ask(request: object) {
  const body = JSON.stringify(request)
  const response = await service.send({ path: '/v1/datasets/logs/query', body })
  expect([200, 400, 422], `${body}\n${response.text}`).toContain(response.status)
  if (response.status !== 200) expect(response.text).not.toMatch(/DB::|ClickHouse|\bat .*\.[jt]s/)
  return response
}

const FIELDS = [
  'status',
  'service',
  'big',
  'mixed',
  'list',
  'geo.city',
  'geo',
  'ok',
  'text',
  'ratio',
]
const field = fc.constantFrom('_time', '_sysTime', '#0', ...FIELDS)
const value = fc.oneof(
  fc.constantFrom(1, 0, 200, 2.5, 1e300, 'a', '', null, true, '2026-01-01T10:00:00Z', '500', '('),
  fc.string(),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
)
const caseSensitive = fc.boolean()

const comparison = fc.record({
  op: fc.constantFrom('==', '!=', '>', '>=', '<', '<=', 'eq', 'ne', 'gt', 'gte', 'lt', 'lte'),
  field,
  value,
  caseSensitive,
})
const onText = fc.record({
  op: fc.constantFrom(
    ...['contains', 'not-contains', 'starts-with', 'not-starts-with'],
    ...['ends-with', 'not-ends-with', 'regexp', 'not-regexp'],
  ),
  field,
  value: fc.oneof(fc.string(), fc.constantFrom('a', 'O', '^', '.*', "\\'")),
  caseSensitive,
})
const existence = fc.record({ op: fc.constantFrom('exists', 'not-exists'), field })
const { filter } = fc.letrec<{ filter: object }>((tie) => ({
  filter: fc.oneof(
    { depthSize: 'small' },
    comparison,
    onText,
    existence,
    fc.record({
      op: fc.constantFrom('and', 'or'),
      children: fc.array(tie('filter'), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constant('not'), children: fc.tuple(tie('filter')) }),
  ),
}))

const aggregation = fc.record(
  {
    op: fc.constantFrom(
      ...['count', 'distinct', 'makeset', 'makelist', 'sum', 'avg', 'min', 'max', 'topk'],
      ...['percentiles', 'histogram', 'stdev', 'variance', 'argmin', 'argmax', 'rate'],
    ),
    field: fc.oneof(field, fc.constant('*')),
    alias: fc.constantFrom('x', 'status', '', '#0'),
    argument: fc.constantFrom(1, 3, [50], [0, 99.9], 'status', ['service'], 0.5, null),
  },
  { requiredKeys: ['op', 'field'] },
)
const request = fc.record(
  {
    startTime: fc.constantFrom('2026-01-01T00:00:00Z', 'now-1d', '2026-01-01T10:00:02.123456789Z'),
    endTime: fc.constantFrom('2026-01-02T00:00:00Z', 'now', '2026-01-01T10:00:02Z'),
    limit: fc.constantFrom(0, 1, 2, 1_000_000),
    order: fc.array(fc.record({ field, desc: fc.boolean() }), { maxLength: 2 }),
    resolution: fc.constantFrom('auto', '1s', '1m', '30d'),
    aggregations: fc.array(aggregation, { maxLength: 3 }),
    groupBy: fc.array(field, { maxLength: 2 }),
    filter,
    virtualFields: fc.array(
      fc.record({
        alias: fc.constantFrom('v', 'status', '_time', '#0', 'geo'),
        expr: fc.constantFrom('status * 2', 'strlen(service)', 'now()', 'list', '1', 'null'),
      }),
      { maxLength: 2 },
    ),
    project: fc.array(
      fc.record({ field, alias: fc.constantFrom('p', '_time', '') }, { requiredKeys: ['field'] }),
      { maxLength: 2 },
    ),
  },
  { requiredKeys: [] },
)

describe('a random legacy query', () => {
  it(
    'gets a result or an error message',
    () =>
      fc.assert(
        fc.asyncProperty(request, async (odd) => void (await ask(odd))),
        OPTIONS,
      ),
    TIMEOUT_MS,
  )

  it(
    'finds with a filter the events that the negated filter does not find',
    () =>
      fc.assert(
        fc.asyncProperty(filter, async (one) => {
          const found = async (chosen: object) => {
            const { status, body } = await ask({ filter: chosen, order: [{ field: 'n' }] })
            if (status !== 200) return undefined
            return body.matches.map(({ data }: { data: { n: number } }) => data.n) as number[]
          }
          const [those, others] = [await found(one), await found({ op: 'not', children: [one] })]
          if (those === undefined || others === undefined) expect(those).toBe(others)
          else expect([...those, ...others].sort()).toEqual([1, 2, 3, 4])
        }),
        OPTIONS,
      ),
    TIMEOUT_MS,
  )

  it(
    'counts the same events in groups, in intervals and in total',
    () =>
      fc.assert(
        fc.asyncProperty(filter, field, async (chosen, by) => {
          const events = await ask({ filter: chosen })
          const counted = { aggregations: [{ op: 'count' }], groupBy: [by], resolution: '1s' }
          const groups = await ask({ filter: chosen, ...counted })
          if (events.status !== 200) expect(groups.status).toBe(events.status)
          if (groups.status !== 200) return
          const { series, totals } = groups.body.buckets
          const parts = series.flatMap(({ groups: inner }: { groups: readonly Group[] }) => inner)
          expect(sum(totals)).toBe(events.body.matches.length)
          for (const { id } of totals as readonly Group[]) {
            const own = parts.filter((part: Group) => part.id === id)
            expect(sum(own)).toBe(sum([totals[id]]))
          }
        }),
        OPTIONS,
      ),
    TIMEOUT_MS,
  )
})

interface Group {
  readonly id: number
  readonly aggregations: readonly [{ readonly value: number }]
}

function sum(groups: readonly Group[]): number {
  return groups.reduce((all, { aggregations: [{ value: count }] }) => all + count, 0)
}
