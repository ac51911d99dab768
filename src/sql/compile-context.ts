import type { CheckedOperator, CheckedPipeline } from '../apl/check/checked.js'
import type { TimeRange } from '../apl/environment.js'
import type { LimitPushdown, PageOrder, PageStart } from './cursor.js'
import type { LastUse } from './last-use.js'
import type { Layout } from './layout.js'
import type { ColumnUse, Rows } from './rows.js'
import type { SearchParts } from './stage/search-parts.js'

/** The options and state shared by all steps of one compilation. */
export interface CompileContext {
  readonly uses: LastUse
  /** The instant of the query, nanoseconds since 1970. */
  readonly now: bigint
  /** The time range that the datasets are read for. */
  readonly range: TimeRange
  /** The bounds of `range` that exclude some events; other bounds are not compared with times. */
  readonly filteredRange: TimeRange
  /** The position at which the page of events begins; applies to the outermost query only. */
  readonly page?: PageStart & PageOrder
  /** The limit to push down into the parts of a union; applies to the outermost query only. */
  readonly pushdown?: LimitPushdown
  /** True when the searches of the outermost query look only into columns that may have their term. */
  readonly dividesSearches?: boolean
  layout(dataset: string): Layout
  /** Compiles a nested query to rows in which every column is a stored one. */
  rowsOf(pipeline: CheckedPipeline): Rows
}

/** The context of one operator: its position in the pipeline, and the compilation. */
export interface OperatorContext extends ColumnUse, CompileContext {
  /** All operators of the pipeline. */
  readonly operators: readonly CheckedOperator[]
  /** The searches of the pipeline that are divided. */
  readonly searches: SearchParts
}
