import { ANY, common, type Signature } from './signature.js'

/** Functions on strings. */
export const TEXT_FUNCTIONS = {
  coalesce: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the first value that is neither null nor an empty string',
  },
  reverse: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the characters in reverse order',
  },
  strcat: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: 'string',
    summary: 'the values as one string; null adds nothing',
  },
  strcat_delim: {
    parameters: [
      { name: 'delimiter', accepts: ['string'] },
      { name: 'value, …', accepts: ANY, repeated: true },
    ],
    result: 'string',
    summary: 'the values as one string, joined by a delimiter; null is the empty string',
  },
  strcmp: {
    parameters: [
      { name: 'a', accepts: ['string'] },
      { name: 'b', accepts: ['string'] },
    ],
    result: 'int',
    summary: '-1, 0 or 1: the first string sorts before, equals or sorts after the second',
  },
  string_size: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'int',
    summary: 'the length in bytes',
  },
  strlen: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'int',
    summary: 'the length in characters (code points)',
  },
  strrep: {
    parameters: [
      { name: 'value', accepts: ANY },
      { name: 'times', accepts: ['int'] },
      { name: 'delimiter', accepts: ['string'], optional: true },
    ],
    result: 'string',
    summary: 'the value as a string, repeated up to 1,024 times',
  },
  substring: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'start', accepts: ['int'] },
      { name: 'length', accepts: ['int'], optional: true },
    ],
    result: 'string',
    summary: 'the characters from a position, from 0',
  },
  tolower: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string in lower case',
  },
  totitle: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string with its first character in upper case',
  },
  toupper: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string in upper case',
  },
} satisfies Record<string, Signature>
