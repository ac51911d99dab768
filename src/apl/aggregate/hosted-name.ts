import type { AggregateName } from './aggregates.js'

/** The aggregations that the hosted service names differently in results. */
const OTHER_NAMES: Partial<Readonly<Record<AggregateName, string>>> = {
  dcount: 'distinct',
  dcountif: 'distinctif',
  percentile: 'percentiles',
  percentileif: 'percentilesif',
  percentiles_array: 'percentiles',
  percentiles_arrayif: 'percentilesif',
  // The Go client has no name for `phrases`; `computed` stands for any value that is computed from other values.
  phrases: 'computed',
}

/**
 * Returns the name of an aggregation in the results of the hosted service; these names are older than APL. The service's Go client
 * refuses a result with an unknown name.
 */
export function hostedName(name: AggregateName): string {
  return OTHER_NAMES[name] ?? name.replaceAll('_', '')
}
