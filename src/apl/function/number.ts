import { ANY, common, first, NUMBER, PLAIN_NUMBER, type Signature } from '../signature.js'

/** Functions on numbers. */
export const NUMBER_FUNCTIONS = {
  abs: {
    parameters: [{ name: 'value', accepts: NUMBER }],
    result: first,
    summary: 'the value without its sign',
  },
  bin: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'datetime', 'timespan', 'dynamic'] },
      { name: 'size', accepts: NUMBER },
    ],
    result: ([value, size]) => (value === 'int' && size === 'real' ? 'real' : (value ?? 'dynamic')),
    summary: 'the value rounded down to a multiple of the size; instants count from 1970',
  },
  bin_auto: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'datetime',
    summary: 'the time rounded down to a step that suits the time range of the query',
  },
  ceiling: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: 'the smallest whole number that is not less',
  },
  floor: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: 'the largest whole number that is not greater',
  },
  isfinite: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'bool',
    summary: 'true for a number that is neither infinite nor NaN; false for null',
  },
  isinf: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'bool',
    summary: 'true for an infinite number',
  },
  isint: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true for a whole number; a text of digits is none',
  },
  isnan: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'bool',
    summary: 'true for NaN, the result of no calculation; null is not NaN',
  },
  max_of: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the largest of its arguments, nulls left out',
  },
  min_of: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the smallest of its arguments, nulls left out',
  },
  rand: {
    parameters: [{ name: 'range', accepts: ['int'], optional: true }],
    result: ([range]) => (range === undefined ? 'real' : 'int'),
    summary:
      'a random number from 0 up to 1, or a random whole number below the range; another in each row',
  },
  round: {
    parameters: [
      { name: 'value', accepts: PLAIN_NUMBER },
      { name: 'precision', accepts: ['int'], optional: true },
    ],
    result: 'real',
    summary: 'the value rounded to a number of decimals, halves away from zero',
  },
  sign: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: '-1, 0 or 1, as the value is below, at or above 0',
  },
} satisfies Record<string, Signature>
