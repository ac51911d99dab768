import type { Sql } from './sql.js'

// The cost of planning a statement. The engine limits neither time nor memory while it plans; a kill takes effect only afterward.

/** The maximum cost: planning takes three to seven seconds of processor time. */
const MAX_COST = 6_000_000

/** Thrown when the subqueries of a statement are nested too deeply for the engine to plan it in a few seconds. */
export class SqlTooDeepError extends Error {
  override readonly name = 'SqlTooDeepError'

  constructor() {
    super('the statement is nested too deeply')
  }
}

/** Throws a `SqlTooDeepError` for a statement that takes the engine long to plan. */
export function refuseDeep(statement: Sql): void {
  if (planningCost(statement) > MAX_COST) throw new SqlTooDeepError()
}

/** A SELECT or other parentheses, as far as it has been read. */
interface Level {
  readonly isSelect: boolean
  /** The number of expressions of this level, and of its subqueries. */
  own: number
  nested: number
  /** The number of expressions that are visited to hash a column of a subquery. */
  visits: number
  /** The number of keys of the ORDER BY. */
  keys: number
}

/** Strings, names and words in which a SELECT begins, and the signs around expressions. */
const TOKEN = /'[^'\\]*(?:\\.[^'\\]*)*'|`[^`\\]*(?:\\.[^`\\]*)*`|\(SELECT |ORDER BY |[(),]/gs

/** Subqueries up to this depth have no cost: their expressions are merged in a few levels, however many columns they have. */
const SHALLOW = 8

/** The cost of an expression for each query around it, relative to a visit. */
const EXPRESSION_COST = 50

/**
 * Estimates the time for planning a statement. The engine merges the expressions of nested queries, a level at a time. It also
 * looks for equal keys in each ORDER BY: for each key, it hashes the subquery that the key is a column of, and visits a subquery
 * at depth n in it n times.
 */
export function planningCost({ text }: Sql): number {
  const outer = level(true)
  const open = [outer]
  let depth = 0
  let cost = 0
  for (const [token] of text.matchAll(TOKEN)) {
    const current = open.at(-1)!
    if (token === 'ORDER BY ') current.keys = 1
    else if (token === ',') {
      current.own++
      if (current.keys > 0) current.keys++
    } else if (token.startsWith('(')) {
      const inner = level(token !== '(')
      open.push(inner)
      if (inner.isSelect) depth++
    } else if (token === ')' && open.length > 1) {
      open.pop()
      cost += close(current, open.at(-1)!, depth)
      if (current.isSelect) depth--
    }
  }
  return cost + outer.keys * outer.visits
}

function level(isSelect: boolean): Level {
  return { isSelect, own: 1, nested: 0, visits: 0, keys: 0 }
}

/** Adds a level to the one around it. Returns the cost of a SELECT. */
function close(level: Level, around: Level, depth: number): number {
  const { isSelect, own, nested, visits, keys } = level
  around.visits += visits
  around.nested += nested
  if (!isSelect) {
    around.own += own
    return 0
  }
  around.visits += nested + own
  around.nested += own
  return keys * visits + EXPRESSION_COST * own * Math.max(0, depth - SHALLOW)
}
