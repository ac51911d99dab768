import type { CheckedPipeline } from '../apl/check/checked.js'
import type { Group } from './aggregate/row.js'
import type { CompileContext } from './compile-context.js'
import type { Rows } from './rows.js'
import type { Value } from './value.js'

/** What the names in an expression stand for. */
export interface Scope {
  column(id: number): Value
  /** The instant of the query, nanoseconds since 1970. */
  readonly now: bigint
  /** The rows of a query within the query. */
  rowsOf(pipeline: CheckedPipeline): Rows
  /** What aggregations know of the rows; only in `summarize`. */
  readonly group?: Group
}

/** What the columns of these rows stand for in an expression. */
export function scopeOf(
  rows: Rows,
  { now, rowsOf }: Pick<CompileContext, 'now' | 'rowsOf'>,
): Scope {
  return {
    now,
    rowsOf,
    column(id) {
      const cell = rows.columns.get(id)
      if (!cell) throw new Error(`there is no column ${id} at this point of the pipeline`)
      return cell.value
    },
  }
}
