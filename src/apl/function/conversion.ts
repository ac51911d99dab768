import { ANY, type Signature } from '../signature.js'

/** Functions that turn a value of one type into another. */
export const CONVERSION_FUNCTIONS = {
  tobool: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'the value as a boolean; null when it is none',
  },
  todatetime: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'datetime',
    summary: 'the value as an instant; numbers count nanoseconds since 1970; null when it is none',
  },
  todouble: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'real',
    summary: 'the value as a real number; null when it is none',
  },
  toint: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'int',
    summary: 'the value as a whole number, fractions cut; null when it is none',
  },
  tostring: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'string',
    summary: 'the value as text; null is the empty string',
  },
  totimespan: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'timespan',
    summary: 'the value as a timespan: `"1m20s"`, or a number of nanoseconds; null when it is none',
  },
} satisfies Record<string, Signature>
