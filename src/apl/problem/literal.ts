import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'
import { A_TYPE } from './operand.js'
import { describeSign, inBackticks, worded } from './wording.js'

// Characters and literals.

export function strayCharacter(text: string, span: Span): Problem {
  return {
    code: 'stray-character',
    message: `${describeSign(text)} is not part of APL.`,
    span,
    label: 'unexpected character',
    help: STRAY_HELP[[...text][0] ?? ''],
  }
}

const STRAY_HELP: Readonly<Record<string, string>> = {
  '`': "quote a name with spaces or dots as in `['user agent']`",
  '“': 'use straight quotes for strings: `"error"`',
  '”': 'use straight quotes for strings: `"error"`',
  '‘': "use straight quotes for strings: `'error'`",
  '’': "use straight quotes for strings: `'error'`",
  '#': 'comments start with //',
  '@': "quote such a field name: `['@timestamp']`",
  '~': 'to ignore case, use `method =~ "get"`; to match a regular expression, `uri matches regex "^/api/"`',
  '^': 'for powers, use `pow(2, 10)`',
  '?': 'to choose one of two values, use `iff(status >= 500, "bad", "good")`',
}

export const unclosedString = worded({
  code: 'unclosed-string',
  message: 'This string has no closing quote.',
  label: 'starts here and ends with the line',
  help: 'in a string, write a line break as `"\\n"` and a quote as `"\\""`',
})

export function badEscape(sequence: string, span: Span): Problem {
  return {
    code: 'bad-escape',
    message: `Unknown escape sequence ${inBackticks(sequence)}.`,
    span,
    label: 'unknown escape sequence',
    help: 'write a backslash as `"\\\\"`, or use a verbatim string: `@"\\d+"`',
  }
}

export function badNumber(text: string, span: Span): Problem {
  return {
    code: 'bad-number',
    message: `${inBackticks(text)} is neither a number nor a timespan.`,
    span,
    label: 'not a number',
    help: "timespans have one unit: `90s`, `1.5h`, `7d`; quote a name that starts with a digit: `['2xx']`",
  }
}

export function numberTooLarge(text: string, span: Span): Problem {
  return {
    code: 'number-too-large',
    message: `The number ${inBackticks(text)} is out of range.`,
    span,
    label: 'out of range',
    help: 'integers go up to `9223372036854775807`, real numbers to about 1.8e308',
  }
}

export function timespanTooLong(text: string, span: Span): Problem {
  return {
    code: 'timespan-too-long',
    message: `The timespan ${inBackticks(text)} is out of range.`,
    span,
    label: 'out of range',
    help: 'the longest timespan is about 292 years, `106751d`',
  }
}

export function datetimeOutOfRange(text: string, span: Span): Problem {
  return {
    code: 'datetime-out-of-range',
    message: `${inBackticks(text)} is outside the years 1900 to 2262.`,
    span,
    label: 'out of range',
    help: 'the earliest instant is `datetime(1900-01-01)`, the latest `datetime(2262-04-11T23:47:16.854775807Z)`',
  }
}

interface BadLiteral {
  /** The word in front of the parenthesis. */
  readonly word: string
  readonly type: Type
  readonly body: string
  readonly span: Span
}

export function badLiteral({ word, type, body, span }: BadLiteral): Problem {
  return {
    code: 'bad-literal',
    message:
      body.trim() === ''
        ? `\`${word}(…)\` is empty.`
        : `${inBackticks(body.trim())} is not ${A_TYPE[type]}.`,
    span,
    label: `\`${word}(…)\` needs a literal`,
    help: LITERAL_HELP[type],
  }
}

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
