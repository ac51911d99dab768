import { describe, expect, it } from 'vitest'
import type { Position } from '../../../src/client/pages/position.js'
import type { Paging } from '../../../src/client/pages/request.js'
import { edgesOf, slicesOf } from '../../../src/client/pages/slices.js'
import { decodeTabularResult } from '../../../src/wire/http/tabular-result.js'

const MS = 1_000_000n
const SECOND = 1000n * MS

const bins = (...rows: readonly (readonly [bigint, number])[]) =>
  rows.map(([start, count]) => ({ start, rows: count }))

describe('the edges of slices', () => {
  it('are those of bins with about as many rows as wanted', () => {
    const few = bins([0n, 4], [SECOND, 5], [2n * SECOND, 1], [3n * SECOND, 9], [4n * SECOND, 2])
    expect(edgesOf(few, 10)).toEqual([3n * SECOND, 4n * SECOND])
    expect(edgesOf(few, 100)).toEqual([])
    expect(edgesOf([], 10)).toEqual([])
  })

  it('divide a bin with more rows, at whole milliseconds or seconds', () => {
    expect(edgesOf(bins([0n, 30], [10n * SECOND, 0]), 10)).toEqual(
      [3n, 6n, 9n].map((s) => s * SECOND),
    )
    expect(edgesOf(bins([0n, 1], [1000n * MS, 30], [1007n * MS, 1]), 10)).toEqual(
      [1000n, 1002n, 1004n, 1006n, 1007n].map((ms) => ms * MS),
    )
    // A millisecond is not divided.
    expect(edgesOf(bins([0n, 30], [MS, 30], [2n * MS, 0]), 10)).toEqual([MS, 2n * MS])
  })
})

describe('the slices of an export', () => {
  const first = 1_767_225_600n * SECOND
  const time = (ns: bigint) => `"${new Date(Number(ns / MS)).toISOString()}"`
  const paging: Paging = {
    ...{ request: { apl: "['logs'] // all" }, by: 'time', direction: 'asc', pageSize: 10_000 },
    ...{ start: undefined, end: first + 100n * SECOND },
  }
  const asked: object[] = []
  /** A service with 20,000 rows in each of ten seconds. */
  async function query(request: { readonly apl: string }) {
    asked.push(request)
    const isExtent = request.apl.includes('first')
    const names = isExtent ? ['first', 'last'] : ['_time', 'total']
    const seconds = [...Array(10).keys()].map((i) => first + BigInt(i) * SECOND)
    const columns = isExtent
      ? [[time(first)], [time(first + 9n * SECOND)]]
      : [seconds.toReversed().map(time), seconds.map(() => '20000')]
    const fields = names.map((name) => ({ name, type: '' }))
    return decodeTabularResult(
      `{"status":{},"tables":[{"fields":${JSON.stringify(fields)},"columns":[${columns.map((cells) => `[${cells.join(',')}]`).join(',')}]}]}`,
    )
  }
  const edges = [...Array(9).keys()].map((i) => first + BigInt(i + 1) * SECOND)

  it('cover its range without overlap, in its order', async () => {
    const slices = [undefined, ...edges].map((start, i) => ({ start, end: edges[i] ?? paging.end }))
    expect(await slicesOf(paging, { kind: 'start' }, query)).toEqual(slices)
    const desc: Paging = { ...paging, direction: 'desc' }
    expect(await slicesOf(desc, { kind: 'start' }, query)).toEqual(slices.toReversed())
    expect(asked.slice(0, 2)).toEqual([
      {
        apl: "['logs'] // all\n| summarize first = min(_time), last = max(_time)",
        endTime: '2026-01-01T00:01:40Z',
      },
      {
        apl: "['logs'] // all\n| summarize total = count() by bin(_time, 19ms)",
        endTime: '2026-01-01T00:01:40Z',
      },
    ])
  })

  it('begin with the rest of the one in which an earlier run ended', async () => {
    const position: Position = { kind: 'behind', at: first + 7n * SECOND + 1n }
    expect(await slicesOf(paging, position, query)).toEqual([
      { start: undefined, end: edges[7] },
      { start: edges[7], end: edges[8] },
      { start: edges[8], end: paging.end },
    ])
    expect(asked.at(-1)).toMatchObject({ startTime: '2026-01-01T00:00:07.000000001Z' })
  })
})
