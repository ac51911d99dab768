import type { Type } from '../apl/type.js'
import type { MemberColumn } from '../wire/native/member-column.js'
import type { EventOrder } from './cursor.js'
import type { MatchedCount } from './matched.js'
import type { Sql } from './sql.js'

export interface CompiledQuery {
  /** Columns are named `c<id>`, in the order of `columns`. Contains no FORMAT clause. */
  readonly statement: Sql
  readonly columns: readonly CompiledColumn[]
  /** For the format Native: the columns whose values are in the remainders of events, which are the last column. */
  readonly members?: readonly MemberColumn[]
  /** For the format Native: the indices of columns with JSON texts as in events, which the engine may write in another way. */
  readonly documents?: readonly number[]
  /** Counts, as `matched`, the events that pass the filters. */
  readonly matched?: Sql
  /** The part of the result from which the number of matching events follows, so that `matched` need not be run. */
  readonly matchedCount?: MatchedCount
  /** True when the query looks for a term in all columns of one or a few datasets. */
  readonly hasSearch: boolean
  /** The order of the rows, as far as columns of the result express it. */
  readonly order: readonly { readonly field: string; readonly desc: boolean }[]
  /** The order of rows that have cursors; the cursor values are in the columns named by `CURSOR_COLUMNS`. */
  readonly eventOrder?: EventOrder
  /** The datasets whose events have cursors: with several, a column contains the dataset of each row. */
  readonly cursorDatasets: readonly string[]
  /** True when rows are in storage order, so that the engine can stop reading early. */
  readonly isAsStored: boolean
  /** True when every event that is read becomes a row, so that no more events are read than rows requested. */
  readonly isUnfiltered: boolean
  /** True when the rows are groups of events, or derived from groups. */
  readonly isGrouped: boolean
  /** The names of the `summarize` keys, except its time bin. */
  readonly groups: readonly string[]
  /** The time bin of the `summarize` and its size in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint }
}

/** A column of the result, and the encoding of its cells. */
export interface CompiledColumn {
  readonly id: number
  readonly name: string
  readonly type: Type
  readonly wireType: string
  /** `json`: cells are strings of JSON text, copied to the response verbatim; null means no value. */
  readonly encoding: 'plain' | 'json'
}
