import { ANY, parameter, type Signature } from './signature.js'

/** Functions that test the type or presence of a value. */
export const TYPE_FUNCTIONS = {
  gettype: {
    parameters: [parameter('value', ...ANY)],
    result: 'string',
    summary:
      'the type of the value: string, long, real, bool, datetime, timespan, array, dictionary or null',
    example: 'print gettype("api") // "string"',
  },
  isascii: {
    parameters: [parameter('text', 'string')],
    result: 'bool',
    summary: 'true if the string has only ASCII characters',
    example: 'print isascii("été") // false',
  },
  isbool: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true if the value is a boolean',
    example: 'print isbool(true) // true',
  },
  iscc: {
    parameters: [parameter('text', 'string')],
    result: 'bool',
    summary: 'true if the string is a credit card number with a valid check digit',
    example: 'print iscc("4111111111111111") // true',
  },
  isempty: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true for null and for the empty string',
    example: 'print isempty("") // true',
  },
  isimei: {
    parameters: [parameter('text', 'string')],
    result: 'bool',
    summary: 'true if the string is an IMEI with a valid check digit',
    example: 'print isimei("490154203237518") // true',
  },
  ismap: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true if the value is an object',
    example: 'print ismap(dynamic({"a": 1})) // true',
  },
  isnotempty: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'false for null and for the empty string',
    example: 'print isnotempty("") // false',
  },
  isnotnull: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'false for null; the empty string is not null',
    example: 'print isnotnull("") // true',
  },
  isnull: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true for null; the empty string is not null',
    example: 'print isnull("") // false',
  },
  isreal: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true if the value is a number',
    example: 'print isreal(1.5) // true',
  },
  isstring: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true if the value is a string',
    example: 'print isstring("api") // true',
  },
  isutf8: {
    parameters: [parameter('text', 'string')],
    result: 'bool',
    summary: 'true if the string is valid UTF-8',
    example: 'print isutf8("été") // true',
  },
} satisfies Record<string, Signature>
