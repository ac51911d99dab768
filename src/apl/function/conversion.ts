import { ANY, type Signature } from '../signature.js'

/** Functions that turn a value of one type into another. */
export const CONVERSION_FUNCTIONS = {
  dynamic_to_json: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'string',
    summary:
      'the JSON text of the value, with the keys of objects in order; of no array or object, its text',
  },
  toarray: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'dynamic',
    summary:
      'an array as it is, the values of an object, any other value as the only element; null is an empty one',
  },
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
  todynamic: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the value that a JSON text denotes; null when it is none',
  },
  tohex: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'string'] },
      { name: 'minLength', accepts: ['int'], optional: true },
    ],
    result: 'string',
    summary: 'the whole number in hexadecimal digits, filled up with zeros; null when it is none',
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
