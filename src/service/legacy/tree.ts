// Constructors for parts of an APL tree that do not come from a query's text.
import type {
  Assignment,
  BinaryOperator,
  Expression,
  Identifier,
  Literal,
  SortKey,
} from '../../apl/syntax/ast.js'

/** The position of generated parts. */
export const NOWHERE = { start: 0, end: 0 } as const

export function identifier(name: string): Identifier {
  return { name, span: NOWHERE }
}

/** A field or column; the name can contain any characters. */
export function column(name: string): Expression {
  return { kind: 'name', name, span: NOWHERE }
}

/** A literal; a `bigint` for integers and times. */
export function literal(type: Literal['type'], value: Literal['value']): Expression {
  return { kind: 'literal', type, value, span: NOWHERE }
}

export function call(name: string, ...values: readonly Expression[]): Expression {
  return { kind: 'call', function: identifier(name), arguments: values, span: NOWHERE }
}

export function binary(left: Expression, operator: BinaryOperator, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, operatorSpan: NOWHERE, span: NOWHERE }
}

export function negated(operand: Expression): Expression {
  return { kind: 'unary', operator: 'not', operand, span: NOWHERE }
}

/** The conjunction or disjunction of conditions, as a balanced tree: the depth of a chain would be the number of conditions. */
export function joined(operator: 'and' | 'or', conditions: readonly Expression[]): Expression {
  const [first] = conditions
  if (first === undefined) return literal('bool', operator === 'and')
  if (conditions.length === 1) return first
  const half = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)]
  return binary(joined(operator, left), operator, joined(operator, right))
}

export function assignment(name: string, value: Expression): Assignment {
  return { name: identifier(name), value, span: NOWHERE }
}

export function sortKey(name: string, desc: boolean): SortKey {
  return { value: column(name), direction: desc ? 'desc' : 'asc', span: NOWHERE }
}
