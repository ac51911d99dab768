import { type Signature, signature } from './signature.js'

export const CONVERSION_FUNCTIONS = {
  dynamic_to_json: signature('value', 'string')(
    'the JSON text of an array or object, with sorted keys; any other value as a string',
    'print dynamic_to_json(dynamic({"b": 2, "a": 1})) // "{\\"a\\":1,\\"b\\":2}"',
  ),
  toarray: signature('value', 'dynamic')(
    'the array itself, the values of an object, or any other value as the only element; empty for null',
    'print toarray("api") // ["api"]',
  ),
  tobool: signature('value', 'bool')(
    'the value as a boolean; null if it is not one',
    'print tobool("true") // true',
  ),
  todatetime: signature('value', 'datetime')(
    'the value as a time; the day precedes the month in `03/04/2026`; numbers are nanoseconds since 1970; null if it is not one',
    'print todatetime("03/04/2026") // "2026-04-03T00:00:00Z"',
  ),
  todouble: signature('value', 'real')(
    'the value as a real number; null if it is not one',
    'print todouble("1.5") // 1.5',
  ),
  todynamic: signature('text: string', 'dynamic')(
    'the value of a JSON text; null if it is not JSON',
    'print todynamic("[1, 2]") // [1,2]',
  ),
  tohex: signature('value: int|real|string, [minLength: int]', 'string')(
    'the integer in hexadecimal digits, padded with zeros; null if it is not one',
    'print tohex(255, 4) // "00ff"',
  ),
  toint: signature('value', 'int')(
    'the value as an integer, truncated; null if it is not a number',
    'print toint("42") // 42',
  ),
  tostring: signature('value', 'string')(
    'the value as a string; empty for null',
    'print tostring(42) // "42"',
  ),
  totimespan: signature('value', 'timespan')(
    'the value as a timespan: `"1m20s"`, or a number of nanoseconds; null if it is not one',
    'print totimespan("1m20s") > 1m // true',
  ),
} satisfies Record<string, Signature>
