// Pieces of an APL tree that no text was read for: they have no place in one.
import type {
  Assignment,
  BinaryOperator,
  Expression,
  Identifier,
  Literal,
  SortKey,
} from '../../apl/syntax/ast.js'

/** Where a piece of a tree stands that is not in any text. */
export const NOWHERE = { start: 0, end: 0 } as const

/** A name. */
export function identifier(name: string): Identifier {
  return { name, span: NOWHERE }
}

/** A field or column, whatever signs are in its name. */
export function column(name: string): Expression {
  return { kind: 'name', name, span: NOWHERE }
}

/** A value that is written out; a `bigint` for whole numbers and times. */
export function literal(type: Literal['type'], value: Literal['value']): Expression {
  return { kind: 'literal', type, value, span: NOWHERE }
}

/** A function or an aggregate of values. */
export function call(name: string, ...values: readonly Expression[]): Expression {
  return { kind: 'call', function: identifier(name), arguments: values, span: NOWHERE }
}

/** A sign or word between two values. */
export function binary(left: Expression, operator: BinaryOperator, right: Expression): Expression {
  return { kind: 'binary', operator, left, right, operatorSpan: NOWHERE, span: NOWHERE }
}

/** The opposite of a condition. */
export function negated(operand: Expression): Expression {
  return { kind: 'unary', operator: 'not', operand, span: NOWHERE }
}

/** All of the conditions or any one, joined in halves: a long chain would be as deep as it is long. */
export function joined(operator: 'and' | 'or', conditions: readonly Expression[]): Expression {
  const [first] = conditions
  if (first === undefined) return literal('bool', operator === 'and')
  if (conditions.length === 1) return first
  const half = Math.ceil(conditions.length / 2)
  const [left, right] = [conditions.slice(0, half), conditions.slice(half)]
  return binary(joined(operator, left), operator, joined(operator, right))
}

/** A value under a name. */
export function assignment(name: string, value: Expression): Assignment {
  return { name: identifier(name), value, span: NOWHERE }
}

/** A column that rows are put in order by. */
export function sortKey(name: string, desc: boolean): SortKey {
  return { value: column(name), direction: desc ? 'desc' : 'asc', span: NOWHERE }
}
