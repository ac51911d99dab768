import type { CheckedExpression, CheckedPipeline } from '../apl/check/checked.js'
import { datasetsOf } from './datasets.js'
import { keepsEvents } from './matched.js'
import { references, subqueries } from './walk.js'

/**
 * True when only the time range of the request can exclude whole parts: the filters of the query read columns, but not `_time`,
 * the primary key. The parts that the query reads are then known without asking the engine.
 */
export function isIndexedByRange(query: CheckedPipeline): boolean {
  return hasEachOnce(query) && timesAfterFilters(query) !== undefined
}

/** False when parts of the table of one dataset would count twice. */
function hasEachOnce({ source }: CheckedPipeline): boolean {
  if (source.kind !== 'union') return true
  return datasetsOf({ source, operators: [], columns: [] }).length === source.parts.length
}

/** Returns the ids of the columns that depend on the time of the events; undefined when a filter does, too. */
function timesAfterFilters(pipeline: CheckedPipeline): ReadonlySet<number> | undefined {
  const times = timesOf(pipeline)
  if (times === undefined) return undefined
  const readsTime = (value: CheckedExpression) => [...references(value)].some((id) => times.has(id))
  for (const operator of pipeline.operators) {
    if (!keepsEvents(operator)) break
    if (operator.kind === 'extend') {
      for (const { column, value } of operator.computed) if (readsTime(value)) times.add(column.id)
    } else if (operator.kind === 'where') {
      const { predicate } = operator
      if (readsTime(predicate) || references(predicate).size === 0) return undefined
      if (subqueries(predicate).length > 0) return undefined
    }
  }
  return times
}

function timesOf({ source }: CheckedPipeline): Set<number> | undefined {
  if (source.kind === 'dataset') {
    return new Set(source.columns.filter(({ name }) => name === '_time').map(({ id }) => id))
  }
  if (source.kind !== 'union') return undefined
  const times = new Set<number>()
  for (const { pipeline, columns } of source.parts) {
    // Filters that follow other operators, such as a limit, exclude no parts.
    const own = pipeline.operators.every(keepsEvents) ? timesAfterFilters(pipeline) : undefined
    if (own === undefined) return undefined
    for (const [id, column] of columns) if ('id' in column && own.has(column.id)) times.add(id)
  }
  return times
}
