import { ANY, first, ORDERED, type Parameter, type Signature } from '../signature.js'
import type { Type } from '../type.js'
import { PREDICATE } from './predicate.js'

const VALUE: Parameter = { name: 'value', accepts: ORDERED }
const MEASURE: Parameter = { name: 'value', accepts: ['int', 'real', 'datetime', 'timespan'] }
const PERCENTILE: Parameter = {
  name: 'percentile',
  accepts: ['int', 'real'],
  constant: true,
}
const FIELDS: Parameter = { name: 'field', accepts: ANY, optional: true, repeated: true }

/** Aggregations that find a value of the data by its place in the order of all. */
export const EXTREME_AGGREGATES = {
  arg_max: {
    parameters: [VALUE, FIELDS],
    result: second,
    summary:
      'the largest value, and the fields of the row that has it; of several rows, of the earliest',
  },
  arg_min: {
    parameters: [VALUE, FIELDS],
    result: second,
    summary:
      'the smallest value, and the fields of the row that has it; of several rows, of the earliest',
  },
  max: {
    parameters: [VALUE],
    result: first,
    summary: 'the largest value; null over none',
  },
  maxif: {
    parameters: [VALUE, PREDICATE],
    result: first,
    summary: 'the largest value where the predicate is true; null over none',
  },
  min: {
    parameters: [VALUE],
    result: first,
    summary: 'the smallest value; null over none',
  },
  minif: {
    parameters: [VALUE, PREDICATE],
    result: first,
    summary: 'the smallest value where the predicate is true; null over none',
  },
  percentile: {
    parameters: [MEASURE, PERCENTILE],
    result: first,
    summary: 'the value of the data at that nearest rank, 0 to 100; null over none',
  },
  percentileif: {
    parameters: [MEASURE, PERCENTILE, PREDICATE],
    result: first,
    summary:
      'the value of the data at that nearest rank, 0 to 100, where the predicate is true; null over none',
  },
  percentiles_array: {
    parameters: [
      MEASURE,
      { name: 'percentile', accepts: ['int', 'real', 'dynamic'], constant: true, repeated: true },
    ],
    result: 'dynamic',
    summary: 'the values of the data at those nearest ranks, as an array; null over none',
  },
  percentiles_arrayif: {
    parameters: [MEASURE, { name: 'percentiles', accepts: ['dynamic'], constant: true }, PREDICATE],
    result: 'dynamic',
    summary:
      'the values of the data at the nearest ranks that an array lists, where the predicate is true; null over none',
  },
} satisfies Record<string, Signature>

function second([value, field]: readonly Type[]): Type {
  return field ?? value ?? 'dynamic'
}
