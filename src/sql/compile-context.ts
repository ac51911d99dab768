import type { CheckedPipeline } from '../apl/check/checked.js'
import type { EventOrder, LimitPushdown, PageStart } from './cursor.js'
import type { LastUse } from './last-use.js'
import type { Layout } from './layout.js'
import type { ColumnUse, Rows } from './rows.js'

/** What is the same everywhere in a query. */
export interface CompileContext {
  readonly uses: LastUse
  /** The instant of the query. */
  readonly now: bigint
  /** The time that the datasets are read for. */
  readonly range: TimeRange
  /** Where the page of events begins, of the query itself and not of those within it. */
  readonly page?: PageStart & { readonly order: EventOrder }
  /** How much of each part of a union is needed, of the query itself too. */
  readonly pushdown?: LimitPushdown
  layout(dataset: string): Layout
  /** The rows of a query within the query, each column a stored one. */
  rowsOf(pipeline: CheckedPipeline): Rows
}

/** Where in the query an operator stands. */
export interface OperatorContext extends ColumnUse, CompileContext {}

/** Nanoseconds since 1970 that `_time` of every dataset is kept within: start included, end not. */
export interface TimeRange {
  readonly start?: bigint
  readonly end?: bigint
}
