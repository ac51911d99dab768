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

/** Returns the operands of `a and b and …`. */
export function conjuncts(condition: Expression): readonly Expression[] {
  if (condition.kind !== 'binary' || condition.operator !== 'and') return [condition]
  return [...conjuncts(condition.left), ...conjuncts(condition.right)]
}
