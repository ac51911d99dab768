import { ANY, NUMBER, type Parameter, PLAIN_NUMBER, type Signature } from '../signature.js'
import type { Type } from '../type.js'
import { PREDICATE } from './predicate.js'

const VALUE: Parameter = { name: 'value', accepts: NUMBER }
const PLAIN_VALUE: Parameter = { name: 'value', accepts: PLAIN_NUMBER }

/** Aggregations that count, add up and tell how values are spread. */
export const STATISTIC_AGGREGATES = {
  avg: {
    parameters: [VALUE],
    result: realOrTimespan,
    summary: 'the mean; null over no values',
  },
  avgif: {
    parameters: [VALUE, PREDICATE],
    result: realOrTimespan,
    summary: 'the mean where the predicate is true; null over no values',
  },
  count: {
    parameters: [],
    result: 'int',
    summary: 'the number of rows',
  },
  countif: {
    parameters: [PREDICATE],
    result: 'int',
    summary: 'the number of rows for which the predicate is true',
  },
  dcount: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'int',
    summary: 'the number of distinct values; exact up to 65,536, beyond that it may be an estimate',
  },
  dcountif: {
    parameters: [{ name: 'value', accepts: ANY }, PREDICATE],
    result: 'int',
    summary:
      'the number of distinct values where the predicate is true; exact up to 65,536, beyond that it may be an estimate',
  },
  rate: {
    parameters: [PLAIN_VALUE],
    result: 'real',
    summary:
      "the sum for each second of the time bin, else of the query's time range, else of the time from the first event to the last",
  },
  stdev: {
    parameters: [VALUE],
    result: realOrTimespan,
    summary: 'the standard deviation of a sample; null over fewer than two values',
  },
  stdevif: {
    parameters: [VALUE, PREDICATE],
    result: realOrTimespan,
    summary:
      'the standard deviation of a sample where the predicate is true; null over fewer than two values',
  },
  sum: {
    parameters: [VALUE],
    result: total,
    summary: 'the sum; 0 over no values',
  },
  sumif: {
    parameters: [VALUE, PREDICATE],
    result: total,
    summary: 'the sum where the predicate is true; 0 over no values',
  },
  variance: {
    parameters: [PLAIN_VALUE],
    result: 'real',
    summary: 'the variance of a sample; null over fewer than two values',
  },
  varianceif: {
    parameters: [PLAIN_VALUE, PREDICATE],
    result: 'real',
    summary:
      'the variance of a sample where the predicate is true; null over fewer than two values',
  },
} satisfies Record<string, Signature>

function realOrTimespan([type]: readonly Type[]): Type {
  return type === 'timespan' ? 'timespan' : 'real'
}

function total([type]: readonly Type[]): Type {
  return type === 'dynamic' || type === undefined ? 'real' : type
}
