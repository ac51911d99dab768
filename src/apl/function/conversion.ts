import { ANY, optional, parameter, type Signature } from './signature.js'

/** Functions that convert a value to another type. */
export const CONVERSION_FUNCTIONS = {
  dynamic_to_json: {
    parameters: [parameter('value', ...ANY)],
    result: 'string',
    summary: 'the JSON text of an array or object, with sorted keys; any other value as a string',
    example: 'print dynamic_to_json(dynamic({"b": 2, "a": 1})) // "{\\"a\\":1,\\"b\\":2}"',
  },
  toarray: {
    parameters: [parameter('value', ...ANY)],
    result: 'dynamic',
    summary:
      'the array itself, the values of an object, or any other value as the only element; empty for null',
    example: 'print toarray("api") // ["api"]',
  },
  tobool: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'the value as a boolean; null if it is not one',
    example: 'print tobool("true") // true',
  },
  todatetime: {
    parameters: [parameter('value', ...ANY)],
    result: 'datetime',
    summary: 'the value as a time; numbers are nanoseconds since 1970; null if it is not one',
    example: 'print todatetime("2026-01-31") // "2026-01-31T00:00:00Z"',
  },
  todouble: {
    parameters: [parameter('value', ...ANY)],
    result: 'real',
    summary: 'the value as a real number; null if it is not one',
    example: 'print todouble("1.5") // 1.5',
  },
  todynamic: {
    parameters: [parameter('text', 'string')],
    result: 'dynamic',
    summary: 'the value of a JSON text; null if it is not JSON',
    example: 'print todynamic("[1, 2]") // [1,2]',
  },
  tohex: {
    parameters: [parameter('value', 'int', 'real', 'string'), optional('minLength', 'int')],
    result: 'string',
    summary: 'the integer in hexadecimal digits, padded with zeros; null if it is not one',
    example: 'print tohex(255, 4) // "00ff"',
  },
  toint: {
    parameters: [parameter('value', ...ANY)],
    result: 'int',
    summary: 'the value as an integer, truncated; null if it is not a number',
    example: 'print toint("42") // 42',
  },
  tostring: {
    parameters: [parameter('value', ...ANY)],
    result: 'string',
    summary: 'the value as a string; empty for null',
    example: 'print tostring(42) // "42"',
  },
  totimespan: {
    parameters: [parameter('value', ...ANY)],
    result: 'timespan',
    summary:
      'the value as a timespan: `"1m20s"`, or a number of nanoseconds; null if it is not one',
    example: 'print totimespan("1m20s") > 1m // true',
  },
} satisfies Record<string, Signature>
