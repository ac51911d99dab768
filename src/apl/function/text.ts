import { ANY, common, type Signature } from './signature.js'

/** Functions on strings. */
export const TEXT_FUNCTIONS = {
  coalesce: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the first value that is neither null nor an empty string',
    example: 'print coalesce("", "api") // "api"',
  },
  reverse: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the characters in reverse order',
    example: 'print reverse("abc") // "cba"',
  },
  strcat: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: 'string',
    summary: 'the values as one string; null adds nothing',
    example: 'print strcat("GET", " ", "/cart") // "GET /cart"',
  },
  strcat_delim: {
    parameters: [
      { name: 'delimiter', accepts: ['string'] },
      { name: 'value, …', accepts: ANY, repeated: true },
    ],
    result: 'string',
    summary: 'the values as one string, joined by a delimiter; null is the empty string',
    example: 'print strcat_delim("-", 2026, "a", "b") // "2026-a-b"',
  },
  strcmp: {
    parameters: [
      { name: 'a', accepts: ['string'] },
      { name: 'b', accepts: ['string'] },
    ],
    result: 'int',
    summary: '-1, 0 or 1: the first string sorts before, equals or sorts after the second',
    example: 'print strcmp("a", "b") // -1',
  },
  string_size: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'int',
    summary: 'the length in bytes',
    example: 'print string_size("été") // 5',
  },
  strlen: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'int',
    summary: 'the length in characters (code points)',
    example: 'print strlen("été") // 3',
  },
  strrep: {
    parameters: [
      { name: 'value', accepts: ANY },
      { name: 'times', accepts: ['int'] },
      { name: 'delimiter', accepts: ['string'], optional: true },
    ],
    result: 'string',
    summary: 'the value as a string, repeated up to 1,024 times',
    example: 'print strrep("ab", 3, "-") // "ab-ab-ab"',
  },
  substring: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'start', accepts: ['int'] },
      { name: 'length', accepts: ['int'], optional: true },
    ],
    result: 'string',
    summary: 'the characters from a position, from 0',
    example: 'print substring("checkout", 5, 2) // "ou"',
  },
  tolower: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string in lower case',
    example: 'print tolower("WARN") // "warn"',
  },
  totitle: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string with its first character in upper case',
    example: 'print totitle("warning") // "Warning"',
  },
  toupper: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string in upper case',
    example: 'print toupper("get") // "GET"',
  },
} satisfies Record<string, Signature>
