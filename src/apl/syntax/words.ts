import { byWord } from '../../text/by-word.js'
import { OPERATOR_REFERENCE } from '../operator-reference.js'
import {
  BINARY_OPERATORS,
  type BinaryOperator,
  MEMBERSHIP_OPERATORS,
  type MembershipOperator,
} from './ast.js'

/** The first words of the supported operators, in alphabetical order. */
export const OPERATOR_WORDS = Object.keys(OPERATOR_REFERENCE) as readonly OperatorWord[]
export type OperatorWord = keyof typeof OPERATOR_REFERENCE

export function isOperatorWord(word: string): word is OperatorWord {
  return Object.hasOwn(OPERATOR_REFERENCE, word)
}

/** The precedence of infix operators: a higher number binds tighter. */
export const PRECEDENCE = { or: 1, and: 2, comparison: 3, sum: 4, product: 5 } as const

/** The precedence of the operators that are not comparisons. */
const NO_COMPARISONS = byWord<number>({
  or: PRECEDENCE.or,
  and: PRECEDENCE.and,
  '+ -': PRECEDENCE.sum,
  '* / %': PRECEDENCE.product,
})

export function precedenceOf(operator: BinaryOperator): number {
  return NO_COMPARISONS[operator] ?? PRECEDENCE.comparison
}

const BINARY = new Set<string>(BINARY_OPERATORS)
const MEMBERSHIP = new Set<string>(MEMBERSHIP_OPERATORS)

export function isBinaryOperator(text: string): text is BinaryOperator {
  return BINARY.has(text)
}

export function isMembershipOperator(text: string): text is MembershipOperator {
  return MEMBERSHIP.has(text)
}

export const INFIX_WORDS: readonly string[] = [
  ...[...BINARY_OPERATORS, ...MEMBERSHIP_OPERATORS].filter((text) => /[a-z]/.test(text)),
  'between',
  '!between',
]

/** The operators as functions of the compiler. */
export type OperatorName =
  | BinaryOperator
  | MembershipOperator
  | 'between'
  | '!between'
  | 'not'
  | 'negate'
  // Internal functions that tabular operators are reduced to; a query cannot contain them.
  | 'captured'
  | 'delimited'
  | 'drawn'
  | 'joined'
  | 'keyed'
  | 'pattern'
  | 'redacted'
  | 'valid'
