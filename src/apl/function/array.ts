import type { Type } from '../type.js'
import {
  ANY,
  constant,
  NUMBER,
  optional,
  parameter,
  repeated,
  type Signature,
  signature,
  VALUE,
} from './signature.js'

const ARRAY = parameter('array', 'dynamic')
/** The part of the array that is searched, and which of several matches counts. */
const WITHIN = ['start', 'length', 'occurrence'].map((name) => optional(name, 'int'))
const COUNT = parameter('count', 'int')
const RANGED: readonly Type[] = ['int', 'real', 'datetime', 'timespan']
const STEP = optional('step', ...NUMBER)

const ofArray = signature([ARRAY], 'dynamic')

export const ARRAY_FUNCTIONS = {
  array_concat: signature([repeated('array', 'dynamic')], 'dynamic')(
    'the elements of all the arrays, one array after another',
    'print array_concat(dynamic([1, 2]), dynamic([3])) // [1,2,3]',
  ),
  array_extract: signature([ARRAY, constant('path', 'string')], 'dynamic')(
    'what a JSON path finds, always as an array; numbers and booleans as strings',
    'print array_extract(dynamic([{"id": "a"}, {"id": "b"}]), "$[*].id") // ["a","b"]',
  ),
  array_iff: signature(
    [parameter('conditions', 'dynamic'), parameter('then', ...ANY), parameter('else', ...ANY)],
    'dynamic',
  )(
    'for each condition, the element of the second argument where it is true, otherwise of the third; a single value applies to all',
    'print array_iff(dynamic([true, false]), "yes", "no") // ["yes","no"]',
  ),
  array_index_of: signature([ARRAY, VALUE, ...WITHIN], 'int')(
    'the position, from 0, of the first element that equals the value; -1 when there is none',
    'print array_index_of(dynamic(["a", "b", "c"]), "b") // 1',
  ),
  array_length: signature([ARRAY], 'int')(
    'the number of elements; null unless the value is an array',
    'print array_length(dynamic([1, 2, 3])) // 3',
  ),
  array_reverse: ofArray(
    'the elements in reverse order',
    'print array_reverse(dynamic([1, 2, 3])) // [3,2,1]',
  ),
  array_rotate_left: signature([ARRAY, COUNT], 'dynamic')(
    'the array with its first elements moved to the end',
    'print array_rotate_left(dynamic([1, 2, 3]), 1) // [2,3,1]',
  ),
  array_rotate_right: signature([ARRAY, COUNT], 'dynamic')(
    'the array with its last elements moved to the start',
    'print array_rotate_right(dynamic([1, 2, 3]), 1) // [3,1,2]',
  ),
  array_select_dict: signature([ARRAY, parameter('key', 'string'), VALUE], 'dynamic')(
    'the first object whose member of that key equals the value; null when there is none',
    'print array_select_dict(dynamic([{"k": 1, "v": "x"}, {"k": 2, "v": "y"}]), "k", 2) // {"k":2,"v":"y"}',
  ),
  array_shift_left: signature([ARRAY, optional('count', 'int')], 'dynamic')(
    'the array without its first elements, padded with nulls at the end',
    'print array_shift_left(dynamic([1, 2, 3]), 1) // [2,3,null]',
  ),
  array_shift_right: signature([ARRAY, optional('count', 'int')], 'dynamic')(
    'the array without its last elements, padded with nulls at the start',
    'print array_shift_right(dynamic([1, 2, 3]), 1) // [null,1,2]',
  ),
  array_slice: signature([ARRAY, parameter('start', 'int'), parameter('end', 'int')], 'dynamic')(
    'the elements from one position up to another, exclusive; negative positions count from the end',
    'print array_slice(dynamic([1, 2, 3, 4]), 1, 3) // [2,3]',
  ),
  array_sort_asc: ofArray(
    'the elements in ascending order: numbers, then strings, then the rest, nulls last',
    'print array_sort_asc(dynamic([3, 1, 2])) // [1,2,3]',
  ),
  array_sort_desc: ofArray(
    'the elements in descending order, nulls last',
    'print array_sort_desc(dynamic([3, 1, 2])) // [3,2,1]',
  ),
  array_split: signature([ARRAY, parameter('index', 'int', 'dynamic')], 'dynamic')(
    'the array split before a position, or before each of an array of positions',
    'print array_split(dynamic([1, 2, 3]), 1) // [[1],[2,3]]',
  ),
  array_sum: ofArray(
    'the sum of the numbers in the array; null when there are none',
    'print array_sum(dynamic([1, 2, 3])) // 6',
  ),
  isarray: signature([VALUE], 'bool')(
    'true if the value is an array',
    'print isarray(dynamic([1])) // true',
  ),
  len: signature([parameter('value', 'string', 'dynamic')], 'int')(
    'the number of characters of a string, or of elements of an array',
    'print len(dynamic([1, 2, 3])) // 3',
  ),
  pack_array: signature([repeated('value', ...ANY)], 'dynamic')(
    'an array of the values; `*` stands for all columns',
    'print pack_array("a", "b") // ["a","b"]',
  ),
  range: signature([parameter('start', ...RANGED), parameter('stop', ...RANGED), STEP], 'dynamic')(
    'the values from start to end, inclusive; the default step is 1 for numbers and an hour for times; at most 1,048,576',
    'print range(1, 9, 3) // [1,4,7]',
  ),
  strcat_array: signature([ARRAY, optional('delimiter', 'string')], 'string')(
    'the elements as one string, joined by the delimiter',
    'print strcat_array(dynamic(["a", "b"]), "-") // "a-b"',
  ),
} satisfies Record<string, Signature>
