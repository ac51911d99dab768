import type { AggregateName } from '../../apl/aggregate/aggregates.js'
import { COLLECTION_SQL } from './collection.js'
import { EXTREME_SQL } from './extreme.js'
import type { AggregateRow } from './row.js'
import { STATISTIC_SQL } from './statistic.js'

/** The SQL of each aggregation. All of them ignore nulls. */
export const AGGREGATES_SQL: Readonly<Record<AggregateName, AggregateRow>> = {
  ...STATISTIC_SQL,
  ...EXTREME_SQL,
  ...COLLECTION_SQL,
}
