import type { Type } from '../../type.js'

/** The signs that numbers and times are reckoned with. */
export type ArithmeticOperator = '+' | '-' | '*' | '/' | '%'

/** The type of a sum, product and so on; undefined when the two cannot be combined. */
export function arithmeticType(
  operator: ArithmeticOperator,
  left: Type,
  right: Type,
): Type | undefined {
  if (isNumber(left) && isNumber(right)) return left === 'int' && right === 'int' ? 'int' : 'real'
  const pair = `${kindOf(left)} ${operator} ${kindOf(right)}`
  return Object.hasOwn(WITH_TIME, pair) ? WITH_TIME[pair] : undefined
}

const WITH_TIME: Readonly<Record<string, Type>> = {
  'datetime + timespan': 'datetime',
  'timespan + datetime': 'datetime',
  'datetime - timespan': 'datetime',
  'datetime - datetime': 'timespan',
  'timespan + timespan': 'timespan',
  'timespan - timespan': 'timespan',
  'timespan * number': 'timespan',
  'number * timespan': 'timespan',
  'timespan / timespan': 'real',
  'timespan / number': 'timespan',
  'timespan % timespan': 'timespan',
}

/** A dynamic value counts as a number, except beside a time, where nobody could tell what it is. */
export function isNumber(type: Type): boolean {
  return type === 'int' || type === 'real' || type === 'dynamic'
}

function kindOf(type: Type): string {
  return isNumber(type) ? 'number' : type
}
