import { type Signature, signature } from './signature.js'

const ofSets = signature('set: dynamic, other: dynamic', 'dynamic')

/** Functions on arrays as sets; elements keep the order of their first occurrence. */
export const SET_FUNCTIONS = {
  set_difference: ofSets(
    'the distinct elements of the first array that are not in the second',
    'print set_difference(dynamic([1, 2, 3]), dynamic([2])) // [1,3]',
  ),
  set_has_element: signature('set: dynamic, value', 'bool')(
    'true if the array has an element that equals the value',
    'print set_has_element(dynamic([1, 2, 3]), 2) // true',
  ),
  set_intersect: ofSets(
    'the distinct elements that are in both arrays, in the order of the first',
    'print set_intersect(dynamic([1, 2, 3]), dynamic([3, 1])) // [1,3]',
  ),
  set_union: ofSets(
    'the distinct elements of both arrays',
    'print set_union(dynamic([1, 2]), dynamic([2, 3])) // [1,2,3]',
  ),
} satisfies Record<string, Signature>
