import { badCount } from '../../problem/argument.js'
import type { Expression, Limit } from '../../syntax/ast.js'
import type { Checked, Context } from '../context.js'
import type { Scope } from '../scope.js'

/** `limit` and `take`. */
export function checkLimit(limit: Limit, context: Context, scope: Scope): Checked {
  const word = context.written(limit.span).text.startsWith('take') ? 'take' : 'limit'
  const count = rowCount(limit.count, word, context)
  return { operators: count === undefined ? [] : [{ kind: 'limit', count }], scope }
}

/** The number of rows that `limit` or `top` is given. */
export function rowCount(
  expression: Expression,
  operator: 'limit' | 'take' | 'top' | 'mv-expand',
  context: Context,
): bigint | undefined {
  const value = writtenCount(expression, context)
  if (typeof value === 'bigint' && value > 0n) return value
  return context.report(badCount(operator, context.written(expression.span)))
}

/** A literal, or a name that stands for one. */
function writtenCount(expression: Expression, { bindings }: Context) {
  if (expression.kind === 'literal' && expression.type === 'int') return expression.value
  const binding = expression.kind === 'name' ? bindings.get(expression.name) : undefined
  const value = binding?.kind === 'value' ? binding.value : undefined
  return value?.kind === 'constant' && value.type === 'int' ? value.value : undefined
}
