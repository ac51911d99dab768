import {
  ANY,
  NUMBER,
  PLAIN_NUMBER,
  PREDICATE,
  parameter,
  type Signature,
} from '../function/signature.js'
import type { Type } from '../type.js'

const VALUE = parameter('value', ...NUMBER)
const PLAIN_VALUE = parameter('value', ...PLAIN_NUMBER)

/** Aggregations for counts, sums and statistics. */
export const STATISTIC_AGGREGATES = {
  avg: {
    parameters: [VALUE],
    result: realOrTimespan,
    summary: 'the mean; null without values',
    example: "['logs'] | summarize avg(duration_ms) by service",
  },
  avgif: {
    parameters: [VALUE, PREDICATE],
    result: realOrTimespan,
    summary: 'the mean where the predicate is true; null without values',
    example: "['logs'] | summarize avgif(duration_ms, status < 400) by service",
  },
  count: {
    parameters: [],
    result: 'int',
    summary: 'the number of rows',
    example: "['logs'] | summarize count() by service",
  },
  countif: {
    parameters: [PREDICATE],
    result: 'int',
    summary: 'the number of rows for which the predicate is true',
    example: "['logs'] | summarize countif(status >= 500) by service",
  },
  dcount: {
    parameters: [parameter('value', ...ANY)],
    result: 'int',
    summary: 'the number of distinct values; exact up to 65,536, possibly an estimate beyond',
    example: "['logs'] | summarize dcount(user_id) by service",
  },
  dcountif: {
    parameters: [parameter('value', ...ANY), PREDICATE],
    result: 'int',
    summary:
      'the number of distinct values where the predicate is true; exact up to 65,536, possibly an estimate beyond',
    example: "['logs'] | summarize dcountif(user_id, status >= 500) by service",
  },
  rate: {
    parameters: [PLAIN_VALUE],
    result: 'real',
    summary:
      "the sum per second of the time bin, or of the query's time range, or of the time between the first and last event",
    example: "['logs'] | summarize rate(bytes) by service",
  },
  stdev: {
    parameters: [VALUE],
    result: realOrTimespan,
    summary: 'the standard deviation of a sample; null with fewer than two values',
    example: "['logs'] | summarize stdev(duration_ms) by service",
  },
  stdevif: {
    parameters: [VALUE, PREDICATE],
    result: realOrTimespan,
    summary:
      'the standard deviation of a sample where the predicate is true; null with fewer than two values',
    example: "['logs'] | summarize stdevif(duration_ms, status < 400) by service",
  },
  sum: {
    parameters: [VALUE],
    result: total,
    summary: 'the sum; 0 without values',
    example: "['logs'] | summarize sum(bytes) by service",
  },
  sumif: {
    parameters: [VALUE, PREDICATE],
    result: total,
    summary: 'the sum where the predicate is true; 0 without values',
    example: "['logs'] | summarize sumif(bytes, status < 400) by service",
  },
  variance: {
    parameters: [PLAIN_VALUE],
    result: 'real',
    summary: 'the variance of a sample; null with fewer than two values',
    example: "['logs'] | summarize variance(duration_ms) by service",
  },
  varianceif: {
    parameters: [PLAIN_VALUE, PREDICATE],
    result: 'real',
    summary:
      'the variance of a sample where the predicate is true; null with fewer than two values',
    example: "['logs'] | summarize varianceif(duration_ms, status < 400) by service",
  },
} satisfies Record<string, Signature>

function realOrTimespan([type]: readonly Type[]): Type {
  return type === 'timespan' ? 'timespan' : 'real'
}

function total([type]: readonly Type[]): Type {
  return type === 'dynamic' || type === undefined ? 'real' : type
}
