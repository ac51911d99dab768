import { beforeAll, describe, expect, it } from 'vitest'
import { type Answered, specifiedService } from './service.js'

const service = specifiedService()
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(\.\d{0,8}[1-9])?Z$/
const RANGE = { startTime: '2026-01-01T00:00:00Z', endTime: '2026-01-01T00:10:00Z' }

let events: Answered
let grouped: Answered

beforeAll(async () => {
  await service.ingest('logs', [
    { _time: '2026-01-01T00:00:01Z', s: 'a', f: 1.5, b: true, i: 1 },
    { _time: '2026-01-01T00:01:01.01Z', s: 'b', f: 2.5, b: false, i: 2 },
    { _time: '2026-01-01T00:01:02.123456789Z', s: 'a', f: 3.5, b: true, i: 3 },
  ])
  events = await service.query({ apl: 'logs | limit 2', ...RANGE })
  grouped = await service.query({
    apl: 'logs | summarize total = sum(i), percentile(f, 50) by bin(_time, 1m), s',
    ...RANGE,
  })
})

describe('Tabular query result: top level', () => {
  it('`format`: string, `tabular`', () => {
    expect(events.body.format).toBe('tabular')
  })

  it('`status`: status object', () => {
    expect(events.body.status).toEqual(expect.any(Object))
  })

  it('`tables`: array of table', () => {
    expect(events.body.tables).toMatchObject([{ columns: expect.any(Array) }])
  })

  it('`datasetNames`: array of string', () => {
    expect(events.body.datasetNames).toEqual(['logs'])
  })

  it('`fieldsMetaMap`: map from dataset name to array of field metadata', () => {
    const names = events.body.fieldsMetaMap.logs.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['_sysTime', '_time', 'b', 'f', 'i', 's'])
  })
})

describe('Status object', () => {
  it.each([
    'elapsedTime',
    'blocksExamined',
    'blocksCached',
    'blocksMatched',
    'rowsExamined',
    'rowsMatched',
    'numGroups',
    'cacheStatus',
  ])('`%s`: integer', (field) => {
    for (const { body } of [events, grouped]) {
      expect(Number.isInteger(body.status[field])).toBe(true)
      expect(body.status[field]).toBeGreaterThanOrEqual(0)
    }
  })

  it('`minCursor`: string, cursor of the first item of the page; `maxCursor`: cursor of the last item of the page', async () => {
    const { body } = await service.query({
      apl: 'logs | sort by _time asc | limit 2',
      includeCursorField: true,
    })
    const cursors = body.tables[0].columns.at(-1)
    expect([body.status.minCursor, body.status.maxCursor]).toEqual(cursors)
  })

  it('`rowsMatched`: integer, total rows matching the query', async () => {
    expect(events.body.status.rowsMatched).toBe(3)
    const { body } = await service.query("logs | where s == 'a' | limit 1")
    expect(body.status.rowsMatched).toBe(2)
  })

  it('`isPartial`: boolean', () => {
    expect(events.body.status.isPartial).toBe(false)
  })

  it.each(['minBlockTime', 'maxBlockTime'])('`%s`: string, ISO 8601 UTC', (field) => {
    expect(events.body.status[field]).toMatch(INSTANT)
  })
})

