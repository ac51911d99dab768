import { ANY, type Signature } from './signature.js'

/** Functions that convert a value to another type. */
export const CONVERSION_FUNCTIONS = {
  dynamic_to_json: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'string',
    summary: 'the JSON text of an array or object, with sorted keys; any other value as a string',
  },
  toarray: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'dynamic',
    summary:
      'the array itself, the values of an object, or any other value as the only element; empty for null',
  },
  tobool: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'the value as a boolean; null if it is not one',
  },
  todatetime: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'datetime',
    summary: 'the value as a time; numbers are nanoseconds since 1970; null if it is not one',
  },
  todouble: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'real',
    summary: 'the value as a real number; null if it is not one',
  },
  todynamic: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the value of a JSON text; null if it is not JSON',
  },
  tohex: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'string'] },
      { name: 'minLength', accepts: ['int'], optional: true },
    ],
    result: 'string',
    summary: 'the integer in hexadecimal digits, padded with zeros; null if it is not one',
  },
  toint: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'int',
    summary: 'the value as an integer, truncated; null if it is not a number',
  },
  tostring: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'string',
    summary: 'the value as a string; empty for null',
  },
  totimespan: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'timespan',
    summary:
      'the value as a timespan: `"1m20s"`, or a number of nanoseconds; null if it is not one',
  },
} satisfies Record<string, Signature>
