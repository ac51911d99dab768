import {
  ANY,
  common,
  optional,
  parameter,
  repeated,
  type Signature,
  signatures,
} from './signature.js'

const ofText = signatures([parameter('text', 'string')], 'string')

/** Functions on strings. */
export const TEXT_FUNCTIONS = {
  coalesce: {
    parameters: [repeated('value', ...ANY)],
    result: common,
    summary: 'the first value that is neither null nor an empty string',
    example: 'print coalesce("", "api") // "api"',
  },
  reverse: ofText('the characters in reverse order', 'print reverse("abc") // "cba"'),
  strcat: {
    parameters: [repeated('value', ...ANY)],
    result: 'string',
    summary: 'the values as one string; null adds nothing',
    example: 'print strcat("GET", " ", "/cart") // "GET /cart"',
  },
  strcat_delim: {
    parameters: [parameter('delimiter', 'string'), repeated('value, …', ...ANY)],
    result: 'string',
    summary: 'the values as one string, joined by a delimiter; null is the empty string',
    example: 'print strcat_delim("-", 2026, "a", "b") // "2026-a-b"',
  },
  strcmp: {
    parameters: [parameter('a', 'string'), parameter('b', 'string')],
    result: 'int',
    summary: '-1, 0 or 1: the first string sorts before, equals or sorts after the second',
    example: 'print strcmp("a", "b") // -1',
  },
  string_size: {
    parameters: [parameter('text', 'string')],
    result: 'int',
    summary: 'the length in bytes',
    example: 'print string_size("été") // 5',
  },
  strlen: {
    parameters: [parameter('text', 'string')],
    result: 'int',
    summary: 'the length in characters (code points)',
    example: 'print strlen("été") // 3',
  },
  strrep: {
    parameters: [
      parameter('value', ...ANY),
      parameter('times', 'int'),
      optional('delimiter', 'string'),
    ],
    result: 'string',
    summary: 'the value as a string, repeated up to 1,024 times',
    example: 'print strrep("ab", 3, "-") // "ab-ab-ab"',
  },
  substring: {
    parameters: [
      parameter('source', 'string'),
      parameter('start', 'int'),
      optional('length', 'int'),
    ],
    result: 'string',
    summary: 'the characters from a position, from 0',
    example: 'print substring("checkout", 5, 2) // "ou"',
  },
  tolower: ofText('the string in lower case', 'print tolower("WARN") // "warn"'),
  totitle: ofText(
    'the string with its first character in upper case',
    'print totitle("warning") // "Warning"',
  ),
  toupper: ofText('the string in upper case', 'print toupper("get") // "GET"'),
} satisfies Record<string, Signature>
