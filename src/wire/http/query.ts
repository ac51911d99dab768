import type { Problem } from '../../text/problem.js'
import type { WholeNumber } from '../json/exact-json.js'
import type { JsonText } from '../json/json-text.js'

/** The body of `POST /v1/datasets/_apl`. */
export interface AplRequest {
  readonly apl: string
  readonly startTime?: string
  readonly endTime?: string
  /** The start of the page: a cursor from an earlier response. */
  readonly cursor?: string
  /** True to include the row of the cursor. */
  readonly includeCursor?: boolean
  /** True to add a last column, `_cursor`, with the cursor of each row. */
  readonly includeCursorField?: boolean
  /** The most rows; a lower limit in the query or of the service takes precedence. */
  readonly defaultLimit?: WholeNumber
  /** The order of a query without one. */
  readonly defaultOrder?: readonly OrderEntry[]
  /** Ignored by the local service, which has no libraries. */
  readonly libraries?: readonly string[]
  readonly queryOptions?: QueryOptions
  readonly variables?: Readonly<Record<string, unknown>>
}

/** A field to sort by, and the direction. */
export interface OrderEntry {
  readonly field: string
  readonly desc: boolean
}

/**
 * Options for running the query; the local service uses only `resolution` and `maxDataPoints`, the ones that affect the
 * rows.
 */
export interface QueryOptions {
  /** No effect on results: the local service never returns stale ones. */
  readonly disableCache?: boolean
  /** No effect on the local service. */
  readonly disableStats?: boolean
  readonly disableTrace?: boolean
  /** The most intervals that `bin_auto` creates. */
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
}

/** The response of `_apl?format=tabular`. */
export interface TabularResult {
  readonly format: 'tabular'
  readonly status: QueryStatus
  readonly tables: readonly Table[]
  readonly datasetNames: readonly string[]
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>
}

/** Information about the execution of a query. */
export interface QueryStatus {
  /** Microseconds. */
  readonly elapsedTime: number
  readonly minCursor: string
  readonly maxCursor: string
  readonly blocksExamined: number
  readonly blocksCached: number
  readonly blocksMatched: number
  readonly rowsExamined: number
  readonly rowsMatched: number
  readonly numGroups: number
  readonly isPartial: boolean
  readonly cacheStatus: number
  readonly minBlockTime: string
  readonly maxBlockTime: string
  readonly messages?: readonly Message[]
}

/** A message about a result, for instance that a limit truncated it. */
export interface Message {
  readonly priority: string
  readonly code: string
  readonly count: number
  readonly msg: string
}

/** A table of a response; its rows are stored by column. */
export interface Table {
  readonly name: string
  readonly sources: readonly { readonly name: string }[]
  readonly fields: readonly TableField[]
  readonly order: readonly OrderEntry[]
  readonly groups: readonly { readonly name: string }[]
  readonly range?: { readonly field: string; readonly start: string; readonly end: string }
  readonly buckets?: { readonly field: string; readonly size: number }
  readonly columns: Columns
}

/** A column of a table. */
export interface TableField {
  readonly name: string
  /** `datetime`, `string`, `boolean`, `float`, `integer`, `timespan`, a union such as `integer|string`, or ''. */
  readonly type: string
  readonly agg?: {
    readonly name: string
    readonly fields: readonly string[]
    readonly args: readonly unknown[]
  }
}

/**
 * The values of a table by column. Each is JSON as received: numbers are never parsed to doubles, so 64-bit integers
 * and nanoseconds stay exact.
 */
export type Columns = readonly (readonly JsonText[])[]

/** The metadata of a field. */
export interface FieldMeta {
  readonly name: string
  readonly type: string
  readonly unit: string
  readonly hidden: boolean
  readonly description: string
}

/** The body of an error response. */
export interface ErrorBody {
  readonly code: number | string
  readonly message: string
  readonly detail?: {
    readonly errorType?: string
    readonly compileErrorCode?: string
    readonly line?: number
    readonly column?: number
    readonly message?: string
  }
  /** From the local service: all problems of the query, as offsets into its text. */
  readonly problems?: readonly Problem[]
}
