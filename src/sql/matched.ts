import type { AggregateName } from '../apl/aggregate/aggregates.js'
import type {
  CheckedExpression,
  CheckedOperator,
  CheckedPipeline,
  CheckedSource,
} from '../apl/check/checked.js'
import { columnName } from './rows.js'
import { isAggregated } from './stage/summarize.js'
import { aggregatesIn, subqueries, valuesOf } from './walk.js'

// A status contains the number of events that pass the filters. Most results imply this number; the others need a scan to count.

/** The part of a result that implies the number of events that pass the filters. */
export type MatchedCount =
  /** When there are fewer rows than `below`, they are all matching events. */
  | { readonly kind: 'rows'; readonly below: bigint }
  /** The only aggregation of the statement reads each matching event once. */
  | { readonly kind: 'aggregation' }
  /** The value in the only row of a column. */
  | { readonly kind: 'column'; readonly name: string }

/** Returns the part of a query's result that implies the number of matching events; undefined when there is none. */
export function matchedCount(query: CheckedPipeline, limit: bigint): MatchedCount | undefined {
  if (!hasEvents(query.source)) return undefined
  const below = lowestLimit(query.operators, limit)
  return below === undefined ? countOfGroups(query) : { kind: 'rows', below }
}

/** True for a dataset, and for a union that has a row for each event that passes the filters of its parts. */
function hasEvents(source: CheckedSource): boolean {
  if (source.kind === 'dataset') return true
  return (
    source.kind === 'union' &&
    source.parts.every(
      ({ pipeline }) => hasEvents(pipeline.source) && pipeline.operators.every(keepsEvents),
    )
  )
}

/** Returns the lowest limit; undefined when rows are not events, or rows are dropped for another reason than a limit. */
function lowestLimit(operators: readonly CheckedOperator[], limit: bigint): bigint | undefined {
  let lowest = limit
  for (const [step, operator] of operators.entries()) {
    const isCut = operators.slice(0, step).some(({ kind }) => kind === 'limit')
    if (operator.kind === 'limit') {
      if (operator.count < lowest) lowest = operator.count
    } else if (!keepsEvents(operator) || (isCut && operator.kind === 'where')) {
      return undefined
    }
  }
  return lowest
}

function countOfGroups(query: CheckedPipeline): MatchedCount | undefined {
  const { operators, columns } = query
  // Each subquery may be another aggregation.
  if (hasSubqueries(query)) return undefined
  const step = operators.findIndex((one) => !keepsEvents(one))
  const operator = operators[step]
  const rest = operators.slice(step + 1)
  // The engine may apply a later filter of keys to the events, before it aggregates them.
  if (!rest.every((one) => one.kind !== 'where' && (keepsEvents(one) || one.kind === 'limit')))
    return undefined
  if (operator?.kind === 'distinct') {
    const isKnown = isAggregated({ by: operator.computed, aggregates: [] })
    return isKnown ? { kind: 'aggregation' } : undefined
  }
  if (operator?.kind !== 'summarize' || !isAggregated(operator)) return undefined
  const names = operator.aggregates.flatMap(({ value }) => aggregatesIn(value))
  if (operator.by.length > 0 || names.some((name) => !FROM_METADATA.includes(name)))
    return { kind: 'aggregation' }
  const count = operator.aggregates.find(({ value }) => isCount(value))?.column.id
  const isShown =
    columns.some(({ id }) => id === count) && !rest.some(({ kind }) => kind === 'limit')
  return count === undefined || !isShown
    ? undefined
    : { kind: 'column', name: columnName(count).text }
}

function hasSubqueries({ source, operators }: CheckedPipeline): boolean {
  return (
    operators.some((one) => valuesOf(one).some((value) => subqueries(value).length > 0)) ||
    (source.kind === 'union' && source.parts.some(({ pipeline }) => hasSubqueries(pipeline)))
  )
}

/** Without keys, the engine computes these from the metadata of parts if it can, without reading events. */
const FROM_METADATA: readonly AggregateName[] = ['count', 'min', 'max']

function isCount(value: CheckedExpression): boolean {
  return value.kind === 'aggregate' && value.function === 'count' && value.arguments.length === 0
}

/** True when every row is still an event after the operator, and no event that passes the filters is dropped. */
export function keepsEvents({ kind }: CheckedOperator): boolean {
  return kind === 'where' || kind === 'extend' || kind === 'project' || kind === 'sort'
}

/** True when each event is a row as long as there is no limit. */
export function isUnfiltered({ source, operators }: CheckedPipeline): boolean {
  return (
    operators.every((one) => one.kind === 'limit' || (keepsEvents(one) && one.kind !== 'where')) &&
    (source.kind !== 'union' || source.parts.every(({ pipeline }) => isUnfiltered(pipeline)))
  )
}
