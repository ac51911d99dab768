import { ANY, common, type Signature } from '../signature.js'

/** Functions on text. */
export const TEXT_FUNCTIONS = {
  coalesce: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: common,
    summary: 'the first value that is not null; among strings, that is not empty',
  },
  reverse: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the characters from the last to the first',
  },
  strcat: {
    parameters: [{ name: 'value', accepts: ANY, repeated: true }],
    result: 'string',
    summary: 'the values as text, one after another; null adds nothing',
  },
  strcat_delim: {
    parameters: [
      { name: 'delimiter', accepts: ['string'] },
      { name: 'value, …', accepts: ANY, repeated: true },
    ],
    result: 'string',
    summary: 'the values as text with a delimiter between them; null is the empty text',
  },
  strcmp: {
    parameters: [
      { name: 'a', accepts: ['string'] },
      { name: 'b', accepts: ['string'] },
    ],
    result: 'int',
    summary: '-1, 0 or 1: whether a text comes before another, is the same or comes after',
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
    summary: 'the value as text, repeated up to 1024 times',
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
  totitle: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text with its first character in upper case',
  },
  toupper: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text in upper case',
  },
} satisfies Record<string, Signature>
