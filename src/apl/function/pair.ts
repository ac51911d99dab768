import { type Signature, signature } from './signature.js'

/** Functions on a key and a value with a separator between them: `env:prod`. */
export const PAIR_FUNCTIONS = {
  find_pair: signature(
    'array: dynamic, key: string, value: string, [separator: string]',
    'dynamic',
  )(
    'the first pair of an array whose key and value match two patterns with `*`; null if there is none',
    'print find_pair(dynamic(["env:prod", "region:eu"]), "region", "*").value // "eu"',
  ),
  pair: signature('key, value, [separator: string]', 'dynamic')(
    'an object of key, separator and value',
    'print pair("env", "prod").key // "env"',
  ),
  parse_pair: signature('text: string, [separator: string]', 'dynamic')(
    'an object of the text before and after the first separator; without one, everything is the value',
    'print parse_pair("env:prod").value // "prod"',
  ),
} satisfies Record<string, Signature>
