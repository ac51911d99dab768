import { beforeAll, describe, expect, it } from 'vitest'
import { namedColumns, type RawTable, servedClients } from './served-clients.js'

// The requests of the Grafana data source's backend, and what it requires of the responses.

const service = servedClients()

const HEADERS = { accept: 'application/json', 'user-agent': 'axiom-grafana/v0.7.0' }

const EVENTS = `
{"_time":"2026-01-01T10:00:10Z","service":"web","took":10,"ratio":0.5,"ok":true,"tags":["a"],"mixed":1,"big":9007199254740993}
{"_time":"2026-01-01T10:00:20Z","service":"web","took":20,"ratio":2,"ok":false,"tags":[],"mixed":"one"}
{"_time":"2026-01-01T10:06:00Z","service":"api","took":60,"mixed":2.5,"geo":{"city":"Ulm"}}
`

beforeAll(async () => {
  const headers = { 'content-type': 'application/x-ndjson' }
  const { status } = await service.send('/v1/datasets/logs/ingest', { headers, body: EVENTS })
  expect(status).toBe(200)
})

async function query(apl: string): Promise<readonly RawTable[]> {
  const response = await service.send('/v1/query/_apl?format=tabular', {
    headers: { ...HEADERS, 'content-type': 'application/json' },
    body: JSON.stringify({
      apl,
      startTime: '2026-01-01T00:00:00Z',
      endTime: '2026-01-02T00:00:00Z',
    }),
  })
  expect(response.status).toBe(200)
  expect(response.headers.get('x-axiom-trace-id')).toBeTruthy()
  const { tables } = (await response.json()) as { tables: readonly RawTable[] }
  return tables
}

/** The types of values in a column by its type; the data source fails on others. */
const VALUES: Readonly<Record<string, string>> = {
  datetime: 'string',
  integer: 'number',
  float: 'number',
  bool: 'boolean',
  timespan: 'string',
}

/** The values that the data source would fail on. */
function unexpected({ fields, columns }: RawTable): readonly unknown[] {
  return fields.flatMap(({ name, type }, i) => {
    const wanted = VALUES[name === '_time' ? 'datetime' : type]
    return wanted === undefined
      ? []
      : (columns[i] ?? []).filter((value) => value !== null && typeof value !== wanted)
  })
}

describe('the Grafana data source', () => {
  it('checks its credentials with a query without a body', async () => {
    const response = await service.send('/v1/query/_apl', { headers: HEADERS })
    expect(response.status).toBe(422)
    const headers = { ...HEADERS, authorization: 'Bearer xaat-none' }
    expect((await service.send('/v1/query/_apl', { headers })).status).toBe(403)
  })

  it('looks up the fields of all datasets', async () => {
    const response = await service.send('/v1/datasets/_fields', { method: 'GET', headers: HEADERS })
    const [logs] = (await response.json()) as readonly { datasetName: string; fields: object[] }[]
    expect(logs?.datasetName).toBe('logs')
    expect(logs?.fields).toContainEqual(
      expect.objectContaining({ name: 'took', type: 'integer', unit: '', hidden: false }),
    )
  })

  it('finds no datasets of metrics', async () => {
    const response = await service.send('/v2/datasets', { method: 'GET', headers: HEADERS })
    const kinds = (await response.json()) as readonly { name: string; kind: string }[]
    expect(kinds.map(({ name }) => name)).toEqual(['logs'])
    expect(kinds.some(({ kind }) => kind === 'otel:metrics:v1')).toBe(false)
  })

  it('draws a graph of a time-binned result, in the order of time, because it has totals', async () => {
    const [binned, totals, ...more] = await query(
      'logs | summarize count(), median = percentile(took, 50) by bin_auto(_time), service',
    )
    expect([totals?.name, more]).toEqual(['_totals', []])
    const times = namedColumns(binned)._time as readonly string[]
    expect(times).toEqual([...times].sort())
    expect(namedColumns(totals)).toEqual({
      service: ['web', 'api'],
      count_: [2, 1],
      median: [10, 60],
    })
  })

  it('shows values of all types', async () => {
    const extended =
      'logs | extend since = _time - datetime(2026-01-01), none = 1.0 / 0, when = datetime(2026-01-01)'
    const tables = await query(`${extended} | sort by _time asc`)
    expect(tables).toHaveLength(1)
    for (const table of tables) expect(unexpected(table)).toEqual([])
    expect(namedColumns(tables[0])).toMatchObject({
      since: ['10h0m10s', '10h0m20s', '10h6m0s'],
      mixed: [1, 'one', 2.5],
    })
    const grouped = `${extended} | summarize max(since), avg(took), make_set(ok) by bin(_time, 5m), service`
    for (const table of await query(grouped)) expect(unexpected(table)).toEqual([])
  })

  it.each([
    'logs | where service == "web"',
    'logs | where service == "web" | project _time, took',
    'logs | project-keep _time, service | where service == "web" | sort by _time desc',
  ])('counts logs over time: %s', async (apl) => {
    const [table] = await query(`(${apl})
| extend _axiom_logs_volume_time = coalesce(_time, _sysTime)
| where isnotnull(_axiom_logs_volume_time)
| summarize count_ = count() by _time = bin(_axiom_logs_volume_time, 1m)
| order by _time asc`)
    expect(namedColumns(table)).toEqual({ _time: ['2026-01-01T10:00:00Z'], count_: [2] })
  })
})
