import { type Signature, signature } from './signature.js'

const withoutCharacters = signature('cutset: string, source: string', 'string')
const withoutMatch = signature('regex: regex, source: string', 'string')

export const TRIM_FUNCTIONS = {
  trim: withoutCharacters(
    'the string without the characters of the cutset at either end',
    'print trim("/", "/cart/") // "cart"',
  ),
  trim_end: withoutCharacters(
    'the string without the characters of the cutset at its end',
    'print trim_end("/", "/cart/") // "/cart"',
  ),
  trim_end_regex: withoutMatch(
    'the string without the matches at its end',
    'print trim_end_regex("[0-9]+", "host42") // "host"',
  ),
  trim_regex: withoutMatch(
    'the string without the matches at either end',
    'print trim_regex("[^a-z]+", "--api--") // "api"',
  ),
  trim_space: signature('source: string', 'string')(
    'the string without white space at either end',
    'print trim_space("  api ") // "api"',
  ),
  trim_start: withoutCharacters(
    'the string without the characters of the cutset at its start',
    'print trim_start("/", "/cart/") // "cart/"',
  ),
  trim_start_regex: withoutMatch(
    'the string without the matches at its start',
    'print trim_start_regex("[0-9]+ ", "42 failed") // "failed"',
  ),
} satisfies Record<string, Signature>
