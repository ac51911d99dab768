import { common, type Signature, signature } from './signature.js'

const ofText = signature('text: string', 'string')

export const TEXT_FUNCTIONS = {
  coalesce: signature('value, …', common)(
    'the first value that is neither null nor an empty string',
    'print coalesce("", "api") // "api"',
  ),
  reverse: ofText('the characters in reverse order', 'print reverse("abc") // "cba"'),
  strcat: signature('value, …', 'string')(
    'the values as one string; null adds nothing',
    'print strcat("GET", " ", "/cart") // "GET /cart"',
  ),
  strcat_delim: signature('delimiter: string, value, …', 'string')(
    'the values as one string, joined by a delimiter; null is the empty string',
    'print strcat_delim("-", 2026, "a", "b") // "2026-a-b"',
  ),
  strcmp: signature('a: string, b: string', 'int')(
    '-1, 0 or 1: the first string sorts before, equals or sorts after the second',
    'print strcmp("a", "b") // -1',
  ),
  string_size: signature('text: string', 'int')(
    'the length in bytes',
    'print string_size("été") // 5',
  ),
  strlen: signature('text: string', 'int')(
    'the length in characters (code points)',
    'print strlen("été") // 3',
  ),
  strrep: signature('value, times: int, [delimiter: string]', 'string')(
    'the value as a string, repeated up to 1,024 times',
    'print strrep("ab", 3, "-") // "ab-ab-ab"',
  ),
  substring: signature('source: string, start: int, [length: int]', 'string')(
    'the characters from a position, from 0',
    'print substring("checkout", 5, 2) // "ou"',
  ),
  tolower: ofText('the string in lower case', 'print tolower("WARN") // "warn"'),
  totitle: ofText(
    'the string with its first character in upper case',
    'print totitle("warning") // "Warning"',
  ),
  toupper: ofText('the string in upper case', 'print toupper("get") // "GET"'),
} satisfies Record<string, Signature>
