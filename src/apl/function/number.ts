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
      { name: 'value', accepts: ['int', 'real', 'datetime', 'timespan'] },
      { name: 'size', accepts: NUMBER },
    ],
    result: ([value, size]) => (value === 'int' && size === 'real' ? 'real' : (value ?? 'dynamic')),
    summary: 'the value rounded down to a multiple of the size; instants count from 1970',
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
  log: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the natural logarithm; null for 0 and below',
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
  pow: {
    parameters: [
      { name: 'base', accepts: PLAIN_NUMBER },
      { name: 'exponent', accepts: PLAIN_NUMBER },
    ],
    result: 'real',
    summary: 'the base to the power of the exponent',
  },
  round: {
    parameters: [
      { name: 'value', accepts: PLAIN_NUMBER },
      { name: 'precision', accepts: ['int'], optional: true },
    ],
    result: 'real',
    summary: 'the value rounded to a number of decimals, halves away from zero',
  },
  sqrt: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the square root; null below 0',
  },
} satisfies Record<string, Signature>
