import type { Type } from '../../type.js'
import type { CheckedExpression, Column, Constant, Invocation, Reference } from '../checked.js'
import { constantOf } from './constant.js'

// Constructors of expressions, for operators that are reduced to simpler ones.

export function invoke(
  name: Invocation['function'],
  type: Type,
  values: readonly CheckedExpression[],
): Invocation {
  return { kind: 'invocation', type, function: name, arguments: values }
}

export function either(conditions: readonly CheckedExpression[]): CheckedExpression {
  const [only] = conditions
  return only !== undefined && conditions.length === 1 ? only : invoke('or', 'bool', conditions)
}

/** The value of a column in this row. */
export function reference({ id, type, wireType }: Column): Reference {
  return { kind: 'reference', type, wireType, column: id }
}

export function textConstant(value: string): Constant {
  return constantOf('string', value)
}

export function intConstant(value: number | bigint): Constant {
  return constantOf('int', BigInt(value))
}
