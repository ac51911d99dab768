import type { ComputedColumn } from '../../apl/check/checked.js'
import { expression } from '../expression.js'
import type { Cell, Rows } from '../rows.js'
import type { Scope } from '../scope.js'
import { convert } from '../type/convert.js'

/** `extend`: the cell of one computed column. */
export function extend({ column, value }: ComputedColumn, rows: Rows, scope: Scope): Cell {
  // A renamed column is the column itself.
  const same = value.kind === 'reference' ? rows.columns.get(value.column) : undefined
  return same ?? { kind: 'computed', value: convert(expression(value, scope), column.type) }
}
