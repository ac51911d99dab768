import { ANY, common, first, NUMBER, PLAIN_NUMBER, type Signature } from './signature.js'

/** Functions on numbers. */
export const NUMBER_FUNCTIONS = {
  abs: {
    parameters: [{ name: 'value', accepts: NUMBER }],
    result: first,
    summary: 'the absolute value',
  },
  bin: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'datetime', 'timespan', 'dynamic'] },
      { name: 'size', accepts: NUMBER },
    ],
    result: ([value, size]) => (value === 'int' && size === 'real' ? 'real' : (value ?? 'dynamic')),
    summary: 'the value rounded down to a multiple of the size; times count from 1970',
  },
  bin_auto: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'datetime',
    summary: 'the time rounded down to a step that suits the time range of the query',
  },
  ceiling: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: 'the value rounded up to an integer',
  },
  floor: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: 'the value rounded down to an integer',
  },
  isfinite: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'bool',
    summary: 'true if the number is neither infinite nor NaN; false for null',
  },
  isinf: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'bool',
    summary: 'true if the number is infinite',
  },
  isint: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true if the value is an integer; a string of digits is not',
  },
  isnan: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'bool',
    summary: 'true if the value is NaN; null is not NaN',
  },
  max_of: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the largest argument, ignoring nulls',
  },
  min_of: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the smallest argument, ignoring nulls',
  },
  rand: {
    parameters: [{ name: 'range', accepts: ['int'], optional: true }],
    result: ([range]) => (range === undefined ? 'real' : 'int'),
    summary:
      'a random number from 0 to 1, exclusive, or a random integer below the range; different in each row',
  },
  round: {
    parameters: [
      { name: 'value', accepts: PLAIN_NUMBER },
      { name: 'precision', accepts: ['int'], optional: true },
    ],
    result: 'real',
    summary: 'the value rounded to a number of decimals, half away from zero',
  },
  sign: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: '-1, 0 or 1: the sign of the value',
  },
} satisfies Record<string, Signature>
