import {
  BINARY_OPERATORS,
  type BinaryOperator,
  MEMBERSHIP_OPERATORS,
  type MembershipOperator,
} from './ast.js'

/** The words that begin an operator of this version. */
export const OPERATOR_WORDS = [
  'as',
  'count',
  'distinct',
  'extend',
  'extend-valid',
  'getschema',
  'join',
  'limit',
  'lookup',
  'make-series',
  'mv-expand',
  'order',
  'parse',
  'parse-kv',
  'parse-where',
  'project',
  'project-away',
  'project-keep',
  'project-rename',
  'project-reorder',
  'redact',
  'sample',
  'search',
  'sort',
  'summarize',
  'take',
  'top',
  'union',
  'where',
] as const
/** A word that begins an operator. */
export type OperatorWord = (typeof OPERATOR_WORDS)[number]

/** Whether the word begins an operator of this version. */
export function isOperatorWord(word: string): word is OperatorWord {
  return (OPERATOR_WORDS as readonly string[]).includes(word)
}

/** How tightly an operator between two values binds: a higher number binds tighter. */
export const PRECEDENCE = { or: 1, and: 2, comparison: 3, sum: 4, product: 5 } as const

const ARITHMETIC: Readonly<Record<string, number>> = {
  or: PRECEDENCE.or,
  and: PRECEDENCE.and,
  '+': PRECEDENCE.sum,
  '-': PRECEDENCE.sum,
  '*': PRECEDENCE.product,
  '/': PRECEDENCE.product,
  '%': PRECEDENCE.product,
}

/** How tightly this operator binds. */
export function precedenceOf(operator: BinaryOperator): number {
  return ARITHMETIC[operator] ?? PRECEDENCE.comparison
}

const BINARY = new Set<string>(BINARY_OPERATORS)
const MEMBERSHIP = new Set<string>(MEMBERSHIP_OPERATORS)

/** Whether it stands between two values. */
export function isBinaryOperator(text: string): text is BinaryOperator {
  return BINARY.has(text)
}

/** Whether it stands between a value and a list. */
export function isMembershipOperator(text: string): text is MembershipOperator {
  return MEMBERSHIP.has(text)
}

/** The words that stand between two values. */
export const INFIX_WORDS: readonly string[] = [
  ...[...BINARY_OPERATORS, ...MEMBERSHIP_OPERATORS].filter((text) => /[a-z]/.test(text)),
  'between',
  '!between',
]

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
