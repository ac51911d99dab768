import type { Signature } from './signature.js'

/** Functions that trim strings. */
export const TRIM_FUNCTIONS = {
  trim: {
    parameters: [
      { name: 'cutset', accepts: ['string'] },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the string without the characters of the cutset at either end',
  },
  trim_end: {
    parameters: [
      { name: 'cutset', accepts: ['string'] },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the string without the characters of the cutset at its end',
  },
  trim_end_regex: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the string without the matches at its end',
  },
  trim_regex: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the string without the matches at either end',
  },
  trim_space: {
    parameters: [{ name: 'source', accepts: ['string'] }],
    result: 'string',
    summary: 'the string without white space at either end',
  },
  trim_start: {
    parameters: [
      { name: 'cutset', accepts: ['string'] },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the string without the characters of the cutset at its start',
  },
  trim_start_regex: {
    parameters: [
      { name: 'regex', accepts: ['string'], regex: true },
      { name: 'source', accepts: ['string'] },
    ],
    result: 'string',
    summary: 'the string without the matches at its start',
  },
} satisfies Record<string, Signature>
