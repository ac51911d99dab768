import { describe, expect, it } from 'vitest'
import { runningWith, type TestResponse } from '../running.js'

const EVENTS = `
{"_time":"2026-01-01T10:00:01Z","n":1,"service":"b","size":7}
{"_time":"2026-01-01T10:00:02Z","n":2,"service":"a"}
{"_time":"2026-01-01T10:00:03Z","n":3,"service":"b","size":5}
{"_time":"2026-01-01T10:00:04Z","n":4,"service":"c","size":6}
`

const service = runningWith({ logs: EVENTS })

type Order = readonly { readonly field: string; readonly desc?: boolean }[]

function query(apl: string, defaultOrder: Order, more: object = {}): Promise<TestResponse> {
  const path = '/v1/datasets/_apl?format=tabular'
  return service.send({ path, body: JSON.stringify({ apl, defaultOrder, ...more }) })
}

/** The values of the first column of the response. */
async function first(apl: string, order: Order): Promise<unknown[]> {
  const { status, body, text } = await query(apl, order)
  expect(status, text).toBe(200)
  return body.tables[0].columns[0]
}

describe('the default order of a request', () => {
  it.each<[string, Order, unknown[]]>([
    ['logs | project n', [{ field: '_time' }], [1, 2, 3, 4]],
    ['logs | project n', [{ field: '_time', desc: true }], [4, 3, 2, 1]],
    ['logs | project n', [], [4, 3, 2, 1]],
    // Equal rows stay newest first.
    ['logs | project n', [{ field: 'service' }], [2, 3, 1, 4]],
    ['logs | project n', [{ field: 'service', desc: true }, { field: 'n' }], [4, 1, 3, 2]],
    ['logs | project n', [{ field: 'size' }], [2, 3, 4, 1]],
    ['logs | project n', [{ field: 'size', desc: true }], [1, 4, 3, 2]],
    ['logs | extend m = 0 - n | project n', [{ field: 'm' }], [4, 3, 2, 1]],
    ['logs | extend n = 0 - n | project n', [{ field: 'n' }], [-4, -3, -2, -1]],
  ])('applies to the rows: %s by %j', async (apl, order, wanted) => {
    expect(await first(apl, order)).toEqual(wanted)
  })

  it('determines which events a limit selects', async () => {
    expect(await first('logs | project n | limit 2', [{ field: '_time' }])).toEqual([1, 2])
    expect(await first('logs | limit 2 | count', [{ field: '_time' }])).toEqual([2])
    expect(await first('logs | limit 2 | summarize max(n)', [{ field: '_time' }])).toEqual([2])
  })

  it('is overridden by the query', async () => {
    const byNumber = [{ field: 'n' }]
    expect(await first('logs | sort by _time desc | project n', byNumber)).toEqual([4, 3, 2, 1])
    expect(await first('logs | top 2 by n desc | project n', byNumber)).toEqual([4, 3])
  })

  it('applies to groups, by their columns', async () => {
    const apl = 'logs | summarize n = count() by service'
    expect(await first(apl, [{ field: 'service', desc: true }])).toEqual(['c', 'b', 'a'])
    expect(await first(`${apl} | limit 3`, [{ field: 'n' }, { field: 'service' }])).toEqual([
      'a',
      'c',
      'b',
    ])
    expect(await first('logs | count', [{ field: '_time' }])).toEqual([4])
  })

  it('has cursors when it is by time', async () => {
    const { body } = await query('logs | project n | limit 3', [{ field: '_time' }])
    const { maxCursor: cursor } = body.status
    const next = await query('logs | project n | limit 3', [{ field: '_time' }], { cursor })
    expect(next.body.tables[0].columns[0]).toEqual([4])
    expect(next.body.tables[0].order).toEqual([])
  })

  it.each(['logs', 'logs | summarize count() by service'])(
    'is refused with a field that %s does not have',
    async (apl) => {
      const { status, body } = await query(apl, [{ field: 'servce' }])
      expect([status, body.message]).toEqual([
        400,
        "`defaultOrder` names `servce`, which is not a column of this query's result.",
      ])
    },
  )
})

describe('other options of a request', () => {
  it('have no effect when the service does not support them', async () => {
    const queryOptions = {
      disableCache: true,
      disableStats: true,
      disableTrace: true,
      maxSeries: 1,
      noAggregation: true,
      noFill: true,
      noInterpolation: true,
      priority: 'high',
    }
    const more = { libraries: ['any'], queryOptions }
    const { status, body } = await query('logs | project n', [], more)
    expect([status, body.tables[0].columns]).toEqual([200, [[4, 3, 2, 1]]])
  })
})
