import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_ENGINE } from '../support/engine.js'
import { RUNS } from '../support/runs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { type Running, run } from './running.js'

const directory = temporaryDirectory()
const DATASETS = ['web', 'web-2', 'Web.1']

/** Events of three datasets at three times; each dataset has some of them twice. */
const EVENTS = DATASETS.map((_, d) =>
  Array.from({ length: 9 }, (_, i) => ({ _time: 1_767_225_600 + (i % 3), n: 100 * d + i })),
)
const ALL = EVENTS.flat()

let service: Running

beforeAll(async () => {
  // The clock of these services is fixed, so each assigns its events the same sequence numbers.
  for (const [d, dataset] of DATASETS.entries()) {
    service = await run({ directory })
    await ingest(dataset, EVENTS[d]!)
    await service.close()
  }
  service = await run({ directory })
})

afterAll(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

async function ingest(dataset: string, events: readonly object[]): Promise<void> {
  const headers = { 'content-type': 'application/json' }
  const body = JSON.stringify(events)
  const response = await service.send({ path: `/v1/ingest/${dataset}`, headers, body })
  expect([response.status, response.body.failed], response.text).toEqual([200, 0])
}

async function query(apl: string, more: object = {}) {
  const path = '/v1/datasets/_apl?format=tabular'
  const response = await service.send({ path, body: JSON.stringify({ apl, ...more }) })
  return response
}

const NEXT = { asc: 'maxCursor', desc: 'minCursor' } as const

interface Row {
  readonly n: number
  readonly cursor: string
}

/** All rows of a query, page by page, with the cursor of each. */
async function rows(
  apl: string,
  order: 'asc' | 'desc',
  between: (page: number) => Promise<void> = async () => {},
): Promise<readonly Row[]> {
  const found: Row[] = []
  let cursor = ''
  for (let page = 1; ; page++) {
    const response = await query(apl, { cursor, includeCursorField: true })
    expect(response.status, response.text).toBe(200)
    const [{ fields, columns }] = response.body.tables
    const column = (name: string) =>
      columns[fields.findIndex((field: { name: string }) => field.name === name)]
    const cursors: readonly string[] = column('_cursor')
    const next = response.body.status[NEXT[order]]
    if (next === cursor) {
      expect(cursors).toEqual([])
      return found
    }
    expect(next).toBe(cursors.at(-1))
    found.push(...column('n').map((n: number, i: number) => ({ n, cursor: cursors[i]! })))
    cursor = next
    await between(page)
  }
}

const numbers = (found: readonly Row[]) => found.map(({ n }) => n)
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b)
const timeOf = (n: number) => ALL.find((event) => event.n === n)!._time

