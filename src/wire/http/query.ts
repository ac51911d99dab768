import type { WholeNumber } from '../json/exact-json.js'

/** The body of `POST /v1/datasets/_apl`. */
export interface AplRequest {
  readonly apl: string
  readonly startTime?: string
  readonly endTime?: string
  /** The start of the page: a cursor from an earlier response. */
  readonly cursor?: string
  readonly includeCursor?: boolean
  /** True to add a last column, `_cursor`, with the cursor of each row. */
  readonly includeCursorField?: boolean
  /** The maximum number of rows; a lower limit in the query or of the service takes precedence. */
  readonly defaultLimit?: WholeNumber
  /** The order of the rows when the query has no order of its own. */
  readonly defaultOrder?: readonly OrderEntry[]
  /** Ignored by the local service, which has no libraries. */
  readonly libraries?: readonly string[]
  readonly queryOptions?: QueryOptions
  readonly variables?: Readonly<Record<string, unknown>>
}

export interface OrderEntry {
  readonly field: string
  readonly desc: boolean
}

/**
 * Options for running the query. The local service uses only `resolution` and `maxDataPoints`, which affect the rows, `backward`,
 * `disableStats` and `shortPages`.
 */
export interface QueryOptions {
  /** True to return the last rows first, or the rows before the cursor. Only the local service supports this. */
  readonly backward?: boolean
  /** No effect on results: the local service never returns stale results. */
  readonly disableCache?: boolean
  /** True to omit statistics that need statements of their own: `rowsMatched` may then be the number of rows that were read. */
  readonly disableStats?: boolean
  readonly disableTrace?: boolean
  /** The maximum number of intervals that `bin_auto` creates. */
  readonly maxDataPoints?: WholeNumber
  /** A hint for charts; the local service returns all series. */
  readonly maxSeries?: WholeNumber
  /** Hints for charts; the local service returns the rows of the query without filling gaps. */
  readonly noAggregation?: boolean
  readonly noFill?: boolean
  readonly noInterpolation?: boolean
  /** No effect on the local service. */
  readonly priority?: 'low' | 'medium' | 'high'
  /** The interval of `bin_auto`: `30s`, `1h`, or `auto`. */
  readonly resolution?: string
  /**
   * True when a page after a cursor may have fewer rows than its limit although more rows follow; an empty page is the end. The
   * local service then reads consecutive pages in one scan. Other services ignore this option.
   */
  readonly shortPages?: boolean
}
