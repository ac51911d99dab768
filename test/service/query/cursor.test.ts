import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RUNS } from '../../support/runs.js'
import { type Running, run, type TestResponse } from '../running.js'

/** One event at 10:00:01, four at 10:00:02 in two batches, and one at each end of the supported time range. */
const BATCHES = [
  `{"_time":"2026-01-01T10:00:02Z","n":1,"list":[1]}
{"_time":"2026-01-01T10:00:01Z","n":2,"list":[2]}
{"_time":"2026-01-01T10:00:02Z","n":3,"list":[3]}
`,
  `{"_time":"2026-01-01T10:00:02Z","n":4,"list":[4]}
{"_time":"1900-01-02T00:00:00.000000001Z","n":5,"list":[5]}
{"_time":"2026-01-01T10:00:02Z","n":6,"list":[6]}
{"_time":"2262-04-11T23:47:16.854775807Z","n":7,"list":[7]}
`,
]
const OLDEST_FIRST = [5, 2, 1, 3, 4, 6, 7]

let service: Running

beforeAll(async () => {
  service = await run()
  for (const batch of BATCHES) await ingest('logs', batch)
  await ingest('none', '{"_time":"2026-01-01T10:00:02Z","list":[0]}')
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

async function ingest(dataset: string, body: string): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const response = await service.send({ path: `/v1/ingest/${dataset}`, headers, body })
  expect([response.status, response.body.failed], response.text).toEqual([200, 0])
}

function query(apl: string, more: object = {}): Promise<TestResponse> {
  const path = '/v1/datasets/_apl?format=tabular'
  return service.send({ path, body: JSON.stringify({ apl, ...more }) })
}

/** The values of a column of a response. */
function column({ body, text }: TestResponse, name: string): unknown[] {
  expect(body.tables, text).toHaveLength(1)
  const [{ fields, columns }] = body.tables
  return columns[fields.findIndex((field: { name: string }) => field.name === name)]
}

const NEXT = { asc: 'maxCursor', desc: 'minCursor' } as const

/** The pages of a query, requested as the specification says: until the cursor stays the same. */
async function pages(
  apl: string,
  order: 'asc' | 'desc',
  more: { between?: (page: number) => Promise<void>; request?: object } = {},
): Promise<unknown[][]> {
  const found: unknown[][] = []
  let cursor = ''
  for (;;) {
    const response = await query(apl, { ...more.request, cursor })
    expect(response.status, response.text).toBe(200)
    const next = response.body.status[NEXT[order]]
    const rows = column(response, 'n')
    if (next === cursor) {
      expect(rows).toEqual([])
      return found
    }
    found.push(rows)
    cursor = next
    await more.between?.(found.length)
  }
}

describe('pages of events', () => {
  it.each([1, 2, 3, 4, 7, 8])('split equal times exactly: %d rows per page', async (size) => {
    const oldestFirst = await pages(`logs | sort by _time asc | limit ${size}`, 'asc')
    expect(oldestFirst.flat()).toEqual(OLDEST_FIRST)
    expect(oldestFirst.slice(0, -1).every((page) => page.length === size)).toBe(true)
    const newestFirst = await pages(`logs | limit ${size}`, 'desc')
    expect(newestFirst.flat()).toEqual(OLDEST_FIRST.toReversed())
  })

  it.each([
    'logs | where n != 4 | extend m = n * 2 | sort by _time desc | project n, m | limit 2',
    'logs | project n, list | where n in (1, 2, 3, 5, 6, 7) | take 3',
    'logs | extend other = _time | project-away _time | where n != 4 | top 2 by other | project n',
    'logs | where tostring(list) != "[4]" | project n',
  ])('work for %s', async (apl) => {
    const request = { defaultLimit: 2 }
    const wanted = OLDEST_FIRST.filter((n) => n !== 4).toReversed()
    expect((await pages(apl, 'desc', { request })).flat()).toEqual(wanted)
  })

  it('have the size of the request or the limit of the service', async () => {
    const rows = await pages('logs', 'desc', { request: { defaultLimit: 3 } })
    expect(rows.map((page) => page.length)).toEqual([3, 3, 1])
  })

  it('keep to the range of the request, and count all matching events', async () => {
    const range = { startTime: '2026-01-01T10:00:01Z', endTime: '2026-01-01T10:00:02.000000001Z' }
    const apl = 'logs | where n != 3 | project n | limit 2'
    expect(await pages(apl, 'desc', { request: range })).toEqual([
      [6, 4],
      [1, 2],
    ])
    const first = await query(apl, range)
    const second = await query(apl, { ...range, cursor: first.body.status.minCursor })
    expect([first.body.status.rowsMatched, second.body.status.rowsMatched]).toEqual([4, 4])
  })

  it('can change direction', async () => {
    const { body } = await query('logs | limit 3')
    const cursor = body.status.minCursor
    const older = await query('logs | limit 2', { cursor })
    const newer = await query('logs | sort by _time asc | limit 2', { cursor })
    expect([column(older, 'n'), column(newer, 'n')]).toEqual([
      [3, 1],
      [6, 7],
    ])
  })

  it('start with the event of the cursor on request', async () => {
    const { body } = await query('logs | limit 3')
    const request = { cursor: body.status.minCursor, includeCursor: true }
    expect(column(await query('logs | limit 2', request), 'n')).toEqual([4, 3])
    expect(column(await query('logs | sort by _time asc | limit 2', request), 'n')).toEqual([4, 6])
  })

  it('include events that arrived late', async () => {
    const late = 'logs-late'
    await ingest(late, '{"_time":10000,"n":1}\n{"_time":10002,"n":2}\n{"_time":10004,"n":3}\n')
    const found = await pages(`['${late}'] | limit 1`, 'desc', {
      async between(page) {
        // After the first page: one event within that page, one after it.
        if (page === 1) await ingest(late, '{"_time":10005,"n":4}\n{"_time":10001,"n":5}\n')
      },
    })
    expect(found.flat()).toEqual([3, 2, 5, 1])
  })
})

describe('the cursors of a response', () => {
  it('are those of its smallest and largest row', async () => {
    const request = { includeCursorField: true }
    for (const [apl, first, last] of [
      ['logs | limit 3', 'maxCursor', 'minCursor'],
      ['logs | sort by _time asc | limit 3', 'minCursor', 'maxCursor'],
    ] as const) {
      const response = await query(apl, request)
      const cursors = column(response, '_cursor')
      const { status } = response.body
      expect([cursors.at(0), cursors.at(-1)]).toEqual([status[first], status[last]])
    }
  })

  it('are in the last column on request, for any query of events', async () => {
    const response = await query('logs | sort by _time asc | project n', {
      includeCursorField: true,
      defaultLimit: 5,
    })
    const [{ fields, columns }] = response.body.tables
    expect(fields).toEqual([
      { name: 'n', type: 'integer' },
      { name: '_cursor', type: 'string' },
    ])
    expect(columns[0]).toEqual(OLDEST_FIRST.slice(0, 5))
    expect(columns[1]).toHaveLength(5)
  })

  it('sort as strings in the order of the rows, from the first to the last supported time', async () => {
    const response = await query('logs | sort by _time asc', { includeCursorField: true })
    const cursors = column(response, '_cursor') as string[]
    expect(cursors.toSorted()).toEqual(cursors)
    expect(new Set(cursors).size).toBe(7)
    // 1900-01-02 plus a nanosecond, in base 36, computed independently.
    expect(cursors[0]).toMatch(/^0000umjm17uo1[0-9a-z]{13}logs$/)
  })

  it('are the given cursor for an empty page, or empty', async () => {
    const { body } = await query('logs | sort by _time asc')
    const cursor = body.status.maxCursor
    const end = await query('logs | sort by _time asc', { cursor })
    expect(end.body.status).toMatchObject({ minCursor: cursor, maxCursor: cursor, rowsMatched: 7 })
    const none = await query('logs | where n > 100')
    expect(none.body.status).toMatchObject({ minCursor: '', maxCursor: '' })
    const nothing = await query('logs', { cursor, defaultLimit: 0 })
    expect(nothing.body.status).toMatchObject({ minCursor: cursor, rowsMatched: 7 })
  })

  it.each([
    'logs | sort by n asc',
    'logs | sort by _time asc, n asc',
    'logs | count',
    'logs | summarize count() by _time',
    'logs | distinct n',
    'logs | limit 5 | where n > 1',
    'logs | limit 5 | sort by _time asc',
    'logs | mv-expand list',
    'logs | extend _time = _time - 1s | sort by _time asc',
    'logs | join (logs) on n',
    'print 1',
    'logs | getschema',
    'logs | union logs',
    'logs | union (none | limit 3)',
    'logs | union (none | summarize count())',
    'logs | union (none | mv-expand list)',
    'logs | union (print _time = now())',
  ])('are empty for %s', async (apl) => {
    const { status, body, text } = await query(apl)
    expect(status, text).toBe(200)
    expect(body.status).toMatchObject({ minCursor: '', maxCursor: '' })
    const { body: events } = await query('logs')
    for (const [name, value] of [
      ['cursor', events.status.minCursor],
      ['includeCursorField', true],
    ]) {
      const refused = await query(apl, { [name]: value })
      expect([refused.status, refused.body.message]).toEqual([
        400,
        `\`${name}\` is not supported for this query: only distinct events in the order of \`_time\` have cursors.`,
      ])
    }
  })

  it('conflict with a column of the same name', async () => {
    const { status, body } = await query('logs | extend _cursor = n', { includeCursorField: true })
    expect([status, body.message]).toEqual([
      400,
      '`includeCursorField` adds a column `_cursor`, which the query already has.',
    ])
  })

  it('are refused for other datasets, in which events of the same time would be missing', async () => {
    const { body: first } = await query('none | sort by _time asc')
    const cursor = first.status.maxCursor
    const { status, body } = await query('logs | sort by _time asc', { cursor })
    expect([status, body.message]).toEqual([
      400,
      '`cursor` is from a query of other datasets. Use `status.minCursor` or `status.maxCursor` of a response to this query.',
    ])
  })

  it.each([
    'c',
    '0',
    '0'.repeat(25),
    '0'.repeat(26),
    `${'0'.repeat(26)}-`,
    `${'0'.repeat(25)}Zlogs`,
    `${'0'.repeat(25)}'logs`,
    `${'z'.repeat(26)}logs`,
    `${'0'.repeat(13)}${'z'.repeat(13)}logs`,
    `${'0'.repeat(25)}\nlogs`,
  ])('are refused when malformed: %j', async (cursor) => {
    const { status, body } = await query('logs', { cursor })
    expect([status, body.message]).toEqual([
      400,
      '`cursor` is not a cursor of this service. Use `status.minCursor` or `status.maxCursor` of a response.',
    ])
  })
})

describe('paging through any dataset', () => {
  // Many events with few distinct times, in several batches.
  const batches = fc.array(
    fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 9 }),
    {
      minLength: 1,
      maxLength: 4,
    },
  )
  const size = fc.integer({ min: 1, max: 12 })
  const runs = { numRuns: RUNS / 2 }
  let datasets = 0

  it('returns all rows in order, in both directions', async () => {
    await fc.assert(
      fc.asyncProperty(batches, size, async (times, rows) => {
        const dataset = `any${++datasets}`
        const events = numberedEvents(times)
        for (const batch of events) await ingest(dataset, batch.map(ndjson).join(''))
        const wanted = events.flat().toSorted((a, b) => a.time - b.time || a.n - b.n)
        const ascending = await pages(`${dataset} | sort by _time asc | limit ${rows}`, 'asc')
        const descending = await pages(`${dataset} | project n | limit ${rows}`, 'desc')
        expect(ascending.flat()).toEqual(wanted.map(({ n }) => n))
        expect(descending.flat()).toEqual(wanted.map(({ n }) => n).reverse())
      }),
      runs,
    )
  })

  it('is stable while other clients ingest', async () => {
    await fc.assert(
      fc.asyncProperty(batches, batches, size, async (times, later, rows) => {
        const dataset = `any${++datasets}`
        const events = numberedEvents(times)
        await Promise.all(events.map((batch) => ingest(dataset, batch.map(ndjson).join(''))))
        const before = (await pages(`${dataset} | limit ${rows}`, 'desc')).flat()
        expect(before.toSorted()).toEqual(
          events
            .flat()
            .map(({ n }) => n)
            .toSorted(),
        )
        const late = later.map((batch) => batch.map((time) => ndjson({ time, n: 0 })).join(''))
        const sending: Promise<void>[] = []
        const during = await pages(`${dataset} | limit ${rows}`, 'desc', {
          async between() {
            const batch = late.pop()
            if (batch !== undefined) sending.push(ingest(dataset, batch))
          },
        })
        await Promise.all(sending)
        expect(during.flat().filter((n) => n !== 0)).toEqual(before)
      }),
      runs,
    )
  })
})

interface TestEvent {
  readonly time: number
  readonly n: number
}

/** Events with these times, numbered from 1 in the order that they are sent in. */
function numberedEvents(batches: readonly (readonly number[])[]): TestEvent[][] {
  let n = 0
  return batches.map((batch) => batch.map((time) => ({ time, n: ++n })))
}

function ndjson({ time, n }: TestEvent): string {
  return `{"_time":${1_767_225_600 + time},"n":${n}}\n`
}