describe('pages of events of several datasets', () => {
  it.each([
    [`union ['web'], ['web-2'], ['Web.1']`, '', 1],
    [`['web-2'] | union ['Web.1'] | union (['web'] | extend m = n)`, '', 27],
    [`union withsource=from web*, ['Web.1'] | where from != "none"`, '| extend m = from', 4],
    [`union (['web'] | union ['Web.1'] | project-away _sysTime), ['web-2']`, '| project n', 26],
  ])('contain all of them, once each and in order: %s', async (apl, after, size) => {
    const newestFirst = await rows(`${apl} ${after} | limit ${size}`, 'desc')
    expect(sorted(numbers(newestFirst))).toEqual(sorted(ALL.map(({ n }) => n)))
    const times = numbers(newestFirst).map(timeOf)
    expect(times).toEqual(times.toSorted((a, b) => b - a))
    const cursors = newestFirst.map(({ cursor }) => cursor)
    expect(cursors).toEqual(cursors.toSorted().toReversed())
    expect(new Set(cursors).size).toBe(27)
    // Neither the time nor the sequence number distinguishes these events, unless the services share an engine.
    const moments = new Set(cursors.map((cursor) => cursor.slice(0, 26)))
    if (TEST_ENGINE === 'embedded') expect(moments.size).toBe(9)
    const oldestFirst = await rows(`${apl} | sort by _time asc ${after} | limit ${size}`, 'asc')
    expect(oldestFirst).toEqual(newestFirst.toReversed())
  })

  it.each([
    `union (union ['web'], ['web-2'] | where n in (0, 100, 7)), (['Web.1'] | where n == 208)`,
    `union (['web'] | where n in (0, 7)), (['web-2'] | where n == 100), ['Web.1'] | where n < 200 or n == 208`,
  ])('contain those that pass the filters, wherever the filters are: %s', async (apl) => {
    const wanted = [0, 7, 100, 208]
    for (const size of [1, 2, 5]) {
      const newestFirst = await rows(`${apl} | limit ${size}`, 'desc')
      expect(sorted(numbers(newestFirst))).toEqual(sorted(wanted))
      const oldestFirst = await rows(`${apl} | sort by _time asc | limit ${size}`, 'asc')
      expect(oldestFirst).toEqual(newestFirst.toReversed())
    }
  })

  it('contain the first rows of all parts, whatever operators the parts have', async () => {
    const step = fc.oneof(
      fc.tuple(fc.integer({ min: 2, max: 5 }), fc.nat(1)).map(([a, b]) => `where n % ${a} == ${b}`),
      fc.constantFrom('extend m = n * 2', 'project n, _time', 'where _time > datetime(2026-01-01)'),
    )
    const steps = fc
      .array(step, { maxLength: 2 })
      .map((all) => all.map((one) => ` | ${one}`).join(''))
    const [one, other, third] = DATASETS.map((name) =>
      steps.map((after) => `(['${name}']${after})`),
    )
    const both = fc.tuple(one!, other!, steps).map(([a, b, after]) => `(union ${a}, ${b}${after})`)
    const all = fc.tuple(both, third!, steps).map(([a, b, after]) => `union ${a}, ${b}${after}`)
    const order = fc.constantFrom('', ' | sort by _time asc')
    const found = async (apl: string, more: object = {}) => {
      const { body, text } = await query(`${apl} | project n`, more)
      expect(body.tables, text).toHaveLength(1)
      return { rows: body.tables[0].columns[0] as readonly number[], status: body.status }
    }
    await fc.assert(
      fc.asyncProperty(all, order, fc.integer({ min: 1, max: 6 }), async (apl, sort, size) => {
        const whole = await found(`${apl}${sort}`)
        const first = await found(`${apl}${sort} | limit ${size}`)
        expect(first.rows).toEqual(whole.rows.slice(0, size))
        expect(first.status.rowsMatched).toBe(whole.rows.length)
        const cursor = first.status[NEXT[sort === '' ? 'desc' : 'asc']]
        const second = await found(`${apl}${sort}`, { cursor, defaultLimit: size })
        expect(second.rows).toEqual(whole.rows.slice(size, 2 * size))
      }),
      { numRuns: RUNS / 2 },
    )
  })

  it('start with the event of the cursor on request', async () => {
    const apl = `union ['web'], ['web-2'], ['Web.1']`
    const all = await rows(`${apl} | limit 27`, 'desc')
    const { cursor } = all[12]!
    for (const [includeCursor, first] of [
      [true, 12],
      [false, 13],
    ] as const) {
      const { body } = await query(`${apl} | project n | limit 3`, { cursor, includeCursor })
      expect(body.tables[0].columns[0]).toEqual(numbers(all.slice(first, first + 3)))
      expect(body.status.rowsMatched).toBe(27)
    }
  })

  it('keep their position while events and datasets are added and removed', async () => {
    await ingest('gone', [{ _time: 1_767_225_602, n: -1 }])
    const found = await rows(`union web*, gone* | limit 2`, 'desc', async (page) => {
      if (page === 2) await ingest('web', [{ _time: 1_767_225_602, n: -2 }])
      if (page === 3) await ingest('gone-2', [{ _time: 1_767_225_602, n: -3 }])
      if (page === 4) await service.store.remove('gone')
    })
    const wanted = [...EVENTS[0]!, ...EVENTS[1]!].map(({ n }) => n)
    expect(sorted(numbers(found).filter((n) => n >= 0))).toEqual(sorted(wanted))
    expect(numbers(found).filter((n) => n === -1).length).toBeLessThanOrEqual(1)
  })
})

describe('cursors of several datasets', () => {
  it('are refused by queries that do not read their dataset', async () => {
    const union = `union ['web'], ['web-2']`
    const position = (await query(union)).body.status.minCursor.slice(0, 26)
    for (const [cursor, to] of [
      [`${position}web-2`, 'web'],
      [`${position}web`, `['web-2']`],
      [`${position}web`, `union ['web-2'], ['Web.1']`],
    ] as const) {
      const { status, body } = await query(to, { cursor })
      expect([status, body.message]).toEqual([
        400,
        '`cursor` is from a query of other datasets. Use `status.minCursor` or `status.maxCursor` of a response to this query.',
      ])
    }
  })

  it('are the row ids of a legacy result', async () => {
    const apl = `union ['web'], ['web-2'], ['Web.1'] | limit 20`
    const body = JSON.stringify({ apl })
    const response = await service.send({ path: '/v1/datasets/_apl?format=legacy', body })
    const ids = response.body.matches.map(({ _rowId }: { _rowId: string }) => _rowId)
    expect(new Set(ids).size).toBe(20)
    expect(response.body.status).toMatchObject({ maxCursor: ids[0], minCursor: ids[19] })
  })
})
