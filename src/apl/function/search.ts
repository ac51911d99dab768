import type { Signature } from '../signature.js'

/** Functions that look for something in a text. */
export const SEARCH_FUNCTIONS = {
  countof: {
    parameters: [
      { name: 'search', accepts: ['string'] },
      { name: 'text', accepts: ['string'] },
    ],
    result: 'int',
    summary: 'how often a text occurs in another; occurrences do not overlap',
  },
  countof_regex: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'text', accepts: ['string'] },
    ],
    result: 'int',
    summary: 'how often a regex matches; matches do not overlap',
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
  extract_all: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'groups', accepts: ['dynamic'], constant: true },
      { name: 'text', accepts: ['string'] },
    ],
    result: 'dynamic',
    summary:
      'what groups captured in every match, as an array; of several groups, an array of arrays',
  },
  indexof: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'lookup', accepts: ['string'] },
      { name: 'start', accepts: ['int'], optional: true },
      { name: 'length', accepts: ['int'], optional: true },
      { name: 'occurrence', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary:
      'the position, from 0, of an occurrence; -1 when there is none; a negative start counts from the end',
  },
  indexof_regex: {
    parameters: [
      { name: 'source', accepts: ['string'] },
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'start', accepts: ['int'], optional: true },
      { name: 'occurrence', accepts: ['int'], optional: true },
      { name: 'length', accepts: ['int'], optional: true },
    ],
    result: 'int',
    summary: 'the position, from 0, of a match; -1 when there is none; null for a negative start',
  },
  regex_quote: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text as a regex that matches only itself',
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
  strip_ansi_escapes: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text without the escape sequences that colour it on a terminal',
  },
  translate: {
    parameters: [
      { name: 'search', accepts: ['string'] },
      { name: 'replacement', accepts: ['string'] },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary:
      'the text with each character of one list replaced by that of the other; a shorter list ends in its last one',
  },
} satisfies Record<string, Signature>
