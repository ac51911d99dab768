import type { Type } from '../../type.js'
import type { CheckedExpression, Column, Constant, Invocation, Reference } from '../checked.js'

// Expressions that the checks make themselves, for operators that are made of simpler ones.

/** A call of a function or operator. */
export function invoke(
  name: Invocation['function'],
  type: Type,
  values: readonly CheckedExpression[],
): Invocation {
  return { kind: 'invocation', type, function: name, arguments: values }
}

/** True where one of the conditions is. */
export function either(conditions: readonly CheckedExpression[]): CheckedExpression {
  const [only] = conditions
  return only !== undefined && conditions.length === 1 ? only : invoke('or', 'bool', conditions)
}

/** The value of a column in this row. */
export function reference({ id, type }: Column): Reference {
  return { kind: 'reference', type, column: id }
}

/** A text written out. */
export function textConstant(value: string): Constant {
  return { kind: 'constant', type: 'string', value }
}

/** A whole number written out. */
export function intConstant(value: number | bigint): Constant {
  return { kind: 'constant', type: 'int', value: BigInt(value) }
}

/** `true` or `false` written out. */
export function boolConstant(value: boolean): Constant {
  return { kind: 'constant', type: 'bool', value }
}
