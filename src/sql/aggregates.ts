import type { AggregateName } from '../apl/aggregates.js'
import { COLLECTION_SQL } from './aggregate/collection.js'
import { EXTREME_SQL } from './aggregate/extreme.js'
import type { AggregateRow } from './aggregate/row.js'
import { STATISTIC_SQL } from './aggregate/statistic.js'

/** What each aggregation is in SQL. Nulls take no part in any of them. */
export const AGGREGATES_SQL: Readonly<Record<AggregateName, AggregateRow>> = {
  ...STATISTIC_SQL,
  ...EXTREME_SQL,
  ...COLLECTION_SQL,
}
