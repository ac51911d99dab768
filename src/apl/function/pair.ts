import { ANY, type Signature } from '../signature.js'

/** Functions on a key and a value with a separator between them: `env:prod`. */
export const PAIR_FUNCTIONS = {
  find_pair: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'key', accepts: ['string'] },
      { name: 'value', accepts: ['string'] },
      { name: 'separator', accepts: ['string'], optional: true },
    ],
    result: 'dynamic',
    summary:
      'the first pair of an array whose key and value fit two patterns with `*`; null when there is none',
  },
  pair: {
    parameters: [
      { name: 'key', accepts: ANY },
      { name: 'value', accepts: ANY },
      { name: 'separator', accepts: ['string'], optional: true },
    ],
    result: 'dynamic',
    summary: 'an object of key, separator and value',
  },
  parse_pair: {
    parameters: [
      { name: 'text', accepts: ['string'] },
      { name: 'separator', accepts: ['string'], optional: true },
    ],
    result: 'dynamic',
    summary:
      'an object of what stands before the first separator and behind it; without one, all is the value',
  },
} satisfies Record<string, Signature>