describe('Table', () => {
  it('`name`: string', () => {
    expect(events.body.tables[0].name).toEqual(expect.any(String))
  })

  it('`sources`: array of objects with `name` (string)', () => {
    expect(events.body.tables[0].sources).toEqual([{ name: 'logs' }])
  })

  it('`fields`: array of objects with `name` (string) and `type` (string; values seen: datetime, string, boolean, float, integer)', () => {
    expect(events.body.tables[0].fields).toEqual([
      { name: '_sysTime', type: 'datetime' },
      { name: '_time', type: 'datetime' },
      { name: 'b', type: 'boolean' },
      { name: 'f', type: 'float' },
      { name: 'i', type: 'integer' },
      { name: 's', type: 'string' },
    ])
  })

  it('`order`: array of order entries', async () => {
    const { body } = await service.query('logs | sort by s desc, i asc')
    expect(body.tables[0].order.slice(0, 2)).toEqual([
      { field: 's', desc: true },
      { field: 'i', desc: false },
    ])
  })

  it('`groups`: array', () => {
    expect(events.body.tables[0].groups).toEqual([])
    expect(grouped.body.tables[0].groups).toEqual(expect.any(Array))
  })

  it('`range`: object: `field` (string), `start` (timestamp), `end` (timestamp)', () => {
    const { startTime: start, endTime: end } = RANGE
    expect(events.body.tables[0].range).toEqual({ field: '_time', start, end })
  })

  it('`columns`: array of arrays; one inner array per entry of `fields`, in the same order, holding that field’s values for all rows (column-major)', () => {
    const { fields, columns } = events.body.tables[0]
    expect(columns).toHaveLength(fields.length)
    expect(columns.slice(1)).toEqual([
      ['2026-01-01T00:01:02.123456789Z', '2026-01-01T00:01:01.01Z'],
      [true, false],
      [3.5, 2.5],
      [3, 2],
      ['a', 'b'],
    ])
  })
})

describe('Field metadata', () => {
  it('`name`, `type` (string, may be empty), `unit` (string, may be empty), `hidden` (boolean), `description` (string, may be empty)', () => {
    for (const field of events.body.fieldsMetaMap.logs) {
      expect(field).toEqual({
        name: expect.any(String),
        type: expect.any(String),
        unit: expect.any(String),
        hidden: expect.any(Boolean),
        description: expect.any(String),
      })
    }
  })
})

describe('Timestamps', () => {
  it('Timestamps in results are ISO 8601 UTC.', () => {
    const [sysTimes, times] = events.body.tables[0].columns
    for (const time of [...sysTimes, ...times]) expect(time).toMatch(INSTANT)
  })
})

describe('Where the specification says not shown: a result', () => {
  it('Column order: `_sysTime`, `_time`, then the other fields by name; then what the query adds.', async () => {
    const { body } = await service.query('logs | extend a = 1')
    const names = body.tables[0].fields.map(({ name }: { name: string }) => name)
    expect(names).toEqual(['_sysTime', '_time', 'b', 'f', 'i', 's', 'a'])
  })

  it('`elapsedTime` is microseconds.', async () => {
    const before = performance.now()
    const { body } = await service.query('logs | count')
    const waited = (performance.now() - before) * 1_000
    // In milliseconds it would be below 1,000, in nanoseconds longer than the request.
    expect(body.status.elapsedTime).toBeGreaterThan(100)
    expect(body.status.elapsedTime).toBeLessThanOrEqual(waited)
  })

  it('`rowsMatched` counts before the limit. `table.name` is `"0"`.', () => {
    const { status, tables } = events.body
    expect({
      matched: status.rowsMatched,
      given: tables[0].columns[0].length,
      name: tables[0].name,
    }).toEqual({ matched: 3, given: 2, name: '0' })
  })

  it('An aggregated column carries `agg: {name, fields, args}`', () => {
    const { fields } = grouped.body.tables[0]
    expect(fields.slice(0, 2)).toEqual([
      { name: '_time', type: 'datetime' },
      { name: 's', type: 'string' },
    ])
    expect(fields[2].agg).toEqual({ name: 'sum', fields: ['i'], args: [] })
    expect(fields[3].agg).toEqual({ name: 'percentiles', fields: ['f'], args: [50] })
  })

  it('grouped tables list `groups: [{name}]`; a time-binned table has `buckets: {field, size: <ns>}`', () => {
    expect(grouped.body.tables[0]).toMatchObject({
      groups: [{ name: 's' }],
      buckets: { field: '_time', size: 60_000_000_000 },
    })
  })

  it('Timestamps print with up to 9 fractional digits, trailing zeros cut', () => {
    const all = [
      '2026-01-01T00:01:02.123456789Z',
      '2026-01-01T00:01:01.01Z',
      '2026-01-01T00:00:01Z',
    ]
    return expect(service.rows('logs | project _time')).resolves.toEqual(all.map((time) => [time]))
  })
})
