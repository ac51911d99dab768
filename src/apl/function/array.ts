import { type Signature, signature } from './signature.js'

const ofArray = signature('array: dynamic', 'dynamic')

export const ARRAY_FUNCTIONS = {
  array_concat: signature('array: dynamic, …', 'dynamic')(
    'the elements of all the arrays, one array after another',
    'print array_concat(dynamic([1, 2]), dynamic([3])) // [1,2,3]',
  ),
  array_extract: signature('array: dynamic, const path: string', 'dynamic')(
    'what a JSON path finds, always as an array; numbers and booleans as strings',
    'print array_extract(dynamic([{"id": "a"}, {"id": "b"}]), "$[*].id") // ["a","b"]',
  ),
  array_iff: signature('conditions: dynamic, then, else', 'dynamic')(
    'for each condition, the element of the second argument where it is true, otherwise of the third; a single value applies to all',
    'print array_iff(dynamic([true, false]), "yes", "no") // ["yes","no"]',
  ),
  array_index_of: signature(
    'array: dynamic, value, [start: int], [length: int], [occurrence: int]',
    'int',
  )(
    'the position, from 0, of the first element that equals the value; -1 when there is none',
    'print array_index_of(dynamic(["a", "b", "c"]), "b") // 1',
  ),
  array_length: signature('array: dynamic', 'int')(
    'the number of elements; null unless the value is an array',
    'print array_length(dynamic([1, 2, 3])) // 3',
  ),
  array_reverse: ofArray(
    'the elements in reverse order',
    'print array_reverse(dynamic([1, 2, 3])) // [3,2,1]',
  ),
  array_rotate_left: signature('array: dynamic, count: int', 'dynamic')(
    'the array with its first elements moved to the end',
    'print array_rotate_left(dynamic([1, 2, 3]), 1) // [2,3,1]',
  ),
  array_rotate_right: signature('array: dynamic, count: int', 'dynamic')(
    'the array with its last elements moved to the start',
    'print array_rotate_right(dynamic([1, 2, 3]), 1) // [3,1,2]',
  ),
  array_select_dict: signature('array: dynamic, key: string, value', 'dynamic')(
    'the first object whose member of that key equals the value; null when there is none',
    'print array_select_dict(dynamic([{"k": 1, "v": "x"}, {"k": 2, "v": "y"}]), "k", 2) // {"k":2,"v":"y"}',
  ),
  array_shift_left: signature('array: dynamic, [count: int]', 'dynamic')(
    'the array without its first elements, padded with nulls at the end',
    'print array_shift_left(dynamic([1, 2, 3]), 1) // [2,3,null]',
  ),
  array_shift_right: signature('array: dynamic, [count: int]', 'dynamic')(
    'the array without its last elements, padded with nulls at the start',
    'print array_shift_right(dynamic([1, 2, 3]), 1) // [null,1,2]',
  ),
  array_slice: signature('array: dynamic, start: int, end: int', 'dynamic')(
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
  array_split: signature('array: dynamic, index: int|dynamic', 'dynamic')(
    'the array split before a position, or before each of an array of positions',
    'print array_split(dynamic([1, 2, 3]), 1) // [[1],[2,3]]',
  ),
  array_sum: ofArray(
    'the sum of the numbers in the array; null when there are none',
    'print array_sum(dynamic([1, 2, 3])) // 6',
  ),
  isarray: signature('value', 'bool')(
    'true if the value is an array',
    'print isarray(dynamic([1])) // true',
  ),
  len: signature('value: string|dynamic', 'int')(
    'the number of characters of a string, or of elements of an array',
    'print len(dynamic([1, 2, 3])) // 3',
  ),
  pack_array: signature('value, …', 'dynamic')(
    'an array of the values; `*` stands for all columns',
    'print pack_array("a", "b") // ["a","b"]',
  ),
  range: signature(
    'start: int|real|datetime|timespan, stop: int|real|datetime|timespan, [step: int|real|timespan]',
    'dynamic',
  )(
    'the values from start to end, inclusive; the default step is 1 for numbers and an hour for times; at most 1,048,576',
    'print range(1, 9, 3) // [1,4,7]',
  ),
  strcat_array: signature('array: dynamic, [delimiter: string]', 'string')(
    'the elements as one string, joined by the delimiter',
    'print strcat_array(dynamic(["a", "b"]), "-") // "a-b"',
  ),
} satisfies Record<string, Signature>
