import type { Type } from '../type.js'
import {
  ANY,
  constant,
  NUMBER,
  optional,
  parameter,
  repeated,
  type Signature,
  signatures,
} from './signature.js'

const RANGED: readonly Type[] = ['int', 'real', 'datetime', 'timespan']

const ofArray = signatures([parameter('array', 'dynamic')], 'dynamic')

/** Functions on arrays. */
export const ARRAY_FUNCTIONS = {
  array_concat: {
    parameters: [repeated('array', 'dynamic')],
    result: 'dynamic',
    summary: 'the elements of all the arrays, one array after another',
    example: 'print array_concat(dynamic([1, 2]), dynamic([3])) // [1,2,3]',
  },
  array_extract: {
    parameters: [parameter('array', 'dynamic'), constant('path', 'string')],
    result: 'dynamic',
    summary: 'what a JSON path finds, always as an array; numbers and booleans as strings',
    example: 'print array_extract(dynamic([{"id": "a"}, {"id": "b"}]), "$[*].id") // ["a","b"]',
  },
  array_iff: {
    parameters: [
      parameter('conditions', 'dynamic'),
      parameter('then', ...ANY),
      parameter('else', ...ANY),
    ],
    result: 'dynamic',
    summary:
      'for each condition, the element of the second argument where it is true, otherwise of the third; a single value applies to all',
    example: 'print array_iff(dynamic([true, false]), "yes", "no") // ["yes","no"]',
  },
  array_index_of: {
    parameters: [
      parameter('array', 'dynamic'),
      parameter('value', ...ANY),
      optional('start', 'int'),
      optional('length', 'int'),
      optional('occurrence', 'int'),
    ],
    result: 'int',
    summary:
      'the position, from 0, of the first element that equals the value; -1 when there is none',
    example: 'print array_index_of(dynamic(["a", "b", "c"]), "b") // 1',
  },
  array_length: {
    parameters: [parameter('array', 'dynamic')],
    result: 'int',
    summary: 'the number of elements; null unless the value is an array',
    example: 'print array_length(dynamic([1, 2, 3])) // 3',
  },
  array_reverse: ofArray(
    'the elements in reverse order',
    'print array_reverse(dynamic([1, 2, 3])) // [3,2,1]',
  ),
  array_rotate_left: {
    parameters: [parameter('array', 'dynamic'), parameter('count', 'int')],
    result: 'dynamic',
    summary: 'the array with its first elements moved to the end',
    example: 'print array_rotate_left(dynamic([1, 2, 3]), 1) // [2,3,1]',
  },
  array_rotate_right: {
    parameters: [parameter('array', 'dynamic'), parameter('count', 'int')],
    result: 'dynamic',
    summary: 'the array with its last elements moved to the start',
    example: 'print array_rotate_right(dynamic([1, 2, 3]), 1) // [3,1,2]',
  },
  array_select_dict: {
    parameters: [
      parameter('array', 'dynamic'),
      parameter('key', 'string'),
      parameter('value', ...ANY),
    ],
    result: 'dynamic',
    summary: 'the first object whose member of that key equals the value; null when there is none',
    example:
      'print array_select_dict(dynamic([{"k": 1, "v": "x"}, {"k": 2, "v": "y"}]), "k", 2) // {"k":2,"v":"y"}',
  },
  array_shift_left: {
    parameters: [parameter('array', 'dynamic'), optional('count', 'int')],
    result: 'dynamic',
    summary: 'the array without its first elements, padded with nulls at the end',
    example: 'print array_shift_left(dynamic([1, 2, 3]), 1) // [2,3,null]',
  },
  array_shift_right: {
    parameters: [parameter('array', 'dynamic'), optional('count', 'int')],
    result: 'dynamic',
    summary: 'the array without its last elements, padded with nulls at the start',
    example: 'print array_shift_right(dynamic([1, 2, 3]), 1) // [null,1,2]',
  },
  array_slice: {
    parameters: [parameter('array', 'dynamic'), parameter('start', 'int'), parameter('end', 'int')],
    result: 'dynamic',
    summary:
      'the elements from one position up to another, exclusive; negative positions count from the end',
    example: 'print array_slice(dynamic([1, 2, 3, 4]), 1, 3) // [2,3]',
  },
  array_sort_asc: ofArray(
    'the elements in ascending order: numbers, then strings, then the rest, nulls last',
    'print array_sort_asc(dynamic([3, 1, 2])) // [1,2,3]',
  ),
  array_sort_desc: ofArray(
    'the elements in descending order, nulls last',
    'print array_sort_desc(dynamic([3, 1, 2])) // [3,2,1]',
  ),
  array_split: {
    parameters: [parameter('array', 'dynamic'), parameter('index', 'int', 'dynamic')],
    result: 'dynamic',
    summary: 'the array split before a position, or before each of an array of positions',
    example: 'print array_split(dynamic([1, 2, 3]), 1) // [[1],[2,3]]',
  },
  array_sum: ofArray(
    'the sum of the numbers in the array; null when there are none',
    'print array_sum(dynamic([1, 2, 3])) // 6',
  ),
  isarray: {
    parameters: [parameter('value', ...ANY)],
    result: 'bool',
    summary: 'true if the value is an array',
    example: 'print isarray(dynamic([1])) // true',
  },
  len: {
    parameters: [parameter('value', 'string', 'dynamic')],
    result: 'int',
    summary: 'the number of characters of a string, or of elements of an array',
    example: 'print len(dynamic([1, 2, 3])) // 3',
  },
  pack_array: {
    parameters: [repeated('value', ...ANY)],
    result: 'dynamic',
    summary: 'an array of the values; `*` stands for all columns',
    example: 'print pack_array("a", "b") // ["a","b"]',
  },
  range: {
    parameters: [
      parameter('start', ...RANGED),
      parameter('stop', ...RANGED),
      optional('step', ...NUMBER),
    ],
    result: 'dynamic',
    summary:
      'the values from start to end, inclusive; the default step is 1 for numbers and an hour for times; at most 1,048,576',
    example: 'print range(1, 9, 3) // [1,4,7]',
  },
  strcat_array: {
    parameters: [parameter('array', 'dynamic'), optional('delimiter', 'string')],
    result: 'string',
    summary: 'the elements as one string, joined by the delimiter',
    example: 'print strcat_array(dynamic(["a", "b"]), "-") // "a-b"',
  },
} satisfies Record<string, Signature>
