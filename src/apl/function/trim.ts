import { parameter, REGEX, type Signature } from './signature.js'

/** Functions that trim strings. */
export const TRIM_FUNCTIONS = {
  trim: {
    parameters: [parameter('cutset', 'string'), parameter('source', 'string')],
    result: 'string',
    summary: 'the string without the characters of the cutset at either end',
    example: 'print trim("/", "/cart/") // "cart"',
  },
  trim_end: {
    parameters: [parameter('cutset', 'string'), parameter('source', 'string')],
    result: 'string',
    summary: 'the string without the characters of the cutset at its end',
    example: 'print trim_end("/", "/cart/") // "/cart"',
  },
  trim_end_regex: {
    parameters: [REGEX, parameter('source', 'string')],
    result: 'string',
    summary: 'the string without the matches at its end',
    example: 'print trim_end_regex("[0-9]+", "host42") // "host"',
  },
  trim_regex: {
    parameters: [REGEX, parameter('source', 'string')],
    result: 'string',
    summary: 'the string without the matches at either end',
    example: 'print trim_regex("[^a-z]+", "--api--") // "api"',
  },
  trim_space: {
    parameters: [parameter('source', 'string')],
    result: 'string',
    summary: 'the string without white space at either end',
    example: 'print trim_space("  api ") // "api"',
  },
  trim_start: {
    parameters: [parameter('cutset', 'string'), parameter('source', 'string')],
    result: 'string',
    summary: 'the string without the characters of the cutset at its start',
    example: 'print trim_start("/", "/cart/") // "cart/"',
  },
  trim_start_regex: {
    parameters: [REGEX, parameter('source', 'string')],
    result: 'string',
    summary: 'the string without the matches at its start',
    example: 'print trim_start_regex("[0-9]+ ", "42 failed") // "failed"',
  },
} satisfies Record<string, Signature>
