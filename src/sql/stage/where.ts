import type { CheckedWhere } from '../../apl/check/checked.js'
import { filter } from '../expression.js'
import type { Rows } from '../rows.js'
import type { Scope } from '../scope.js'

/** `where`: adds a filter. */
export function where(operator: CheckedWhere, rows: Rows, scope: Scope): Rows {
  return { ...rows, filters: [...rows.filters, filter(operator.predicate, scope)] }
}
