import { type Signature, signature } from './signature.js'

const ofText = signature('text: string', 'string')

export const ENCODING_FUNCTIONS = {
  base64_decode_toarray: signature('text: string', 'dynamic')(
    'the bytes of a Base64 string, as an array; empty if it is not Base64',
    'print base64_decode_toarray("SGk=") // [72,105]',
  ),
  base64_decode_tostring: ofText(
    'the decoded Base64 string; empty if it is not Base64',
    'print base64_decode_tostring("SGk=") // "Hi"',
  ),
  base64_encode_fromarray: signature('bytes: dynamic', 'string')(
    'an array of bytes, 0 to 255, encoded as Base64; empty if it is not one',
    'print base64_encode_fromarray(dynamic([72, 105])) // "SGk="',
  ),
  base64_encode_tostring: ofText(
    'the string encoded as Base64',
    'print base64_encode_tostring("Hi") // "SGk="',
  ),
  quote: ofText('the string in double quotes, escaped', 'print quote("ok") // "\\"ok\\""'),
  unicode_codepoints_from_string: signature('text: string', 'dynamic')(
    'the code points of the characters, as an array',
    'print unicode_codepoints_from_string("Hi") // [72,105]',
  ),
  unicode_codepoints_to_string: signature('codepoints: dynamic', 'string')(
    'the string of an array of code points; null if it is not one',
    'print unicode_codepoints_to_string(dynamic([72, 105])) // "Hi"',
  ),
  url_decode: ofText(
    'the string with percent-encoding decoded',
    'print url_decode("a%20b") // "a b"',
  ),
  url_encode: ofText(
    'the string percent-encoded for a URL',
    'print url_encode("a b&c") // "a%20b%26c"',
  ),
} satisfies Record<string, Signature>
