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

/** An element that equals a string has all of its tokens. */
const ELEMENT: TermRule = { caseSensitive: true, start: true, end: true }

/** Returns the rule of an operator or a function that looks for a term; undefined for all others. */
export function termRule(operator: string): TermRule | undefined {
  if (operator === 'set_has_element') return ELEMENT
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
  const isChain = name === 'and' || name === 'or'
  const own = isChain ? undefined : ofTerm(ofText(predicate))
  const operands = isChain ? operandsOf(predicate) : testsOfList(predicate)
  if (own !== undefined || operands === undefined) return own
  const all = operands.map((operand) => superset(operand, ofTerm))
  const known = all.filter((one) => one !== undefined)
  if (known.length === 0 || (name !== 'and' && known.length < all.length)) return undefined
  return joinedBy(name === 'and' ? 'AND' : 'OR', known)
}

/** The tests of which one must be true for a test of a list. */
const TESTS_OF_LISTS: Partial<Record<Invocation['function'], Invocation['function']>> = {
  in: '==',
  has_any: 'has',
  has_any_cs: 'has_cs',
}

/** Returns the operator that tests a value of a list, given the operator that tests all of them; otherwise the operator itself. */
export function testOfOne(name: Invocation['function']): Invocation['function'] {
  return TESTS_OF_LISTS[name] ?? name
}

/**
 * The most values of a list that are looked for in an index, or one by one in bytes. An index excludes only 99 of 100 granules without a
 * value: half of the granules without 64 values.
 */
export const MOST_LISTED = 64

/** Returns a test for each value of a list; undefined for other expressions, and for long lists. */
function testsOfList(predicate: Invocation): readonly Invocation[] | undefined {
  const [value, ...items] = predicate.arguments
  const name = TESTS_OF_LISTS[predicate.function]
  if (name === undefined || value === undefined || items.length > MOST_LISTED) return undefined
  return items.map((item) => ({ ...predicate, function: name, arguments: [value, item] }))
}

/** Returns a test of `tostring(x)` as a test of `x`: operators look for their term in the same text of both. */
function ofText(test: Invocation): Invocation {
  const [place, ...others] = test.arguments
  if (place?.kind !== 'invocation' || place.function !== 'tostring') return test
  return { ...test, arguments: [...place.arguments, ...others] }
}
