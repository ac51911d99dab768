import {
  ANY,
  common,
  first,
  NUMBER,
  optional,
  PLAIN_NUMBER,
  parameter,
  repeated,
  type Signature,
  signatures,
} from './signature.js'

const integerOf = signatures([parameter('value', ...PLAIN_NUMBER)], 'int')
const conditionOn = signatures([parameter('value', ...PLAIN_NUMBER)], 'bool')

/** Functions on numbers. */
export const NUMBER_FUNCTIONS = {
  abs: {
    parameters: [parameter('value', ...NUMBER)],
    result: first,
    summary: 'the absolute value',
    example: 'print abs(-3) // 3',
  },
  bin: {
    parameters: [
      parameter('value', 'int', 'real', 'datetime', 'timespan', 'dynamic'),
      parameter('size', ...NUMBER),
    ],
    result: ([value, size]) => (value === 'int' && size === 'real' ? 'real' : (value ?? 'dynamic')),
    summary: 'the value rounded down to a multiple of the size; times count from 1970',
    example: 'print bin(312, 100) // 300',
  },
  bin_auto: {
    parameters: [parameter('time', 'datetime')],
    result: 'datetime',
    summary: 'the time rounded down to a step that suits the time range of the query',
    example: "['logs'] | summarize count() by bin_auto(_time)",
  },
  ceiling: integerOf('the value rounded up to an integer', 'print ceiling(1.2) // 2'),
  floor: integerOf('the value rounded down to an integer', 'print floor(1.8) // 1'),
  isfinite: conditionOn(
    'true if the number is neither infinite nor NaN; false for null',
    'print isfinite(1.5) // true',
  ),
  isinf: conditionOn('true if the number is infinite', 'print isinf(1.5) // false'),
  isint: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true if the value is an integer; a string of digits is not',
    example: 'print isint(42) // true',
  },
  isnan: conditionOn('true if the value is NaN; null is not NaN', 'print isnan(1.5) // false'),
  max_of: {
    parameters: [repeated('value', ...ANY)],
    result: common,
    summary: 'the largest argument, ignoring nulls',
    example: 'print max_of(3, 7, 5) // 7',
  },
  min_of: {
    parameters: [repeated('value', ...ANY)],
    result: common,
    summary: 'the smallest argument, ignoring nulls',
    example: 'print min_of(3, 7, 5) // 3',
  },
  rand: {
    parameters: [optional('range', 'int')],
    result: ([range]) => (range === undefined ? 'real' : 'int'),
    summary:
      'a random number from 0 to 1, exclusive, or a random integer below the range; different in each row',
    example: "['logs'] | where rand() < 0.01",
  },
  round: {
    parameters: [parameter('value', ...PLAIN_NUMBER), optional('precision', 'int')],
    result: 'real',
    summary: 'the value rounded to a number of decimals, half away from zero',
    example: 'print round(2.345, 1) // 2.3',
  },
  sign: integerOf('-1, 0 or 1: the sign of the value', 'print sign(-3) // -1'),
} satisfies Record<string, Signature>
