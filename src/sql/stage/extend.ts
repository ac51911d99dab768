import type { ComputedColumn } from '../../apl/check/checked.js'
import { expression } from '../expression.js'
import type { Cell, Rows } from '../rows.js'
import type { Scope } from '../scope.js'
import { convert } from '../type/convert.js'

/** `extend` of one column: what it is beside those there are. */
export function extend({ column, value }: ComputedColumn, rows: Rows, scope: Scope): Cell {
  // Another name for a column is the column.
  const same = value.kind === 'reference' ? rows.columns.get(value.column) : undefined
  return same ?? { kind: 'computed', value: convert(expression(value, scope), column.type) }
}
