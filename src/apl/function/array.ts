import type { Type } from '../type.js'
import { ANY, NUMBER, type Signature } from './signature.js'

const RANGED: readonly Type[] = ['int', 'real', 'datetime', 'timespan']

/** Functions on arrays. */
export const ARRAY_FUNCTIONS = {
  array_concat: {
    parameters: [{ name: 'array', accepts: ['dynamic'], repeated: true }],
    result: 'dynamic',
    summary: 'the elements of all the arrays, one array after another',
  },
  array_extract: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'path', accepts: ['string'], constant: true },
    ],
    result: 'dynamic',
    summary: 'what a JSON path finds, always as an array; numbers and booleans as strings',
  },
  array_iff: {
    parameters: [
      { name: 'conditions', accepts: ['dynamic'] },
      { name: 'then', accepts: ANY },
      { name: 'else', accepts: ANY },
    ],
    result: 'dynamic',
    summary:
      'for each condition, the element of the second argument where it is true, otherwise of the third; a single value applies to all',
  },
  array_index_of: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'value', accepts: ANY },
      { name: 'start', accepts: ['int'], optional: true },
      { name: 'length', accepts: ['int'], optional: true },
      { name: 'occurrence', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary:
      'the position, from 0, of the first element that equals the value; -1 when there is none',
  },
  array_length: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'int',
    summary: 'the number of elements; null unless the value is an array',
  },
  array_reverse: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary: 'the elements in reverse order',
  },
  array_rotate_left: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'count', accepts: ['int'] },
    ],
    result: 'dynamic',
    summary: 'the array with its first elements moved to the end',
  },
  array_rotate_right: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'count', accepts: ['int'] },
    ],
    result: 'dynamic',
    summary: 'the array with its last elements moved to the start',
  },
  array_select_dict: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'key', accepts: ['string'] },
      { name: 'value', accepts: ANY },
    ],
    result: 'dynamic',
    summary: 'the first object whose member of that key equals the value; null when there is none',
  },
  array_shift_left: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'count', accepts: ['int'], optional: true },
    ],
    result: 'dynamic',
    summary: 'the array without its first elements, padded with nulls at the end',
  },
  array_shift_right: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'count', accepts: ['int'], optional: true },
    ],
    result: 'dynamic',
    summary: 'the array without its last elements, padded with nulls at the start',
  },
  array_slice: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'start', accepts: ['int'] },
      { name: 'end', accepts: ['int'] },
    ],
    result: 'dynamic',
    summary:
      'the elements from one position up to another, exclusive; negative positions count from the end',
  },
  array_sort_asc: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary: 'the elements in ascending order: numbers, then strings, then the rest, nulls last',
  },
  array_sort_desc: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary: 'the elements in descending order, nulls last',
  },
  array_split: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'index', accepts: ['int', 'dynamic'] },
    ],
    result: 'dynamic',
    summary: 'the array split before a position, or before each of an array of positions',
  },
  array_sum: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'dynamic',
    summary: 'the sum of the numbers in the array; null when there are none',
  },
  isarray: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true if the value is an array',
  },
  len: {
    parameters: [{ name: 'value', accepts: ['string', 'dynamic'] }],
    result: 'int',
    summary: 'the number of characters of a string, or of elements of an array',
  },
  pack_array: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: 'dynamic',
    summary: 'an array of the values; `*` stands for all columns',
  },
  range: {
    parameters: [
      { name: 'start', accepts: RANGED },
      { name: 'stop', accepts: RANGED },
      { name: 'step', accepts: NUMBER, optional: true },
    ],
    result: 'dynamic',
    summary:
      'the values from start to end, inclusive; the default step is 1 for numbers and an hour for times; at most 1,048,576',
  },
  strcat_array: {
    parameters: [
      { name: 'array', accepts: ['dynamic'] },
      { name: 'delimiter', accepts: ['string'], optional: true },
    ],
    result: 'string',
    summary: 'the elements as one string, joined by the delimiter',
  },
} satisfies Record<string, Signature>
