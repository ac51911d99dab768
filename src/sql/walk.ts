import type { AggregateName } from '../apl/aggregate/aggregates.js'
import {
  type CheckedExpression,
  type CheckedOperator,
  type CheckedSubquery,
  type ComputedColumn,
  type Invocation,
  partsOf,
} from '../apl/check/checked.js'
import { addTo } from '../text/lists.js'

/** Returns the columns that an operator computes from the values of a row or of a group. */
export function computedBy(operator: CheckedOperator): readonly ComputedColumn[] {
  switch (operator.kind) {
    case 'extend':
    case 'distinct':
      return operator.computed
    case 'summarize':
      return [...operator.by, ...operator.aggregates]
    case 'mv-expand':
      return operator.items
    case 'make-series':
      return [...operator.by, ...operator.series]
    case 'where':
    case 'sort':
    case 'reduce':
    case 'patterns':
    case 'project':
    case 'limit':
    case 'getschema':
      return []
    default:
      return operator satisfies never
  }
}

export function valuesOf(operator: CheckedOperator): readonly CheckedExpression[] {
  const computed = computedBy(operator).map(({ value }) => value)
  switch (operator.kind) {
    case 'where':
      return [operator.predicate]
    case 'sort':
      return operator.keys.map(({ value }) => value)
    case 'reduce':
    case 'patterns':
      return [operator.value]
    case 'make-series':
      return [operator.on, ...computed]
    default:
      return computed
  }
}

/** Returns the queries that an expression contains, without queries nested in them. */
export function subqueries(node: CheckedExpression): readonly CheckedSubquery[] {
  return [...nodes(node)].filter((one) => one.kind === 'subquery')
}

export function references(node: CheckedExpression): ReadonlySet<number> {
  const ids = new Set<number>()
  for (const one of nodes(node)) if (one.kind === 'reference') ids.add(one.column)
  return ids
}

export function aggregatesIn(node: CheckedExpression): readonly AggregateName[] {
  return [...nodes(node)].flatMap((one) => (one.kind === 'aggregate' ? [one.function] : []))
}

/** Yields an expression and all its subexpressions. Iterative, since chains can be long. */
export function* nodes(node: CheckedExpression): Iterable<CheckedExpression> {
  const open: CheckedExpression[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    yield next
    for (const part of partsOf(next)) open.push(part)
  }
}

/**
 * Returns the operands of an operator. Chains such as `a and b and c` are flattened iteratively because they can be long. Several
 * terms that are looked for in the same value become a list.
 */
export function operandsOf(node: Invocation): readonly CheckedExpression[] {
  if (node.function !== 'and' && node.function !== 'or') return node.arguments
  const operands: CheckedExpression[] = []
  const open: CheckedExpression[] = [node]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.kind === 'invocation' && next.function === node.function) {
      for (const operand of next.arguments.toReversed()) open.push(operand)
    } else operands.push(next)
  }
  return withListedTerms(operands, node.function)
}

/** The tests of a list that take the place of several tests of a term; in a chain of `and`, the list must not have any. */
const TESTS_OF_TERMS: Readonly<
  Record<'and' | 'or', Partial<Record<Invocation['function'], Invocation['function']>>>
> = {
  or: { has: 'has_any', has_cs: 'has_any_cs' },
  and: { '!has': 'has_any', '!has_cs': 'has_any_cs' },
}

/** Replaces `a has "x"` and `a has "y"` by `a has_any ("x", "y")`: the engine takes ten milliseconds to prepare each test of a term. */
function withListedTerms(
  operands: readonly CheckedExpression[],
  chain: 'and' | 'or',
): readonly CheckedExpression[] {
  const lists = new Map<string, Invocation[]>()
  const found = operands.map((operand) => {
    if (operand.kind !== 'invocation') return operand
    const [value, term] = operand.arguments
    const isListed = TESTS_OF_TERMS[chain][operand.function] !== undefined
    if (!isListed || value?.kind !== 'reference' || term?.kind !== 'constant') return operand
    const key = `${operand.function} ${value.column}`
    addTo(lists, key, operand)
    return key
  })
  return [...new Set(found)].map((one) =>
    typeof one === 'string' ? testOfList(lists.get(one)!, chain) : one,
  )
}

/** Returns one test for several tests of a term in the same value. */
function testOfList(tests: readonly Invocation[], chain: 'and' | 'or'): CheckedExpression {
  const [first, ...others] = tests
  if (others.length === 0) return first!
  const terms = others.map((test) => test.arguments[1]!)
  const name = TESTS_OF_TERMS[chain][first!.function]!
  const any = { ...first!, function: name, arguments: [...first!.arguments, ...terms] }
  return chain === 'or' ? any : { ...any, function: 'not', arguments: [any] }
}
