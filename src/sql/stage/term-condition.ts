import type { CheckedExpression, Invocation } from '../../apl/check/checked.js'
import type { TextTest } from '../../apl/syntax/ast.js'
import { joinedBy, type Sql } from '../sql.js'
import { operandsOf } from '../walk.js'

/** The places of a string in which an operator looks for its term. */
export interface TermRule {
  readonly caseSensitive: boolean
  /** True when the start of the term is the start of a token of the string. */
  readonly start: boolean
  /** True when the end of the term is the end of a token of the string. */
  readonly end: boolean
}

/** The ends of a term that are ends of a token, for the variants of each test. */
const ENDS: Readonly<Record<TextTest, Omit<TermRule, 'caseSensitive'>>> = {
  has: { start: true, end: true },
  hasprefix: { start: true, end: false },
  hassuffix: { start: false, end: true },
  contains: { start: false, end: false },
  startswith: { start: true, end: false },
  endswith: { start: false, end: true },
}

/** Returns the rule of an operator that looks for a term; undefined for other functions and operators. */
export function termRule(operator: string): TermRule | undefined {
  const test = operator.replace(/_cs$/, '') as TextTest
  return Object.hasOwn(ENDS, test) ? { ...ENDS[test], caseSensitive: operator !== test } : undefined
}

/**
 * Returns a condition that is true if the predicate is; undefined if there is none. It consists of the conditions that `ofTerm`
 * returns for the operands of AND and OR.
 */
export function superset(
  predicate: CheckedExpression,
  ofTerm: (test: Invocation) => Sql | undefined,
): Sql | undefined {
  if (predicate.kind !== 'invocation') return undefined
  const { function: name } = predicate
  if (name !== 'and' && name !== 'or') return ofTerm(ofText(predicate))
  const all = operandsOf(predicate).map((operand) => superset(operand, ofTerm))
  const known = all.filter((one) => one !== undefined)
  if (known.length === 0 || (name === 'or' && known.length < all.length)) return undefined
  return joinedBy(name === 'or' ? 'OR' : 'AND', known)
}

/** Returns a test of `tostring(x)` as a test of `x`: operators look for their term in the same text of both. */
function ofText(test: Invocation): Invocation {
  const [place, ...others] = test.arguments
  if (place?.kind !== 'invocation' || place.function !== 'tostring') return test
  return { ...test, arguments: [...place.arguments, ...others] }
}
