import type { Expression } from './ast.js'

/** Returns the expressions that an expression is made of; none for a query or a name. */
export function operandsOf(expression: Expression): readonly Expression[] {
  switch (expression.kind) {
    case 'member':
      return [expression.value]
    case 'index':
      return [expression.value, expression.index]
    case 'call':
      return expression.arguments
    case 'unary':
      return [expression.operand]
    case 'binary':
      return [expression.left, expression.right]
    case 'membership':
      return [expression.value, ...expression.list]
    case 'between':
      return [expression.value, expression.low, expression.high]
    default:
      return []
  }
}

/** A chain of more conditions than this is parsed as a balanced tree. */
export const LONG_CHAIN = 100

/** Returns the operands of `a and b and …`. */
export function conjuncts(condition: Expression): readonly Expression[] {
  return chainedBy('and', condition)
}

/** Returns the operands of `a or b or …`, or of the other operator. */
export function chainedBy(operator: 'and' | 'or', condition: Expression): readonly Expression[] {
  if (condition.kind !== 'binary' || condition.operator !== operator) return [condition]
  const { left, right } = condition
  return [...chainedBy(operator, left), ...chainedBy(operator, right)]
}
