import type { QueryStatus } from '../../wire/http/tabular-result.js'

export type Direction = 'asc' | 'desc'

/** The rows of a response, as far as paging needs them. */
export interface Page {
  readonly rows: number
  /** Length of the response. */
  readonly bytes: number
  readonly status: QueryStatus
  /** Nanoseconds since 1970. */
  timeOf(row: number): bigint
  /** A string that is equal for equal rows only. */
  identityOf(row: number): string
  /** The result of a query that ends with `count`; undefined for other results. */
  count(): number | undefined
}

/** Rows from `from` up to `to`, which is excluded. */
export interface RowRange {
  readonly from: number
  readonly to: number
}

/** Number of rows by identity. */
export type RowCounts = ReadonlyMap<string, number>

/** Returns the number of rows counted. */
export function total(counts: RowCounts): number {
  let sum = 0
  for (const count of counts.values()) sum += count
  return sum
}

/** Returns the cursor of the next page; empty when the service gives none. */
export function cursorOf({ status }: Page, direction: Direction): string {
  return direction === 'asc' ? status.maxCursor : status.minCursor
}

/** The responses of a service do not allow all rows of a query to be determined; the message says why. */
export class PagingError extends Error {
  constructor(message: string) {
    super(message)
    this.name = 'PagingError'
  }
}
