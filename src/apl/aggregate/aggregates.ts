import { COLLECTION_AGGREGATES } from './collection.js'
import { EXTREME_AGGREGATES } from './extreme.js'
import { STATISTIC_AGGREGATES } from './statistic.js'

/** The aggregations by name. A new one is a row in `aggregate/` here and one in `sql/aggregate/`. */
export const AGGREGATES = {
  ...STATISTIC_AGGREGATES,
  ...EXTREME_AGGREGATES,
  ...COLLECTION_AGGREGATES,
}

export type AggregateName = keyof typeof AGGREGATES

export function isAggregateName(name: string): name is AggregateName {
  return Object.hasOwn(AGGREGATES, name)
}
