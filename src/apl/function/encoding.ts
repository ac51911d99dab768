import type { Signature } from './signature.js'

/** Functions that encode and decode strings. */
export const ENCODING_FUNCTIONS = {
  base64_decode_toarray: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the bytes of a Base64 string, as an array; empty if it is not Base64',
  },
  base64_decode_tostring: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the decoded Base64 string; empty if it is not Base64',
  },
  base64_encode_fromarray: {
    parameters: [{ name: 'bytes', accepts: ['dynamic'] }],
    result: 'string',
    summary: 'an array of bytes, 0 to 255, encoded as Base64; empty if it is not one',
  },
  base64_encode_tostring: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string encoded as Base64',
  },
  quote: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string in double quotes, escaped',
  },
  unicode_codepoints_from_string: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the code points of the characters, as an array',
  },
  unicode_codepoints_to_string: {
    parameters: [{ name: 'codepoints', accepts: ['dynamic'] }],
    result: 'string',
    summary: 'the string of an array of code points; null if it is not one',
  },
  url_decode: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string with percent-encoding decoded',
  },
  url_encode: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the string percent-encoded for a URL',
  },
} satisfies Record<string, Signature>
