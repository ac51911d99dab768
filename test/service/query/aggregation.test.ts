import { describe, expect, it } from 'vitest'
import { AGGREGATES } from '../../../src/apl/aggregate/aggregates.js'
import { runningWith } from '../running.js'

/** The names that `github.com/axiomhq/axiom-go` v0.36.0 accepts, in the order of its `axiom/query/aggregation.go`. */
const ACCEPTED = [
  ...['count', 'countif', 'distinct', 'distinctif', 'sum', 'sumif', 'avg', 'avgif'],
  ...['min', 'minif', 'max', 'maxif', 'topk', 'topkif', 'percentiles', 'percentilesif'],
  ...['histogram', 'histogramif', 'stdev', 'stdevif', 'variance', 'varianceif', 'argmin', 'argmax'],
  ...['rate', 'makeset', 'makesetif', 'makelist', 'makelistif', 'computed', 'spotlight'],
]

const EVENT = {
  service: 'web',
  path: '/',
  message: 'out of memory',
  user_id: 'u1',
  status: 500,
  bytes: 10,
  duration_ms: 1.5,
}

const service = runningWith({ logs: `${JSON.stringify(EVENT)}\n` })

/** The names of the aggregations in the columns of a result, in their order. */
async function namesIn(apl: string): Promise<readonly string[]> {
  const path = '/v1/datasets/_apl?format=tabular'
  const { body, text } = await service.send({ path, body: JSON.stringify({ apl }) })
  expect(body.tables, text).toHaveLength(1)
  const fields: readonly { agg?: { name: string } }[] = body.tables[0].fields
  return fields.flatMap(({ agg }) => (agg === undefined ? [] : [agg.name]))
}

describe('the name of an aggregation in a result', () => {
  it('is one that the Go client accepts', async () => {
    const examples = Object.values(AGGREGATES).map(({ example }) => example)
    const calls = examples.map((example, i) => {
      const call = /^\['logs'\] \| summarize (.+) by service$/.exec(example)?.[1]
      return `a${i} = ${call}`
    })
    const names = await namesIn(`['logs'] | summarize ${calls.join(', ')} by service`)
    expect(names.length).toBeGreaterThanOrEqual(calls.length)
    expect(names.filter((name) => !ACCEPTED.includes(name))).toEqual([])
  })

  it('is the one of the hosted service', async () => {
    const calls = [
      ...['dcount(user_id)', 'dcountif(user_id, status >= 500)'],
      ...['percentile(duration_ms, 95)', 'percentileif(duration_ms, 95, status >= 500)'],
      'percentiles_array(duration_ms, 50, 95)',
      'percentiles_arrayif(duration_ms, dynamic([50]), status >= 500)',
      ...['arg_min(duration_ms)', 'arg_max(duration_ms)'],
      ...['make_set(path)', 'make_set_if(path, status >= 500)'],
      ...['make_list(path)', 'make_list_if(path, status >= 500)'],
    ]
    const named = calls.map((call, i) => `a${i} = ${call}`)
    expect(await namesIn(`['logs'] | summarize ${named.join(', ')}`)).toEqual([
      ...['distinct', 'distinctif', 'percentiles', 'percentilesif'],
      ...['percentiles', 'percentilesif', 'argmin', 'argmax'],
      ...['makeset', 'makesetif', 'makelist', 'makelistif'],
    ])
  })

  it('is `count` for the events of a pattern', async () => {
    expect(await namesIn("['logs'] | reduce by message")).toEqual(['count'])
  })
})
