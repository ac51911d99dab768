import type { ReadLimits } from '../../engine/engine.js'
import { numberIn } from '../../engine/response.js'
import type { TimeRange } from '../../sql/compile-context.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import { identifier, joined, list, sql } from '../../sql/sql.js'
import { timeFilters } from '../../sql/stage/source.js'
import type { StatisticsReader } from './statistics-cache.js'

/**
 * Returns a cache validator for a closed time range: equal validators mean equal events, because without deletions the number of
 * events only grows. It must be read before the query runs, so that it is never newer than the result. Returns undefined when
 * results are not cacheable.
 */
export async function rangeValidator(
  compiled: CompiledQuery,
  options: {
    readonly store: StatisticsReader
    readonly datasets: readonly string[]
    readonly range: TimeRange
    readonly now: bigint
    readonly limits: ReadLimits
  },
): Promise<string | undefined> {
  const { store, datasets, range, now, limits } = options
  const isClosed = range.end !== undefined && range.end <= now
  if (!isClosed || datasets.length === 0 || isRandom(compiled)) return undefined
  const removals = datasets.map((dataset) => store.removals(dataset))
  if (removals.includes(undefined)) return undefined
  const tables = datasets.map((dataset) => store.layout(dataset)?.table ?? dataset)
  const condition = joined(timeFilters(range), ' and ')
  const counts = tables.map(
    (table, i) =>
      sql`(select count() from ${identifier(table)} where ${condition}) as ${identifier(`events${i}`)}`,
  )
  const result = await store.read(sql`select ${list(counts)}`, limits)
  const events = counts.map((_, i) => numberIn(result, `events${i}`))
  return JSON.stringify([range.start?.toString(), range.end?.toString(), events, removals])
}

function isRandom({ statement }: CompiledQuery): boolean {
  return /\brand(64|Canonical)\(/.test(statement.text)
}
