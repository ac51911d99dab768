import { ANY, common, first, NUMBER, PLAIN_NUMBER, type Signature } from './signature.js'

/** The scalar functions by name. A new one is a row here and a row in `sql/functions.ts`. */
export const FUNCTIONS = {
  // Strings
  coalesce: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the first value that is not null; among strings, that is not empty',
  },
  extract: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'group', accepts: ['int'] },
      { name: 'text', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'what a group of the first match captured; group 0 is the match',
  },
  indexof: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'lookup', accepts: ['string'] },
      { name: 'start', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary: 'the position, from 0, of the first occurrence; -1 when there is none',
  },
  isempty: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true for null and for the empty string',
  },
  isnotempty: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'false for null and for the empty string',
  },
  isnull: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true for null; the empty string is not null',
  },
  isnotnull: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'false for null; the empty string is not null',
  },
  parse_json: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the value that a JSON text denotes; a text that is not JSON stays a string',
  },
  replace_regex: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'rewrite', accepts: ['string'] },
      { name: 'text', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the text with every match rewritten; `$1` in the rewrite is the first group',
  },
  replace_string: {
    parameters: [
      { name: 'lookup', accepts: ['string'] },
      { name: 'rewrite', accepts: ['string'] },
      { name: 'text', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the text with every occurrence rewritten',
  },
  split: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'delimiter', accepts: ['string'] },
    ],
    result: 'dynamic',
    summary: 'the parts between the delimiters, as an array',
  },
  strcat: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: 'string',
    summary: 'the values as text, one after another; null adds nothing',
  },
  strlen: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'int',
    summary: 'the length in characters (code points)',
  },
  substring: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'start', accepts: ['int'] },
      { name: 'length', accepts: ['int'], optional: true },
    ],
    result: 'string',
    summary: 'the characters from a position, counted from 0',
  },
  tolower: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text in lower case',
  },
  toupper: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text in upper case',
  },
  trim: {
    parameters: [
      { name: 'cutset', accepts: ['string'] },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the text without the characters of the cutset at either end',
  },

  // Conversions
  tobool: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'the value as a boolean; null when it is none',
  },
  todatetime: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'datetime',
    summary: 'the value as an instant; numbers count nanoseconds since 1970; null when it is none',
  },
  todouble: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'real',
    summary: 'the value as a real number; null when it is none',
  },
  toint: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'int',
    summary: 'the value as a whole number, fractions cut; null when it is none',
  },
  tostring: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'string',
    summary: 'the value as text; null is the empty string',
  },
  totimespan: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'timespan',
    summary: 'the value as a timespan: `"1m20s"`, or a number of nanoseconds; null when it is none',
  },

  // Time
  ago: {
    parameters: [{ name: 'timespan', accepts: ['timespan'] }],
    result: 'datetime',
    summary: 'the instant that long before `now()`',
  },
  dayofweek: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the day of the week, Sunday 0 to Saturday 6',
  },
  getmonth: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the month, 1 to 12',
  },
  getyear: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the year',
  },
  hourofday: {
    parameters: [{ name: 'time', accepts: ['datetime'] }],
    result: 'int',
    summary: 'the hour, 0 to 23',
  },
  now: {
    parameters: [{ name: 'offset', accepts: ['timespan'], optional: true }],
    result: 'datetime',
    summary: 'the instant of the query, one for the whole query',
  },
  startofday: {
    parameters: [
      { name: 'time', accepts: ['datetime'] },
      { name: 'offset', accepts: ['int'], optional: true },
    ],
    result: 'datetime',
    summary: 'midnight at the start of the day, moved by a number of days',
  },

  // Numbers
  abs: {
    parameters: [{ name: 'value', accepts: NUMBER }],
    result: first,
    summary: 'the value without its sign',
  },
  bin: {
    parameters: [
      { name: 'value', accepts: ['int', 'real', 'datetime', 'timespan'] },
      { name: 'size', accepts: NUMBER },
    ],
    result: ([value, size]) => (value === 'int' && size === 'real' ? 'real' : (value ?? 'dynamic')),
    summary: 'the value rounded down to a multiple of the size; instants count from 1970',
  },
  ceiling: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: 'the smallest whole number that is not less',
  },
  floor: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'int',
    summary: 'the largest whole number that is not greater',
  },
  log: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the natural logarithm; null for 0 and below',
  },
  max_of: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the largest of its arguments, nulls left out',
  },
  min_of: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the smallest of its arguments, nulls left out',
  },
  pow: {
    parameters: [
      { name: 'base', accepts: PLAIN_NUMBER },
      { name: 'exponent', accepts: PLAIN_NUMBER },
    ],
    result: 'real',
    summary: 'the base to the power of the exponent',
  },
  round: {
    parameters: [
      { name: 'value', accepts: PLAIN_NUMBER },
      { name: 'precision', accepts: ['int'], optional: true },
    ],
    result: 'real',
    summary: 'the value rounded to a number of decimals, halves away from zero',
  },
  sqrt: {
    parameters: [{ name: 'value', accepts: PLAIN_NUMBER }],
    result: 'real',
    summary: 'the square root; null below 0',
  },

  // Choice
  case: {
    parameters: [{ name: 'condition, value, …, default', accepts: ANY, repeated: true }],
    result: (types) => common(types.filter((_, i) => i % 2 === 1 || i === types.length - 1)),
    summary: 'the value behind the first condition that is true, else the last argument',
  },
  iff: {
    parameters: [
      { name: 'condition', accepts: ['bool'] },
      { name: 'then', accepts: ANY },
      { name: 'else', accepts: ANY },
    ],
    result: ([, then, otherwise]) => common([then ?? 'dynamic', otherwise ?? 'dynamic']),
    summary: 'the second argument where the condition is true, else the third',
  },

  // Arrays
  array_length: {
    parameters: [{ name: 'array', accepts: ['dynamic'] }],
    result: 'int',
    summary: 'the number of elements; null for anything but an array',
  },
} satisfies Record<string, Signature>

export type FunctionName = keyof typeof FUNCTIONS

/** Other spellings of the same function. */
export const FUNCTION_ALIASES: Readonly<Record<string, FunctionName>> = {
  iif: 'iff',
  monthofyear: 'getmonth',
  replace: 'replace_regex',
  tolong: 'toint',
  toreal: 'todouble',
}

export function isFunctionName(name: string): name is FunctionName {
  return Object.hasOwn(FUNCTIONS, name)
}
