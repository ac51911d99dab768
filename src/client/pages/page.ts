import type { QueryStatus } from '../../wire/http/query.js'

export type Direction = 'asc' | 'desc'

/** The rows of one answer, as far as paging has to look at them. */
export interface Page {
  readonly rows: number
  /** How long the answer was. */
  readonly bytes: number
  readonly status: QueryStatus
  /** Nanoseconds since 1970. */
  timeOf(row: number): bigint
  /** A text that two rows share only when they are one row, or equal. */
  identityOf(row: number): string
  /** What a query that ends with `count` found. */
  count(): number | undefined
}

/** Rows of a page, from the first to before the last. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** How many rows there are of each identity. */
export type RowCounts = ReadonlyMap<string, number>

/** How many rows are counted. */
export function total(counts: RowCounts): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/** The cursor from which the next page goes on; empty when the service gives none. */
export function cursorOf({ status }: Page, direction: Direction): string {
  return direction === 'asc' ? status.maxCursor : status.minCursor
}
