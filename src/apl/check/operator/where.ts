import { notACondition } from '../../problem/operand.js'
import type { Search, Where } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import { checkExpression } from '../recursion.js'
import type { Scope } from '../scope.js'

/** `where`, and `search`, whose terms are conditions by now. */
export function checkWhere(where: Where | Search, context: Context, scope: Scope): Checked {
  const site = { context, scope, operator: where.kind, aggregates: 'none' } as const
  const predicate = checkExpression(where.predicate, site)
  if (predicate === undefined) return { operators: [], scope }
  if (predicate.type !== 'bool' && predicate.type !== 'dynamic') {
    context.report(notACondition(predicate.type, context.written(where.predicate.span)))
  }
  return { operators: [{ kind: 'where', predicate }], scope }
}
