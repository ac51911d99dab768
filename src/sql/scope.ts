import type { CheckedPipeline } from '../apl/check/checked.js'
import type { Group } from './aggregate/row.js'
import type { CompileContext } from './compile-context.js'
import type { Rows } from './rows.js'
import type { Value } from './value.js'

export interface Scope {
  column(id: number): Value
  /** The instant of the query, nanoseconds since 1970. */
  readonly now: bigint
  /** Compiles a nested query. */
  rowsOf(pipeline: CheckedPipeline): Rows
  /** The grouping of the rows; only in `summarize`. */
  readonly group?: Group
}

export function scopeOf(
  rows: Rows,
  { now, rowsOf }: Pick<CompileContext, 'now' | 'rowsOf'>,
): Scope {
  return {
    now,
    rowsOf,
    column(id) {
      const cell = rows.columns.get(id)
      if (!cell) throw new Error(`column ${id} does not exist at this point of the pipeline`)
      return cell.value
    },
  }
}
