import { type Sql, sql } from '../../sql/sql.js'
import type { EngineResult } from '../engine.js'

/** Asks how many parts a query has to look into; of those whose times are out of range their own index says no. */
export function estimateOf(query: Sql): Sql {
  return sql`EXPLAIN ESTIMATE ${query}`
}

/** The number that the answer to it tells, over all tables. */
export function partsIn({ columns }: EngineResult): number {
  const parts: readonly number[] = JSON.parse(columns.get('parts') ?? '[]')
  return parts.reduce((sum, count) => sum + count, 0)
}
