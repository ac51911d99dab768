import { BINARY_OPERATORS, MEMBERSHIP_OPERATORS } from './ast.js'

/** Every sign and word that makes a value of values: the operators as the compiler's functions. */
export const OPERATOR_NAMES = [
  ...BINARY_OPERATORS,
  ...MEMBERSHIP_OPERATORS,
  'between',
  '!between',
  'not',
  'negate',
  // What tabular operators are made of; no query can write these.
  'captured',
  'drawn',
  'keyed',
  'redacted',
  'valid',
] as const
export type OperatorName = (typeof OPERATOR_NAMES)[number]
