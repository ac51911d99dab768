import type { Signature } from '../signature.js'

/** Functions on arrays and objects. */
export const ARRAY_FUNCTIONS = {
  array_length: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'int',
    summary: 'the number of elements; null for anything but an array',
  },
} satisfies Record<string, Signature>
