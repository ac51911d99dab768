import { type Signature, signature } from '../function/signature.js'
import type { Type } from '../type.js'

export const STATISTIC_AGGREGATES = {
  avg: signature('value: int|real|timespan', realOrTimespan)(
    'the mean; null without values',
    "['logs'] | summarize avg(duration_ms) by service",
  ),
  avgif: signature('value: int|real|timespan, predicate: bool', realOrTimespan)(
    'the mean where the predicate is true; null without values',
    "['logs'] | summarize avgif(duration_ms, status < 400) by service",
  ),
  count: signature('', 'int')('the number of rows', "['logs'] | summarize count() by service"),
  countif: signature('predicate: bool', 'int')(
    'the number of rows for which the predicate is true',
    "['logs'] | summarize countif(status >= 500) by service",
  ),
  dcount: signature('value', 'int')(
    'the number of distinct values; exact up to 65,536, possibly an estimate beyond',
    "['logs'] | summarize dcount(user_id) by service",
  ),
  dcountif: signature('value, predicate: bool', 'int')(
    'the number of distinct values where the predicate is true; exact up to 65,536, possibly an estimate beyond',
    "['logs'] | summarize dcountif(user_id, status >= 500) by service",
  ),
  rate: signature('value: int|real', 'real')(
    "the sum per second of the time bin, or of the query's time range, or of the time between the first and last event",
    "['logs'] | summarize rate(bytes) by service",
  ),
  stdev: signature('value: int|real|timespan', realOrTimespan)(
    'the standard deviation of a sample; null with fewer than two values',
    "['logs'] | summarize stdev(duration_ms) by service",
  ),
  stdevif: signature('value: int|real|timespan, predicate: bool', realOrTimespan)(
    'the standard deviation of a sample where the predicate is true; null with fewer than two values',
    "['logs'] | summarize stdevif(duration_ms, status < 400) by service",
  ),
  sum: signature('value: int|real|timespan', total)(
    'the sum; 0 without values',
    "['logs'] | summarize sum(bytes) by service",
  ),
  sumif: signature('value: int|real|timespan, predicate: bool', total)(
    'the sum where the predicate is true; 0 without values',
    "['logs'] | summarize sumif(bytes, status < 400) by service",
  ),
  variance: signature('value: int|real', 'real')(
    'the variance of a sample; null with fewer than two values',
    "['logs'] | summarize variance(duration_ms) by service",
  ),
  varianceif: signature('value: int|real, predicate: bool', 'real')(
    'the variance of a sample where the predicate is true; null with fewer than two values',
    "['logs'] | summarize varianceif(duration_ms, status < 400) by service",
  ),
} satisfies Record<string, Signature>

function realOrTimespan([type]: readonly Type[]): Type {
  return type === 'timespan' ? 'timespan' : 'real'
}

function total([type]: readonly Type[]): Type {
  return type === 'dynamic' || type === undefined ? 'real' : type
}
