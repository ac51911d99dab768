import { ANY, type Signature } from './signature.js'

/** Functions on arrays as sets; elements keep the order of their first occurrence. */
export const SET_FUNCTIONS = {
  set_difference: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'other', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the distinct elements of the first array that are not in the second',
  },
  set_has_element: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'value', accepts: ANY },
    ],
    result: 'bool',
    summary: 'true if the array has an element that equals the value',
  },
  set_intersect: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'other', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the distinct elements that are in both arrays, in the order of the first',
  },
  set_union: {
    parameters: [
      { name: 'set', accepts: ['dynamic'] },
      { name: 'other', accepts: ['dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the distinct elements of both arrays',
  },
} satisfies Record<string, Signature>
