// Splits the range of an export into slices that can be fetched at the same time.

import { columnOf, type TabularResult } from '../../wire/http/tabular-result.js'
import { formatTimestamp, timeOfCell } from '../../wire/time/timestamp.js'
import { MILLISECOND, SECOND } from '../../wire/time/units.js'
import type { Position } from './position.js'
import { joinedQuery, type Paging } from './request.js'

/** A part of the range, in nanoseconds since 1970; `end` is excluded. */
export interface Slice {
  readonly start: bigint | undefined
  readonly end: bigint
}

/** The number of events between the start of a bin and the start of the next bin. */
interface Bin {
  readonly start: bigint
  readonly rows: number
}

/** Runs a query and returns its whole result. */
export type Query = (request: Paging['request']) => Promise<TabularResult>

/** The number of bins, which is below the default row limits of all services. */
const BINS = 500n
/** The target number of rows of a slice. Each slice costs an additional request, but its pages may have to wait in memory. */
const ROWS = 16_000

export function pagesOf({ pageSize }: Paging): number {
  return Math.min(Math.max(Math.ceil(ROWS / pageSize), 2), 16)
}

/** Returns the slices of an export after a position, in order. Edges are whole milliseconds, because some services round times. */
export async function slicesOf(
  paging: Paging,
  position: Position,
  query: Query,
): Promise<readonly Slice[]> {
  const { direction, pageSize } = paging
  const rest = remaining(paging, position)
  const bins = await binsOf(paging, rest, query)
  const edges = edgesOf(bins, pagesOf(paging) * pageSize).filter(
    (edge) => (rest.start === undefined || edge > rest.start + 1n) && edge < rest.end - 1n,
  )
  const starts = [paging.start, ...edges]
  const slices = starts.map((start, i) => ({ start, end: edges[i] ?? paging.end }))
  return direction === 'asc' ? slices : slices.toReversed()
}

/** Returns the start times of slices of about `most` rows, except for the first slice. Bins are in ascending order. */
export function edgesOf(bins: readonly Bin[], most: number): readonly bigint[] {
  const edges: bigint[] = []
  let rows = 0
  for (const [i, bin] of bins.entries()) {
    if (rows > 0 && rows + bin.rows > most) {
      edges.push(bin.start)
      rows = 0
    }
    const next = bins[i + 1]?.start
    const parts = BigInt(Math.ceil(bin.rows / most))
    const step = next === undefined || parts < 2n ? 0n : (next - bin.start) / parts
    // The distribution of rows within a bin is unknown.
    const whole = step - (step % (step > SECOND ? SECOND : MILLISECOND))
    if (next !== undefined && whole > 0n) {
      for (let edge = bin.start + whole; edge < next; edge += whole) edges.push(edge)
      rows = most
    } else rows += bin.rows
  }
  return edges
}

/** Returns the range of the rows after a position. Rows at its edge may already be written. */
function remaining({ start, end, direction }: Paging, position: Position): Slice {
  if (!('at' in position)) return { start, end }
  return direction === 'asc' ? { start: position.at, end } : { start, end: position.at + 1n }
}

/** Counts the rows of the range in bins. The last bin is empty, and begins after the last row. */
async function binsOf(paging: Paging, range: Slice, query: Query): Promise<readonly Bin[]> {
  const ask = async (operator: string) => {
    const { request } = paging
    const { start, end } = range
    const { tables } = await query({
      ...request,
      apl: joinedQuery(request.apl, operator),
      ...(start !== undefined && { startTime: formatTimestamp(start) }),
      endTime: formatTimestamp(end),
    })
    return tables[0]
  }
  const extent = await ask('summarize first = min(_time), last = max(_time)')
  const [first, last] = extent?.columns.map(([cell]) => timeOfCell(cell)) ?? []
  if (first === undefined || last === undefined) return []
  const width = widthOf(last - first)
  const counts = await ask(`summarize total = count() by bin(_time, ${width / MILLISECOND}ms)`)
  const column = (name: string) => columnOf(counts, name) ?? []
  const numbers = column('total').map(Number)
  const bins = column('_time').flatMap((cell, i) => {
    const start = timeOfCell(cell)
    return start === undefined ? [] : [{ start, rows: numbers[i] ?? 0 }]
  })
  const sorted = bins.toSorted((a, b) => (a.start < b.start ? -1 : 1))
  return [...sorted, { start: last + 1n, rows: 0 }]
}

function widthOf(span: bigint): bigint {
  const unit = span > BINS * SECOND ? SECOND : MILLISECOND
  return (span / BINS / unit + 1n) * unit
}
