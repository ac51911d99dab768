import { describe, expect, it } from 'vitest'
import { EXACT_RESULT } from '../../../src/wire/http/tabular-result.js'
import { runningWith, type TestResponse } from '../running.js'

const EVENTS = `
{"_time":"2026-01-01T10:00:10Z","service":"web","took":10,"user":"a"}
{"_time":"2026-01-01T10:00:20Z","service":"web","took":20,"user":"b"}
{"_time":"2026-01-01T10:01:30Z","service":"web","took":60,"user":"a"}
{"_time":"2026-01-01T10:01:40Z","service":"api","took":30,"user":"c"}
`

const service = runningWith({ logs: EVENTS })

async function ask(apl: string, more: { readonly format?: string } = {}): Promise<TestResponse> {
  const { format = 'tabular' } = more
  const path = `/v1/datasets/_apl?format=${format}`
  const response = await service.send({ path, body: JSON.stringify({ apl }) })
  expect(response.status, response.text).toBe(200)
  return response
}

/** The columns of the second table by name. */
async function totals(apl: string): Promise<Record<string, unknown>> {
  const { body } = await ask(apl)
  expect(body.tables).toHaveLength(2)
  const [, table] = body.tables
  expect(table.name).toBe('_totals')
  return Object.fromEntries(
    table.fields.map(({ name }: { name: string }, i: number) => [name, table.columns[i]]),
  )
}

describe('the totals of a time-binned result', () => {
  it('are a second table with its own fields, order and groups', async () => {
    const { body } = await ask('logs | summarize n = count() by bin(_time, 1m), service')
    const [binned, table] = body.tables
    expect(binned).toMatchObject({ name: '0', buckets: { field: '_time', size: 60_000_000_000 } })
    expect(table).toEqual({
      name: '_totals',
      sources: [{ name: 'logs' }],
      fields: [
        { name: 'service', type: 'string' },
        { name: 'n', type: 'integer', agg: { name: 'count', fields: [], args: [] } },
      ],
      order: [
        { field: 'n', desc: true },
        { field: 'service', desc: false },
      ],
      groups: [{ name: 'service' }],
      range: binned.range,
      columns: [
        ['web', 'api'],
        [3, 1],
      ],
    })
  })

  it('are computed from the events and not from the intervals', async () => {
    const apl = `logs
      | summarize mean = avg(took), users = dcount(user), median = percentile(took, 50) by bin(_time, 1m), service
      | extend twice = mean * 2
      | sort by _time asc, service desc`
    expect(await totals(apl)).toEqual({
      // Both have the same mean.
      service: ['api', 'web'],
      mean: [30, 30],
      users: [1, 2],
      median: [30, 20],
      twice: [60, 60],
    })
  })

  it('are one row without other groups', async () => {
    expect(await totals('logs | summarize count() by bin_auto(_time)')).toEqual({ count_: [4] })
    const none = 'logs | where took > 100 | summarize count() by bin_auto(_time)'
    expect(await totals(none)).toEqual({ count_: [] })
  })

  it('are of the groups in the result', async () => {
    const binned = 'logs | summarize n = count() by bin(_time, 1m), service'
    expect(await totals(`${binned} | limit 1`)).toEqual({ service: ['web'], n: [3] })
    // Both have an interval with a single event.
    expect(await totals(`${binned} | where n == 1`)).toEqual({ service: ['web', 'api'], n: [3, 1] })
  })

  it('include intervals that a condition on groups keeps, in a legacy response too', async () => {
    const apl = 'logs | summarize n = count() by bin(_time, 1m), service | where n == 1'
    const { body } = await ask(apl, { format: 'legacy' })
    const { series, totals: groups } = body.buckets
    const names = (of: readonly { group: { service: string } }[]) =>
      of.map(({ group }) => group.service).sort()
    expect(names(groups)).toEqual(['api', 'web'])
    expect(series).toHaveLength(1)
    expect(names(series[0].groups)).toEqual(['api', 'web'])
  })

  it.each([
    'logs',
    'logs | summarize count() by service',
    'logs | summarize count() by bin(took, 10)',
    'logs | summarize n = count() by bin(_time, 1m) | summarize max(n)',
  ])('are not in the result of %s', async (apl) => {
    expect((await ask(apl)).body.tables).toHaveLength(1)
  })
})

describe('a client of this program', () => {
  it('gets timespans as integers, and no totals', async () => {
    const apl =
      'logs | summarize last = max(_time - datetime(2026-01-01T10:00:00Z)) by bin(_time, 1h)'
    const response = await service.send({
      path: '/v1/datasets/_apl?format=tabular',
      headers: { accept: `${EXACT_RESULT}, application/json` },
      body: JSON.stringify({ apl }),
    })
    expect(response.headers['content-type']).toBe(EXACT_RESULT)
    const { tables } = JSON.parse(response.text)
    expect(tables).toHaveLength(1)
    expect(tables[0].columns[1]).toEqual([100_000_000_000])
    const { body } = await ask(apl)
    expect(body.tables.map(({ columns }: { columns: unknown[] }) => columns.at(-1))).toEqual([
      ['1m40s'],
      ['1m40s'],
    ])
  })
})
