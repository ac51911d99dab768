// The comparisons in a condition, for hints about values that exist.
import type { Binary, BinaryOperator, Expression, LiteralValue } from '../syntax/ast.js'
import { formatExpression } from '../syntax/format.js'
import { operandsOf } from '../syntax/operands.js'

/** A comparison of a value of each row with fixed values. */
export interface Comparison {
  /** The value of the row, in APL. */
  readonly subject: string
  /** True for `<`, `between` and the like; other comparisons test for equality or search in strings. */
  readonly isOrder: boolean
  /** The fixed values that are literals. */
  readonly wanted: readonly LiteralValue[]
}

const ORDER_OPERATORS: ReadonlySet<BinaryOperator> = new Set(['<', '<=', '>', '>='])

/** Returns the comparisons in a condition, in the order of the text. */
export function comparisonsIn(condition: Expression): readonly Comparison[] {
  switch (condition.kind) {
    case 'binary':
      if (condition.operator === 'and' || condition.operator === 'or') {
        return [...comparisonsIn(condition.left), ...comparisonsIn(condition.right)]
      }
      return comparison(...sidesOf(condition), ORDER_OPERATORS.has(condition.operator))
    case 'unary':
      return comparisonsIn(condition.operand)
    case 'membership':
      return comparison(condition.value, condition.list, false)
    case 'between':
      return comparison(condition.value, [condition.low, condition.high], true)
    case 'call':
      return condition.arguments.slice(0, 1).flatMap((value) => comparison(value, [], false))
    case 'name':
    case 'member':
    case 'index':
      return comparison(condition, [], false)
    case 'literal':
    case 'star':
    case 'subquery':
    case 'side':
      return []
    default:
      return condition satisfies never
  }
}

function sidesOf({ left, right }: Binary): [Expression, readonly Expression[]] {
  return readsRow(left) ? [left, [right]] : [right, [left]]
}

function comparison(
  value: Expression,
  others: readonly Expression[],
  isOrder: boolean,
): readonly Comparison[] {
  if (!readsRow(value)) return []
  const wanted = others.flatMap((other) => (other.kind === 'literal' ? [other.value] : []))
  return [{ subject: formatExpression(value), isOrder, wanted }]
}

/** True when an expression depends on a column of the row. */
function readsRow(expression: Expression): boolean {
  return expression.kind === 'name' || operandsOf(expression).some(readsRow)
}
