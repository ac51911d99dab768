import type { Count } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'

/** `count` is a `summarize` of all rows. */
export function checkCount(_count: Count, context: Context, scope: Scope): Checked {
  const column = context.column('Count', 'int')
  const value = { kind: 'aggregate', type: 'int', function: 'count', arguments: [] } as const
  const summarize = { kind: 'summarize', by: [], aggregates: [{ column, value }] } as const
  // Whatever the columns before it were, behind it there is exactly this one.
  return { operators: [summarize], scope: scope.replaced([column]) }
}
