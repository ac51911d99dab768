import { type Signature, signature } from './signature.js'

const testOfText = signature('text: string', 'bool')
const testOfValue = signature('value', 'bool')

export const TYPE_FUNCTIONS = {
  gettype: signature('value', 'string')(
    'the type of the value: string, long, real, bool, datetime, timespan, array, dictionary or null',
    'print gettype("api") // "string"',
  ),
  isascii: testOfText(
    'true if the string has only ASCII characters',
    'print isascii("été") // false',
  ),
  isbool: testOfValue('true if the value is a boolean', 'print isbool(true) // true'),
  iscc: testOfText(
    'true if the string is a credit card number with a valid check digit',
    'print iscc("4111111111111111") // true',
  ),
  isempty: testOfValue('true for null and for the empty string', 'print isempty("") // true'),
  isimei: testOfText(
    'true if the string is an IMEI with a valid check digit',
    'print isimei("490154203237518") // true',
  ),
  ismap: testOfValue('true if the value is an object', 'print ismap(dynamic({"a": 1})) // true'),
  isnotempty: testOfValue(
    'false for null and for the empty string',
    'print isnotempty("") // false',
  ),
  isnotnull: testOfValue(
    'false for null; the empty string is not null',
    'print isnotnull("") // true',
  ),
  isnull: testOfValue('true for null; the empty string is not null', 'print isnull("") // false'),
  isreal: testOfValue('true if the value is a number', 'print isreal(1.5) // true'),
  isstring: testOfValue('true if the value is a string', 'print isstring("api") // true'),
  isutf8: testOfText('true if the string is valid UTF-8', 'print isutf8("été") // true'),
} satisfies Record<string, Signature>
