import { constant, optional, parameter, REGEX, type Signature } from './signature.js'

/** Functions that search in strings. */
export const SEARCH_FUNCTIONS = {
  countof: {
    parameters: [parameter('search', 'string'), parameter('text', 'string')],
    result: 'int',
    summary: 'the number of occurrences of a string in another, without overlaps',
    example: 'print countof("/", "/api/cart/1") // 3',
  },
  countof_regex: {
    parameters: [REGEX, parameter('text', 'string')],
    result: 'int',
    summary: 'the number of matches of a regular expression, without overlaps',
    example: 'print countof_regex("[0-9]+", "10 of 200 in 3 s") // 3',
  },
  extract: {
    parameters: [REGEX, parameter('group', 'int'), parameter('text', 'string')],
    result: 'string',
    summary: 'the capture group of the first match; group 0 is the whole match',
    example: 'print extract("took ([0-9]+) ms", 1, "took 312 ms") // "312"',
  },
  extract_all: {
    parameters: [REGEX, constant('groups', 'dynamic'), parameter('text', 'string')],
    result: 'dynamic',
    summary:
      'the capture groups of every match, as an array; an array of arrays for several groups',
    example:
      'print extract_all("([a-z]+)=([0-9]+)", dynamic([1, 2]), "a=1 b=2") // [["a","1"],["b","2"]]',
  },
  indexof: {
    parameters: [
      parameter('source', 'string'),
      parameter('lookup', 'string'),
      optional('start', 'int'),
      optional('length', 'int'),
      optional('occurrence', 'int'),
    ],
    result: 'int',
    summary:
      'the position, from 0, of an occurrence; -1 if there is none; a negative start counts from the end',
    example: 'print indexof("/api/cart", "/", 1) // 4',
  },
  indexof_regex: {
    parameters: [
      parameter('source', 'string'),
      REGEX,
      optional('start', 'int'),
      optional('occurrence', 'int'),
      optional('length', 'int'),
    ],
    result: 'int',
    summary: 'the position, from 0, of a match; -1 if there is none; null for a negative start',
    example: 'print indexof_regex("took 312 ms", "[0-9]") // 5',
  },
  regex_quote: {
    parameters: [parameter('text', 'string')],
    result: 'string',
    summary: 'a regular expression that matches exactly the string',
    example: 'print regex_quote("a.b") // "a\\\\.b"',
  },
  replace_regex: {
    parameters: [REGEX, parameter('rewrite', 'string'), parameter('text', 'string')],
    result: 'string',
    summary: 'the string with every match replaced; `$1` in the replacement is the first group',
    example: 'print replace_regex("[0-9]+", "#", "job 12 of 40") // "job # of #"',
  },
  replace_string: {
    parameters: [
      parameter('lookup', 'string'),
      parameter('rewrite', 'string'),
      parameter('text', 'string'),
    ],
    result: 'string',
    summary: 'the string with every occurrence replaced',
    example: 'print replace_string(",", ".", "1,5") // "1.5"',
  },
  split: {
    parameters: [parameter('source', 'string'), parameter('delimiter', 'string')],
    result: 'dynamic',
    summary: 'the parts between delimiters, as an array',
    example: 'print split("a,b,c", ",") // ["a","b","c"]',
  },
  strip_ansi_escapes: {
    parameters: [parameter('text', 'string')],
    result: 'string',
    summary: 'the string without ANSI escape sequences',
    example: 'print strip_ansi_escapes("plain") // "plain"',
  },
  translate: {
    parameters: [
      parameter('search', 'string'),
      parameter('replacement', 'string'),
      parameter('source', 'string'),
    ],
    result: 'string',
    summary:
      'the string with each character of one list replaced by the one at the same position of the other; a shorter list repeats its last character',
    example: 'print translate("abc", "xyz", "cab") // "zxy"',
  },
} satisfies Record<string, Signature>
