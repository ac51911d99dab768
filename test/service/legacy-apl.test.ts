import { describe, expect, it } from 'vitest'
import { runningWith, type TestResponse } from './running.js'

const EVENTS = `
{"_time":"2026-01-01T10:00:10Z","service":"web","took":10,"big":9007199254740993}
{"_time":"2026-01-01T10:00:20Z","service":"web","took":20}
{"_time":"2026-01-01T10:01:30Z","service":"web","took":60}
{"_time":"2026-01-01T10:01:40Z","service":"api","took":30}
`

const service = runningWith({ logs: EVENTS })

function send(apl: string, more: object = {}): Promise<TestResponse> {
  const body = JSON.stringify({ apl, ...more })
  return service.send({ path: '/v1/datasets/_apl?format=legacy', body })
}

async function ask(apl: string, more: object = {}): Promise<TestResponse> {
  const response = await send(apl, more)
  expect(response.status, response.text).toBe(200)
  return response
}

describe('POST /v1/datasets/_apl?format=legacy', () => {
  it('returns the status and the events as matches', async () => {
    const { body, text } = await ask("['logs'] | sort by _time asc | limit 2")
    expect(body.status).toMatchObject({ rowsMatched: 4 })
    expect(body.matches).toMatchObject([
      { _time: '2026-01-01T10:00:10Z', data: { service: 'web', took: 10 } },
      { _time: '2026-01-01T10:00:20Z', data: { service: 'web', took: 20 } },
    ])
    expect(body.matches[1].data).not.toHaveProperty('big')
    expect(text).toContain('"big":9007199254740993')
    expect(body.status.minCursor).toBe(body.matches[0]._rowId)
    expect(body.status.maxCursor).toBe(body.matches[1]._rowId)
    expect(body.buckets).toEqual({ series: [], totals: [] })
    expect(body.request).toEqual({ apl: "['logs'] | sort by _time asc | limit 2" })
    expect(body.datasetNames).toEqual(['logs'])
  })

  it('includes time and row id of events that select neither', async () => {
    const { body } = await ask("['logs'] | project service | limit 1")
    expect(body.matches).toEqual([
      {
        _time: '2026-01-01T10:01:40Z',
        _sysTime: null,
        _rowId: body.status.minCursor,
        data: { service: 'api' },
      },
    ])
  })

  it('omits time and row id for rows that are not events', async () => {
    const { body } = await ask("['logs'] | distinct service | sort by service asc")
    const nothing = { _time: null, _sysTime: null, _rowId: null }
    expect(body.matches).toEqual([
      { ...nothing, data: { service: 'api' } },
      { ...nothing, data: { service: 'web' } },
    ])
  })

  it('pages by cursor in both directions', async () => {
    for (const [direction, next] of [
      ['asc', 'maxCursor'],
      ['desc', 'minCursor'],
    ] as const) {
      const seen: number[] = []
      let cursor: string | undefined
      for (;;) {
        const { body } = await ask(`['logs'] | sort by _time ${direction} | limit 3`, { cursor })
        seen.push(...body.matches.map(({ data }: { data: { took: number } }) => data.took))
        if (body.status[next] === cursor) break
        cursor = body.status[next]
      }
      const ascending = [10, 20, 60, 30]
      expect(seen).toEqual(direction === 'asc' ? ascending : ascending.reverse())
    }
  })

  it('returns the totals of the groups of a summarize', async () => {
    const { body } = await ask("['logs'] | summarize n = count(), avg(took) by service")
    expect(body.matches).toEqual([])
    expect(body.buckets).toEqual({
      series: [],
      totals: [
        {
          id: 0,
          group: { service: 'web' },
          aggregations: [
            { op: 'n', value: 3 },
            { op: 'avg_took', value: 30 },
          ],
        },
        {
          id: 1,
          group: { service: 'api' },
          aggregations: [
            { op: 'n', value: 1 },
            { op: 'avg_took', value: 30 },
          ],
        },
      ],
    })
    expect(body.status.numGroups).toBe(2)
  })

  it('returns intervals for a summarize by time, and totals computed over all of them', async () => {
    const apl = `['logs'] | summarize n = count(), mean = avg(took) by bin(_time, 1m), service
      | extend twice = mean * 2, at = _time | where n > 0 and _time > datetime(2020-01-01)
      | project-away at | sort by _time asc`
    const { body } = await ask(apl)
    const of = (n: number, mean: number) => [
      { op: 'n', value: n },
      { op: 'mean', value: mean },
      { op: 'twice', value: mean * 2 },
    ]
    const { series, totals } = body.buckets
    expect(totals).toEqual([
      { id: 0, group: { service: 'web' }, aggregations: of(3, 30) },
      { id: 1, group: { service: 'api' }, aggregations: of(1, 30) },
    ])
    expect(series).toEqual([
      {
        startTime: '2026-01-01T10:00:00Z',
        endTime: '2026-01-01T10:01:00Z',
        groups: [{ id: 0, group: { service: 'web' }, aggregations: of(2, 15) }],
      },
      {
        startTime: '2026-01-01T10:01:00Z',
        endTime: '2026-01-01T10:02:00Z',
        groups: [
          { id: 0, group: { service: 'web' }, aggregations: of(1, 60) },
          { id: 1, group: { service: 'api' }, aggregations: of(1, 30) },
        ],
      },
    ])
  })

  it('returns one total for count', async () => {
    const { body } = await ask("['logs'] | count")
    expect(body.buckets.totals).toEqual([
      { id: 0, group: {}, aggregations: [{ op: 'Count', value: 4 }] },
    ])
  })

  it('refuses an invalid query like the tabular format, with its problems', async () => {
    const { status, body } = await send("['logs'] | where tok > 1")
    expect(status).toBe(400)
    expect(body.problems).toMatchObject([{ code: 'unknown-field', span: { start: 17, end: 20 } }])
    expect((await send('')).status).toBe(422)
    const other = { path: '/v1/datasets/_apl?format=csv', body: '{"apl":"[\'logs\']"}' }
    expect((await service.send(other)).body).toMatchObject({
      code: 400,
      message: expect.stringContaining('`format=legacy`'),
    })
  })
})
