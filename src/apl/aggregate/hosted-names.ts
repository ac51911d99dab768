import type { AggregateName } from './aggregates.js'

/**
 * The names of the aggregations in the results of the hosted service; these names are older than APL. The service's Go client
 * refuses a result with an unknown name.
 */
export const HOSTED_NAMES: Readonly<Record<AggregateName, string>> = {
  arg_max: 'argmax',
  arg_min: 'argmin',
  avg: 'avg',
  avgif: 'avgif',
  count: 'count',
  countif: 'countif',
  dcount: 'distinct',
  dcountif: 'distinctif',
  histogram: 'histogram',
  histogramif: 'histogramif',
  make_list: 'makelist',
  make_list_if: 'makelistif',
  make_set: 'makeset',
  make_set_if: 'makesetif',
  max: 'max',
  maxif: 'maxif',
  min: 'min',
  minif: 'minif',
  percentile: 'percentiles',
  percentileif: 'percentilesif',
  percentiles_array: 'percentiles',
  percentiles_arrayif: 'percentilesif',
  // The Go client has no name for `phrases`; `computed` stands for any value that is computed from other values.
  phrases: 'computed',
  rate: 'rate',
  spotlight: 'spotlight',
  stdev: 'stdev',
  stdevif: 'stdevif',
  sum: 'sum',
  sumif: 'sumif',
  topk: 'topk',
  topkif: 'topkif',
  variance: 'variance',
  varianceif: 'varianceif',
}
