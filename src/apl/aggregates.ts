import { ANY, first, NUMBER, ORDERED, type Signature } from './signature.js'

/** The aggregations by name. A new one is a row here and a row in `sql/aggregates.ts`. */
export const AGGREGATES = {
  avg: {
    parameters: [{ name: 'value', accepts: NUMBER }],
    result: ([type]) => (type === 'timespan' ? 'timespan' : 'real'),
    summary: 'the mean; null over no values',
  },
  count: {
    parameters: [],
    result: 'int',
    summary: 'the number of rows',
  },
  countif: {
    parameters: [{ name: 'predicate', accepts: ['bool'] }],
    result: 'int',
    summary: 'the number of rows for which the predicate is true',
  },
  dcount: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'int',
    summary: 'the number of distinct values; exact up to 65,536, beyond that it may be an estimate',
  },
  max: {
    parameters: [{ name: 'value', accepts: ORDERED }],
    result: first,
    summary: 'the largest value; null over none',
  },
  min: {
    parameters: [{ name: 'value', accepts: ORDERED }],
    result: first,
    summary: 'the smallest value; null over none',
  },
  percentile: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'datetime', 'timespan'] },
      { name: 'percentile', accepts: ['int', 'real'], constant: true },
    ],
    result: first,
    summary: 'the value of the data at that nearest rank, 0 to 100; null over none',
  },
  sum: {
    parameters: [{ name: 'value', accepts: NUMBER }],
    result: ([type]) => (type === 'dynamic' ? 'real' : (type ?? 'real')),
    summary: 'the sum; 0 over no values',
  },
} satisfies Record<string, Signature>

export type AggregateName = keyof typeof AGGREGATES

export function isAggregateName(name: string): name is AggregateName {
  return Object.hasOwn(AGGREGATES, name)
}
