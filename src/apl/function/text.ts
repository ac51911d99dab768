import { ANY, common, type Signature } from '../signature.js'

/** Functions on text. */
export const TEXT_FUNCTIONS = {
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
} satisfies Record<string, Signature>
