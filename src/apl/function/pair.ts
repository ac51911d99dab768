import { ANY, optional, parameter, type Signature } from './signature.js'

/** Functions on a key and a value with a separator between them: `env:prod`. */
export const PAIR_FUNCTIONS = {
  find_pair: {
    parameters: [
      parameter('array', 'dynamic'),
      parameter('key', 'string'),
      parameter('value', 'string'),
      optional('separator', 'string'),
    ],
    result: 'dynamic',
    summary:
      'the first pair of an array whose key and value match two patterns with `*`; null if there is none',
    example: 'print find_pair(dynamic(["env:prod", "region:eu"]), "region", "*").value // "eu"',
  },
  pair: {
    parameters: [
      parameter('key', ...ANY),
      parameter('value', ...ANY),
      optional('separator', 'string'),
    ],
    result: 'dynamic',
    summary: 'an object of key, separator and value',
    example: 'print pair("env", "prod").key // "env"',
  },
  parse_pair: {
    parameters: [parameter('text', 'string'), optional('separator', 'string')],
    result: 'dynamic',
    summary:
      'an object of the text before and after the first separator; without one, everything is the value',
    example: 'print parse_pair("env:prod").value // "prod"',
  },
} satisfies Record<string, Signature>
