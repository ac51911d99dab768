import type { Type } from '../type.js'
import { describeSign, type Excerpt, inBackticks, worded, wordedAt } from './wording.js'

// Characters and literals.

export const strayCharacter = wordedAt(({ text }: Excerpt) => ({
  code: 'stray-character',
  message: `${describeSign(text)} is not part of APL.`,
  label: 'unexpected character',
  help: STRAY_HELP[[...text][0] ?? ''],
}))

const STRAY_HELP: Readonly<Record<string, string>> = {
  '`': "quote a name with spaces or dots as in `['user agent']`",
  '“': 'use straight quotes for strings: `"error"`',
  '”': 'use straight quotes for strings: `"error"`',
  '‘': "use straight quotes for strings: `'error'`",
  '’': "use straight quotes for strings: `'error'`",
  '#': 'comments start with //',
  '@': "the time of an event is `_time`; quote another name that begins with @: `['@message']`",
  '~': 'to ignore case, use `method =~ "get"`; to match a regular expression, `uri matches regex "^/api/"`',
  '≠': 'compare values with `!=`: `status != 200`',
  '≤': 'compare values with `<=`: `status <= 499`',
  '≥': 'compare values with `>=`: `status >= 500`',
  '^': 'for powers, use `pow(2, 10)`',
  '?': 'to choose one of two values, use `iff(status >= 500, "bad", "good")`',
}

export const unclosedString = worded({
  code: 'unclosed-string',
  message: 'This string has no closing quote.',
  label: 'starts here and ends with the line',
  help: 'in a string, write a line break as `"\\n"` and a quote as `"\\""`',
})

export const badEscape = wordedAt(({ text }: Excerpt) => ({
  code: 'bad-escape',
  message: `Unknown escape sequence ${inBackticks(text)}.`,
  label: 'unknown escape sequence',
  help: 'write a backslash as `"\\\\"`, or use a verbatim string: `@"\\d+"`',
}))

export const badNumber = wordedAt(({ text }: Excerpt) => ({
  code: 'bad-number',
  message: `${inBackticks(text)} is neither a number nor a timespan.`,
  label: 'not a number',
  help: "timespans have one unit: `90s`, `1.5h`, `7d`, for a year `365d`; months are grouped by `startofmonth(_time)`; quote a name that starts with a digit: `['2xx']`",
}))

/** `_time > 2026-01-31T10:00:00Z`. */
export const bareTime = wordedAt(({ text }: Excerpt) => ({
  code: 'bad-literal',
  message: 'A time must be inside `datetime(…)`.',
  label: 'not inside `datetime(…)`',
  help: `write \`datetime(${text})\``,
}))

export const numberTooLarge = wordedAt(({ text }: Excerpt) => ({
  code: 'number-too-large',
  message: `The number ${inBackticks(text)} is out of range.`,
  label: 'out of range',
  help: 'integers go up to `9223372036854775807`, real numbers to about 1.8e308',
}))

export const timespanTooLong = wordedAt(({ text }: Excerpt) => ({
  code: 'timespan-too-long',
  message: `The timespan ${inBackticks(text)} is out of range.`,
  label: 'out of range',
  help: 'the longest timespan is about 292 years, `106751d`',
}))

export const datetimeOutOfRange = wordedAt(({ text }: Excerpt) => ({
  code: 'datetime-out-of-range',
  message: `${inBackticks(text)} is outside the years 1900 to 2262.`,
  label: 'out of range',
  help: 'the earliest instant is `datetime(1900-01-01)`, the latest `datetime(2262-04-11T23:47:16.854775807Z)`',
}))

/** `word` is in front of the parenthesis. */
export const badLiteral = wordedAt(({ text }: Excerpt, word: string, type: Type) => ({
  code: 'bad-literal',
  message:
    text === ''
      ? `\`${word}(…)\` is empty.`
      : `${inBackticks(text)} is not a literal of type \`${type}\`.`,
  label: `\`${word}(…)\` needs a literal`,
  help: LITERAL_HELP[type],
}))

export const LITERAL_HELP: Readonly<Record<Type, string>> = {
  bool: 'booleans are `true`, `false` and `bool(null)`; to convert other values, use `tobool(ok)`',
  int: 'for example `int(200)`; to convert other values, use `toint(status)`',
  real: 'for example `real(0.5)`; to convert other values, use `toreal(duration)`',
  string: 'for example `string("ok")`; to convert other values, use `tostring(status)`',
  datetime:
    'for example `datetime(2026-01-31T12:00:00Z)`; to convert other values, use `todatetime(started)`',
  timespan: 'for example `timespan(90s)`; to convert other values, use `totimespan(duration)`',
  dynamic:
    'for example `dynamic([1, "two", {"three": 3}])`; to parse JSON, use `parse_json(message)`',
}
