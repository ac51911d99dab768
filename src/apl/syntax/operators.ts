import type { BinaryOperator, MembershipOperator } from './ast.js'

/** Every sign and word that makes a value of values: the operators as the compiler's functions. */
export type OperatorName =
  | BinaryOperator
  | MembershipOperator
  | 'between'
  | '!between'
  | 'not'
  | 'negate'
  // What tabular operators are made of; no query can write these.
  | 'captured'
  | 'drawn'
  | 'keyed'
  | 'redacted'
  | 'valid'
