import type { QueryStatus } from '../../wire/http/tabular-result.js'

export type Direction = 'asc' | 'desc'

/** The properties of a response that paging needs. */
export interface Page {
  readonly rows: number
  /** The length of the response. */
  readonly bytes: number
  /** True when the service limits the length of its pages. */
  readonly isBounded?: boolean
  readonly status: QueryStatus
  /** Nanoseconds since 1970. */
  timeOf(row: number): bigint
  /** Returns a string that is equal for equal rows only. */
  identityOf(row: number): string
  /** Returns the result of a query that ends with `count`; undefined for other results. */
  count(): number | undefined
}

/** Rows from `from` up to `to`, which is excluded. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

export function rowsIn(ranges: readonly RowRange[]): number {
  return ranges.reduce((sum, { from, to }) => sum + to - from, 0)
}

/** The number of rows by identity. */
export type RowCounts = ReadonlyMap<string, number>

export function total(counts: RowCounts): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/** Returns the cursor of the next page; empty when the service returned no cursor. */
export function cursorOf({ status }: Page, direction: Direction): string {
  return direction === 'asc' ? status.maxCursor : status.minCursor
}

/** The rows of a query cannot be determined from the responses of a service, for the reason in the message. */
export class PagingError extends Error {
  override readonly name = 'PagingError'
}

/** Separates new rows from written ones. Rows are counted, because equal rows may be different events. */
export function deduplicate(page: Page, { from, to }: RowRange, written: RowCounts) {
  /** Written rows that are missing from the page. */
  const missing = new Map(written)
  /** The written rows and the new ones. */
  const known = new Map(written)
  const fresh: RowRange[] = []
  for (let row = from; row < to; row++) {
    const identity = page.identityOf(row)
    const count = missing.get(identity) ?? 0
    if (count > 1) missing.set(identity, count - 1)
    else if (count === 1) missing.delete(identity)
    else {
      known.set(identity, (known.get(identity) ?? 0) + 1)
      append(fresh, row)
    }
  }
  const freshRows = rowsIn(fresh)
  return { fresh, freshRows, repeated: to - from - freshRows, missing, known }
}

function append(ranges: RowRange[], row: number): void {
  const last = ranges.at(-1)
  if (last?.to === row) ranges[ranges.length - 1] = { from: last.from, to: row + 1 }
  else ranges.push({ from: row, to: row + 1 })
}
