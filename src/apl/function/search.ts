import { type Signature, signature } from './signature.js'

export const SEARCH_FUNCTIONS = {
  countof: signature('search: string, text: string', 'int')(
    'the number of occurrences of a string in another, without overlaps',
    'print countof("/", "/api/cart/1") // 3',
  ),
  countof_regex: signature('regex: regex, text: string', 'int')(
    'the number of matches of a regular expression, without overlaps',
    'print countof_regex("[0-9]+", "10 of 200 in 3 s") // 3',
  ),
  extract: signature('regex: regex, group: int, text: string', 'string')(
    'the capture group of the first match; group 0 is the whole match',
    'print extract("took ([0-9]+) ms", 1, "took 312 ms") // "312"',
  ),
  extract_all: signature('regex: regex, const groups: dynamic, text: string', 'dynamic')(
    'the capture groups of every match, as an array; an array of arrays for several groups',
    'print extract_all("([a-z]+)=([0-9]+)", dynamic([1, 2]), "a=1 b=2") // [["a","1"],["b","2"]]',
  ),
  indexof: signature(
    'source: string, lookup: string, [start: int], [length: int], [occurrence: int]',
    'int',
  )(
    'the position, from 0, of an occurrence; -1 if there is none; a negative start counts from the end',
    'print indexof("/api/cart", "/", 1) // 4',
  ),
  indexof_regex: signature(
    'source: string, regex: regex, [start: int], [occurrence: int], [length: int]',
    'int',
  )(
    'the position, from 0, of a match; -1 if there is none; null for a negative start',
    'print indexof_regex("took 312 ms", "[0-9]") // 5',
  ),
  regex_quote: signature('text: string', 'string')(
    'a regular expression that matches exactly the string',
    'print regex_quote("a.b") // "a\\\\.b"',
  ),
  replace_regex: signature('regex: regex, rewrite: string, text: string', 'string')(
    'the string with every match replaced; `$1` in the replacement is the first group',
    'print replace_regex("[0-9]+", "#", "job 12 of 40") // "job # of #"',
  ),
  replace_string: signature('lookup: string, rewrite: string, text: string', 'string')(
    'the string with every occurrence replaced',
    'print replace_string(",", ".", "1,5") // "1.5"',
  ),
  split: signature('source: string, delimiter: string', 'dynamic')(
    'the parts between delimiters, as an array',
    'print split("a,b,c", ",") // ["a","b","c"]',
  ),
  strip_ansi_escapes: signature('text: string', 'string')(
    'the string without ANSI escape sequences',
    'print strip_ansi_escapes("plain") // "plain"',
  ),
  translate: signature('search: string, replacement: string, source: string', 'string')(
    'the string with each character of one list replaced by the one at the same position of the other; a shorter list repeats its last character',
    'print translate("abc", "xyz", "cab") // "zxy"',
  ),
} satisfies Record<string, Signature>
