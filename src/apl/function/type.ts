import { ANY, type Signature } from '../signature.js'

/** Functions that tell what a value is. */
export const TYPE_FUNCTIONS = {
  gettype: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'string',
    summary:
      'the type of the value: string, long, real, bool, datetime, timespan, array, dictionary or null',
  },
  isascii: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'whether the text has only characters of ASCII',
  },
  isbool: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'whether the value is true or false',
  },
  iscc: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'whether the text is the number of a credit card, its check digit included',
  },
  isempty: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true for null and for the empty string',
  },
  isimei: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'whether the text is the number of a mobile device, its check digit included',
  },
  ismap: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'whether the value is an object',
  },
  isnotempty: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'false for null and for the empty string',
  },
  isnotnull: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'false for null; the empty string is not null',
  },
  isnull: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true for null; the empty string is not null',
  },
  isreal: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'whether the value is a number',
  },
  isstring: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'whether the value is a string',
  },
  isutf8: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'whether the bytes of the text are UTF-8',
  },
} satisfies Record<string, Signature>
