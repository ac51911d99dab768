import type { Problem } from '../../text/problem.js'
import type { WholeNumber } from '../json/exact-json.js'
import type { JsonText } from '../json/json-text.js'

/** The body of `POST /v1/datasets/_apl`. */
export interface AplRequest {
  readonly apl: string
  readonly startTime?: string
  readonly endTime?: string
  /** Where the page begins: a cursor that an earlier answer gave. */
  readonly cursor?: string
  /** Whether the row of the cursor itself belongs to the page. */
  readonly includeCursor?: boolean
  /** Whether a last column, `_cursor`, shows the cursor of each row. */
  readonly includeCursorField?: boolean
  /** The most rows; a lower limit in the query or of the service wins. */
  readonly defaultLimit?: WholeNumber
  /** The order of a query that states none. */
  readonly defaultOrder?: readonly OrderEntry[]
  /** The local service has no libraries: their names change nothing there. */
  readonly libraries?: readonly string[]
  readonly queryOptions?: QueryOptions
  readonly variables?: Readonly<Record<string, unknown>>
}

/** A field to sort by, and the direction. */
export interface OrderEntry {
  readonly field: string
  readonly desc: boolean
}

/** What a request says about how it is run; the local service acts on the size of time steps, which alone changes its rows. */
export interface QueryOptions {
  /** The local service counts and reads anew for each request. */
  readonly disableCache?: boolean
  /** The local service's statistics are there in any case. */
  readonly disableStats?: boolean
  readonly disableTrace?: boolean
  /** The most steps of time that `bin_auto` makes. */
  readonly maxDataPoints?: WholeNumber
  /** A hint for charts: the local service gives all series. */
  readonly maxSeries?: WholeNumber
  /** Hints for charts: the local service gives the rows that the query says, and fills in nothing. */
  readonly noAggregation?: boolean
  readonly noFill?: boolean
  readonly noInterpolation?: boolean
  /** The local service runs each query at once. */
  readonly priority?: 'low' | 'medium' | 'high'
  /** The step of time of `bin_auto`: `30s`, `1h`, or `auto`. */
  readonly resolution?: string
}

/** The answer of `_apl?format=tabular`. */
export interface TabularResult {
  readonly format: 'tabular'
  readonly status: QueryStatus
  readonly tables: readonly Table[]
  readonly datasetNames: readonly string[]
  readonly fieldsMetaMap: Readonly<Record<string, readonly FieldMeta[]>>
}

/** What an answer tells of how the query was run. */
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

/** Something the service says about a result, such as that a limit cut it. */
export interface Message {
  readonly priority: string
  readonly code: string
  readonly count: number
  readonly msg: string
}

/** Rows of a result, a list for each column; one of several tables of an answer. */
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
 * A table's values, column by column. Each value is the JSON text that stood on the wire: nobody on
 * the way reads a number into a double, so 64-bit integers and nanoseconds stay what they are.
 */
export type Columns = readonly (readonly JsonText[])[]

/** What a deployment knows of a field besides its values. */
export interface FieldMeta {
  readonly name: string
  readonly type: string
  readonly unit: string
  readonly hidden: boolean
  readonly description: string
}

/** The body of an answer that is not 2xx. */
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
  /** From the local service: everything wrong with the query, as offsets into its text. */
  readonly problems?: readonly Problem[]
}
