import type { ComputedColumn } from '../../apl/checked.js'
import { convert } from '../convert.js'
import { expression, type Scope } from '../expression.js'
import type { Cell, Rows } from '../rows.js'

/** `extend` of one column: an expression beside those there are. */
export function extend({ column, value }: ComputedColumn, rows: Rows, scope: Scope): Rows {
  // Another name for a column is the column.
  const same = value.kind === 'reference' ? rows.columns.get(value.column) : undefined
  const computed = convert(expression(value, scope), column.type)
  const cell: Cell = same ?? { kind: 'computed', value: computed }
  return { ...rows, columns: new Map(rows.columns).set(column.id, cell) }
}
