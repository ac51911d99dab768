import {
  constant,
  optional,
  parameter,
  REGEX,
  type Signature,
  signature,
  TEXT,
} from './signature.js'

const SOURCE = parameter('source', 'string')
const LOOKUP = parameter('lookup', 'string')
const REWRITE = parameter('rewrite', 'string')
const START = optional('start', 'int')
const LENGTH = optional('length', 'int')
const OCCURRENCE = optional('occurrence', 'int')

export const SEARCH_FUNCTIONS = {
  countof: signature([parameter('search', 'string'), TEXT], 'int')(
    'the number of occurrences of a string in another, without overlaps',
    'print countof("/", "/api/cart/1") // 3',
  ),
  countof_regex: signature([REGEX, TEXT], 'int')(
    'the number of matches of a regular expression, without overlaps',
    'print countof_regex("[0-9]+", "10 of 200 in 3 s") // 3',
  ),
  extract: signature([REGEX, parameter('group', 'int'), TEXT], 'string')(
    'the capture group of the first match; group 0 is the whole match',
    'print extract("took ([0-9]+) ms", 1, "took 312 ms") // "312"',
  ),
  extract_all: signature([REGEX, constant('groups', 'dynamic'), TEXT], 'dynamic')(
    'the capture groups of every match, as an array; an array of arrays for several groups',
    'print extract_all("([a-z]+)=([0-9]+)", dynamic([1, 2]), "a=1 b=2") // [["a","1"],["b","2"]]',
  ),
  indexof: signature([SOURCE, LOOKUP, START, LENGTH, OCCURRENCE], 'int')(
    'the position, from 0, of an occurrence; -1 if there is none; a negative start counts from the end',
    'print indexof("/api/cart", "/", 1) // 4',
  ),
  indexof_regex: signature([SOURCE, REGEX, START, OCCURRENCE, LENGTH], 'int')(
    'the position, from 0, of a match; -1 if there is none; null for a negative start',
    'print indexof_regex("took 312 ms", "[0-9]") // 5',
  ),
  regex_quote: signature([TEXT], 'string')(
    'a regular expression that matches exactly the string',
    'print regex_quote("a.b") // "a\\\\.b"',
  ),
  replace_regex: signature([REGEX, REWRITE, TEXT], 'string')(
    'the string with every match replaced; `$1` in the replacement is the first group',
    'print replace_regex("[0-9]+", "#", "job 12 of 40") // "job # of #"',
  ),
  replace_string: signature([LOOKUP, REWRITE, TEXT], 'string')(
    'the string with every occurrence replaced',
    'print replace_string(",", ".", "1,5") // "1.5"',
  ),
  split: signature([SOURCE, parameter('delimiter', 'string')], 'dynamic')(
    'the parts between delimiters, as an array',
    'print split("a,b,c", ",") // ["a","b","c"]',
  ),
  strip_ansi_escapes: signature([TEXT], 'string')(
    'the string without ANSI escape sequences',
    'print strip_ansi_escapes("plain") // "plain"',
  ),
  translate: signature(
    [parameter('search', 'string'), parameter('replacement', 'string'), SOURCE],
    'string',
  )(
    'the string with each character of one list replaced by the one at the same position of the other; a shorter list repeats its last character',
    'print translate("abc", "xyz", "cab") // "zxy"',
  ),
} satisfies Record<string, Signature>
