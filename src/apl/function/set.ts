import { ANY, type Signature } from '../signature.js'

/** Functions on arrays taken as sets; elements keep the order in which they first appear. */
export const SET_FUNCTIONS = {
  set_difference: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'other', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the elements of the first array that are not in the second, each once',
  },
  set_has_element: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'value', accepts: ANY },
    ],
    result: 'bool',
    summary: 'true for an array with an element that equals the value',
  },
  set_intersect: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'other', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the elements that are in both arrays, each once, in the order of the first',
  },
  set_union: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'other', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the elements of both arrays, each once',
  },
} satisfies Record<string, Signature>
