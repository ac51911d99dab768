import type { Type } from '../apl/type.js'
import type { EventOrder } from './cursor.js'
import type { Sql } from './sql.js'

/** A query as the engine runs it, and what its answer means. */
export interface CompiledQuery {
  /** Its columns are named `c<id>`, in the order of `columns`; it has no FORMAT. */
  readonly statement: Sql
  readonly columns: readonly CompiledColumn[]
  /** Counts, as `matched`, the events that pass the filters before anything else is done with them. */
  readonly matched?: Sql
  /** Reads those events without what they hold: what the engine says that it would take is told of the query. */
  readonly scan?: Sql
  /** With fewer rows than this, the rows are all the events that pass the filters: there is nothing to count. */
  readonly countedBelow?: bigint
  /** The order that the rows come in, as far as columns of the result tell it. */
  readonly order: readonly { readonly field: string; readonly desc: boolean }[]
  /** The order of rows that have cursors; these stand in columns of their own, as `CURSOR_COLUMNS` calls them. */
  readonly eventOrder?: EventOrder
  /** Whether these events are of several datasets, which their cursors tell. */
  readonly spansDatasets: boolean
  /** Whether the rows come in an order that the engine has them in, so that it need not read many more. */
  readonly isAsStored: boolean
  /** Whether every event that is read makes a row, so that no more are read than are wanted. */
  readonly isUnfiltered: boolean
  /** Whether the rows are groups of events, or come from such. */
  readonly isGrouped: boolean
  /** The keys of the `summarize` that are not its time bin. */
  readonly groups: readonly string[]
  /** The time bin of the `summarize` and its size in nanoseconds. */
  readonly buckets?: { readonly field: string; readonly size: bigint }
}

/** A column of the answer, and how its cells are read. */
export interface CompiledColumn {
  readonly id: number
  readonly name: string
  readonly type: Type
  readonly wireType: string
  /** `json`: the cells are strings that hold JSON text, to be put into an answer as they are; null is no value. */
  readonly encoding: 'plain' | 'json'
}
