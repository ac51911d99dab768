import type { CheckedExpression, CheckedPipeline, Invocation } from '../../apl/check/checked.js'
import { addTo } from '../../text/lists.js'
import { filter } from '../expression.js'
import { keepsEvents } from '../matched.js'
import type { Rows } from '../rows.js'
import type { Scope } from '../scope.js'
import { joined, type Sql, sql } from '../sql.js'
import { bytesFirst, bytesOf, leadingPredicates } from './prefilter.js'
import type { SearchPart, SearchParts } from './search-parts.js'
import { termRule } from './term-condition.js'
import { indexOf, onlyInIndex, type TokenSource, tokensIn } from './token-filter.js'

// A search looks for its term in all columns of a dataset, and most terms are only in some of them. The token index of a column shows
// in a few milliseconds that none of its values can have the term; then the search does not read the column. At 5 million events, a
// word that 2 % of the messages have, and no other column, takes 370 ms of CPU time instead of 870. A query that returns the first
// events that it finds does not divide its searches, except to count the others: other columns may be large, and indexes not yet built.

/** The most datasets whose indexes are asked first. */
const MAX_DATASETS = 4

/** True for a query that looks for a term in all columns of one or a few datasets. */
export function hasSearch({ source, operators }: CheckedPipeline): boolean {
  switch (source.kind) {
    case 'dataset':
      return leadingPredicates(operators).some((one) => searchIn(one) !== undefined)
    case 'union':
      return (
        source.parts.length <= MAX_DATASETS &&
        source.parts.some(({ pipeline }) => hasSearch(pipeline))
      )
    default:
      return false
  }
}

/** True for a query whose result needs all events that pass its filters. */
export function readsAllEvents({ operators }: CheckedPipeline): boolean {
  const first = operators.find((operator) => !keepsEvents(operator))
  return first !== undefined && first.kind !== 'limit'
}

/** The most parts with a subquery. */
const MAX_PARTS = 8
/** The most fields of a part: the engine plans its conditions several times. */
const MAX_FIELDS = 32

interface EventSource {
  readonly tokens: TokenSource
  /** The events without the filters of the query's operators. */
  readonly rows: Rows
  readonly scope: Scope
}

/** Divides searches by the token indexes of their columns, where that is possible. */
export function dividedSearches(
  predicates: readonly CheckedExpression[],
  source: EventSource,
): SearchParts {
  const all = predicates.map((one) => [one, partsOf(one, source)] as const)
  return new Map(all.flatMap(([one, parts]) => (parts === undefined ? [] : [[one, parts]])))
}

interface Search {
  readonly fields: readonly CheckedExpression[]
  /** Returns the same test for some of the fields. */
  within(fields: readonly CheckedExpression[]): Invocation
}

function searchIn(test: CheckedExpression): Search | undefined {
  if (test.kind !== 'invocation' || termRule(test.function) === undefined) return undefined
  const [place, ...terms] = test.arguments
  if (place?.kind !== 'invocation' || place.function !== 'joined') return undefined
  const within = (fields: readonly CheckedExpression[]): Invocation => ({
    ...test,
    arguments: [{ ...place, arguments: fields }, ...terms],
  })
  return { fields: place.arguments, within }
}

function partsOf(
  predicate: CheckedExpression,
  source: EventSource,
): readonly SearchPart[] | undefined {
  const search = searchIn(predicate)
  if (search === undefined) return undefined
  const byIndex = new Map<unknown, CheckedExpression[]>()
  for (const field of search.fields) addTo(byIndex, indexOf(field, source.tokens), field)
  const parts: SearchPart[] = []
  const rest: CheckedExpression[] = []
  for (const [index, fields] of byIndex) {
    const test = search.within(fields)
    const isSmall = parts.length < MAX_PARTS && fields.length <= MAX_FIELDS
    const mayMatch = index !== undefined && isSmall ? anyMatch(test, source) : undefined
    if (mayMatch === undefined) rest.push(...fields)
    else parts.push({ test, mayMatch })
  }
  if (parts.length < 2) return undefined
  if (rest.length > 0) parts.push({ test: search.within(rest), mayMatch: undefined })
  return parts
}

/** Returns a subquery that is false when no event of the rows passes a test; undefined when an index does not help to find out. */
function anyMatch(test: Invocation, { rows, scope, tokens }: EventSource): Sql | undefined {
  const { from, filters, columns } = rows
  const inIndex = tokensIn(test, tokens)
  if (inIndex === undefined) return undefined
  const all = [
    ...filters,
    onlyInIndex(inIndex),
    bytesFirst(bytesOf(test, columns), filter(test, scope)),
  ]
  return sql`exists(SELECT 1 FROM ${from} WHERE ${joined(all, ' AND ')} LIMIT 1)`
}
