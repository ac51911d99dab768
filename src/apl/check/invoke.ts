import type { CheckedExpression, Column, Constant, Invocation, Reference } from '../checked.js'
import type { Type } from '../type.js'

// Expressions that the checks make themselves, for operators that are made of simpler ones.

export function invoke(
  name: Invocation['function'],
  type: Type,
  values: readonly CheckedExpression[],
): Invocation {
  return { kind: 'invocation', type, function: name, arguments: values }
}

export function reference({ id, type }: Column): Reference {
  return { kind: 'reference', type, column: id }
}

export function textConstant(value: string): Constant {
  return { kind: 'constant', type: 'string', value }
}

export function intConstant(value: number | bigint): Constant {
  return { kind: 'constant', type: 'int', value: BigInt(value) }
}

export function boolConstant(value: boolean): Constant {
  return { kind: 'constant', type: 'bool', value }
}
