import { expect, it } from 'vitest'
import { planningCost } from '../../src/sql/planning.js'
import { raw } from '../../src/sql/sql.js'

const costOf = (statement: string): number => planningCost(raw(statement))

/** A table in this number of subqueries of one column. */
const nested = (levels: number): string =>
  Array.from({ length: levels }).reduce<string>((from) => `(SELECT a FROM ${from})`, 't')

it.each([
  ['SELECT a FROM t ORDER BY a', 0],
  ['SELECT a, b FROM (SELECT a, b FROM t)', 0],
  // The two columns of the subquery, for each of one and two keys.
  ['SELECT a FROM (SELECT a, b FROM t) ORDER BY a', 2],
  ['SELECT a FROM (SELECT a, b FROM t) ORDER BY a, b DESC', 4],
  // The inner subquery is visited twice, the outer one once.
  ['SELECT a FROM (SELECT a FROM (SELECT a FROM t)) ORDER BY a', 3],
  // The inner ORDER BY visits the column of one subquery in addition.
  ['SELECT a FROM (SELECT a FROM (SELECT a FROM t) ORDER BY a LIMIT 1) ORDER BY a', 4],
  // The argument of a function is an expression, too.
  ['SELECT a FROM (SELECT f(a) AS a FROM t) ORDER BY a', 2],
  ["SELECT a FROM (SELECT '(,(SELECT \\'' AS a, `(,` FROM t) ORDER BY a", 2],
])('the cost of %s is %i', (statement, cost) => {
  expect(costOf(statement)).toBe(cost)
})

it('the cost of deep subqueries grows with the square of their depth', () => {
  expect(costOf(`SELECT a FROM ${nested(8)}`)).toBe(0)
  // 50 for each of the subqueries around an expression, from the ninth on.
  expect(costOf(`SELECT a FROM ${nested(10)}`)).toBe(50 * (1 + 2))
  expect(costOf(`SELECT a FROM ${nested(108)}`)).toBe((50 * 100 * 101) / 2)
})

it('subqueries beside each other are not deep', () => {
  const parts = Array.from({ length: 1_000 }, () => `SELECT a FROM ${nested(2)}`)
  expect(costOf(`SELECT a FROM (${parts.join(' UNION ALL ')})`)).toBe(0)
})
