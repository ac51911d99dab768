import type { CheckedExpression, Invocation } from '../../apl/check/checked.js'
import { joinedBy, type Sql } from '../sql.js'

/** A search in some of its columns. */
export interface SearchPart {
  readonly test: Invocation
  /** False when no event can have the term; undefined when this is not known. The engine computes it before it reads the events. */
  readonly mayMatch: Sql | undefined
}

/** The parts of searches, by their predicates. An event that a search finds passes the test of at least one part. */
export type SearchParts = ReadonlyMap<CheckedExpression, readonly SearchPart[]>

/** Returns a condition that is true if a part has its condition; undefined if a part has no condition. */
export function anyPart(
  parts: readonly SearchPart[],
  conditionOf: (test: Invocation) => Sql | undefined,
): Sql | undefined {
  const all = parts.map(({ test, mayMatch }) => {
    const condition = conditionOf(test)
    // The engine drops an AND with a constant that is false, together with its columns; it would keep an `if`.
    return mayMatch && condition ? joinedBy('AND', [mayMatch, condition]) : condition
  })
  const known = all.filter((one) => one !== undefined)
  return known.length < all.length ? undefined : joinedBy('OR', known)
}
