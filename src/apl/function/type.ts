import { ANY, type Signature } from './signature.js'

/** Functions that test the type or presence of a value. */
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
    summary: 'true if the string has only ASCII characters',
  },
  isbool: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true if the value is a boolean',
  },
  iscc: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'true if the string is a credit card number with a valid check digit',
  },
  isempty: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true for null and for the empty string',
  },
  isimei: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'true if the string is an IMEI with a valid check digit',
  },
  ismap: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true if the value is an object',
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
    summary: 'true if the value is a number',
  },
  isstring: {
    parameters: [{ name: 'value', accepts: ANY }],
    result: 'bool',
    summary: 'true if the value is a string',
  },
  isutf8: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'bool',
    summary: 'true if the string is valid UTF-8',
  },
} satisfies Record<string, Signature>
