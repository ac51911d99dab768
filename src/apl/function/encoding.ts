import type { Signature } from '../signature.js'

/** Functions that write text as something else, and read it again. */
export const ENCODING_FUNCTIONS = {
  base64_decode_toarray: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the bytes that a text in Base64 stands for, as an array; empty when it is none',
  },
  base64_decode_tostring: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text that a text in Base64 stands for; empty when it is none',
  },
  base64_encode_fromarray: {
    parameters: [{ name: 'bytes', accepts: ['dynamic'] }],
    result: 'string',
    summary: 'an array of bytes, 0 to 255, in Base64; empty when it is none',
  },
  base64_encode_tostring: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text in Base64',
  },
  quote: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text in double quotes, with escapes',
  },
  unicode_codepoints_from_string: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'dynamic',
    summary: 'the code points of the characters, as an array',
  },
  unicode_codepoints_to_string: {
    parameters: [{ name: 'codepoints', accepts: ['dynamic'] }],
    result: 'string',
    summary: 'the text that an array of code points stands for; null when it is none',
  },
  url_decode: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text with `%20` and its like read as the characters they stand for',
  },
  url_encode: {
    parameters: [{ name: 'text', accepts: ['string'] }],
    result: 'string',
    summary: 'the text as it can stand in a URL',
  },
} satisfies Record<string, Signature>
