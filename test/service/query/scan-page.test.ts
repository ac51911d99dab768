import { afterEach, beforeEach, describe, expect, it, type MockInstance, vi } from 'vitest'
import { NOW, type Running, run } from '../running.js'

/** More than the engine reads at once. */
const EVENTS = 30_000
const SECOND = 1_767_225_600
/** The first second that is left after a deletion. */
const LEFT = 250

let service: Running
let scans: MockInstance

beforeEach(async () => {
  service = await run()
  scans = vi.spyOn(service.store as Required<typeof service.store>, 'scan')
  // A hundred events of each time, in two parts of the table that overlap.
  const half = (odd: number) =>
    Array.from({ length: EVENTS / 2 }, (_, i) => event(2 * i + odd, Math.floor(i / 50)))
  await ingest(half(0))
  await ingest(half(1))
})

afterEach(async () => {
  await service.close()
  expect(service.reported).toEqual([])
})

function event(n: number, second: number) {
  return { _time: SECOND + second, n, text: n % 7 === 0 ? null : `"${n}",\n` }
}

async function ingest(events: readonly object[]): Promise<void> {
  const headers = { 'content-type': 'application/x-ndjson' }
  const body = events.map((each) => JSON.stringify(each)).join('\n')
  const { status, text } = await service.send({ path: '/v1/ingest/logs', headers, body })
  expect(status, text).toBe(200)
}

const NEXT = { asc: 'maxCursor', desc: 'minCursor' } as const

interface Export {
  readonly apl?: string
  readonly order?: 'asc' | 'desc'
  readonly limit?: number
  readonly shortPages?: boolean
  /** Called after each page with its number of rows. */
  readonly between?: (page: number) => Promise<void>
}

/** The rows of an export, and the number of rows in each page. */
async function exported(options: Export = {}) {
  const { apl = "['logs']", order = 'asc', limit = 16_384, shortPages = true } = options
  const sizes: number[] = []
  const rows: string[] = []
  let cursor = ''
  for (let page = 1; ; page++) {
    const path = '/v1/datasets/_apl?format=tabular'
    const request = {
      apl: `${apl} | sort by _time ${order} | limit ${page === 1 ? 100 : limit}`,
      ...{ endTime: new Date(Number(NOW / 1_000_000n)).toISOString() },
      ...(cursor !== '' && { cursor, queryOptions: { shortPages } }),
    }
    const { status, text, body } = await service.send({ path, body: JSON.stringify(request) })
    expect(status, text).toBe(200)
    const { columns } = body.tables[0]
    const count: number = columns[0].length
    expect(count).toBeLessThanOrEqual(page === 1 ? 100 : limit)
    if (count === 0) return { rows, sizes }
    sizes.push(count)
    for (let row = 0; row < count; row++) {
      rows.push(JSON.stringify(columns.map((column: readonly unknown[]) => column[row])))
    }
    cursor = body.status[NEXT[order]]
    await options.between?.(page)
  }
}

describe('short pages', () => {
  it.each([
    {},
    { order: 'desc' as const },
    {
      apl: "['logs'] | where n % 3 > 0 | extend more = strcat('x', text) | project _time, more, n",
    },
  ])('are read in one scan, and have the same rows as others: %j', async (options) => {
    const { rows } = await exported({ ...options, shortPages: false })
    expect(scans).not.toHaveBeenCalled()
    const short = await exported(options)
    expect(short.rows).toEqual(rows)
    expect(scans).toHaveBeenCalledTimes(1)
    expect(short.sizes.length).toBeGreaterThan(2)
  })

  it('have at most as many rows as requested, also when the engine reads more at once', async () => {
    const { rows } = await exported({ shortPages: false })
    const limits = [5_000, 12_000]
    for (const limit of limits) expect((await exported({ limit })).rows).toEqual(rows)
  })

  it('contain events that were stored after the scan began, and none that were deleted', async () => {
    const before = await exported({ shortPages: false })
    const { rows, sizes } = await exported({
      async between(page) {
        if (page === 2) await ingest([event(-1, EVENTS)])
        // Events of the last 50 seconds of the range are all that is left.
        if (page === 3) await service.store.trim('logs', BigInt(SECOND + LEFT) * 1_000_000_000n)
      },
    })
    const read = sizes[0]! + sizes[1]! + sizes[2]!
    expect(rows.slice(0, read)).toEqual(before.rows.slice(0, read))
    expect(read).toBeLessThan(100 * LEFT)
    expect(rows.slice(read, -1)).toEqual(before.rows.slice(100 * LEFT))
    expect(rows.at(-1)).toContain(',-1,')
  })

  it('are read for two clients at the same position', async () => {
    const { rows } = await exported({ shortPages: false })
    const both = await Promise.all([exported(), exported()])
    for (const one of both) expect(one.rows).toEqual(rows)
  })

  it('go on with another scan after a pause', async () => {
    const { rows } = await exported({ shortPages: false })
    const slow = await exported({
      between: (page) => new Promise((resolve) => setTimeout(resolve, page === 2 ? 2_500 : 0)),
    })
    expect(slow.rows).toEqual(rows)
    expect(scans).toHaveBeenCalledTimes(2)
  })

  it('are read with a statement each when the end of the range is open, or from several datasets', async () => {
    const { rows } = await exported({ shortPages: false })
    expect((await exported({ apl: 'union logs' })).rows).toEqual(rows)
    expect(scans).not.toHaveBeenCalled()
  })
})
