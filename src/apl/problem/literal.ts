import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'
import { TYPE_NOUN } from './operand.js'
import { describeSign, inBackticks, withHelp } from './wording.js'

// Letters and literals.

export function strayCharacter(text: string, span: Span): Problem {
  return {
    code: 'stray-character',
    message: `${describeSign(text)} means nothing in APL.`,
    span,
    label: 'not a part of APL',
    ...withHelp(STRAY_HELP[[...text][0] ?? '']),
  }
}

const STRAY_HELP: Readonly<Record<string, string>> = {
  '`': "a name with spaces or dots is quoted so: `['user agent']`",
  '“': 'texts stand between straight quotes: `"error"`',
  '”': 'texts stand between straight quotes: `"error"`',
  '‘': "texts stand between straight quotes: `'error'`",
  '’': "texts stand between straight quotes: `'error'`",
  '#': 'a comment begins with //',
  '@': "a field with such a name is quoted: `['@timestamp']`",
  '~': 'texts are compared in any case by `method =~ "get"`, with a regex by `uri matches regex "^/api/"`',
  '^': 'a power is `pow(2, 10)`',
  '?': 'one of two values is chosen by `iff(status >= 500, "bad", "good")`',
}

export function unclosedString(span: Span): Problem {
  return {
    code: 'unclosed-string',
    message: 'This text has no closing quote.',
    span,
    label: 'begins here and ends with the line',
    help: 'a line break in a text is written `"\\n"`, a quote `"\\""`',
  }
}

export function badEscape(sequence: string, span: Span): Problem {
  return {
    code: 'bad-escape',
    message: `${inBackticks(sequence)} is not an escape.`,
    span,
    label: 'not an escape',
    help: 'a backslash is written `"\\\\"`; in `@"\\d+"` backslashes stand for themselves',
  }
}

export function badNumber(text: string, span: Span): Problem {
  return {
    code: 'bad-number',
    message: `${inBackticks(text)} is neither a number nor a timespan.`,
    span,
    label: 'not a number',
    help: "timespans have one unit: `90s`, `1.5h`, `7d`; a name that begins with a digit is quoted: `['2xx']`",
  }
}

export function numberTooLarge(text: string, span: Span): Problem {
  return {
    code: 'number-too-large',
    message: `${inBackticks(text)} is too large a number.`,
    span,
    label: 'does not fit',
    help: 'whole numbers end at `9223372036854775807`, real numbers at about 1.8e308',
  }
}

export function timespanTooLong(text: string, span: Span): Problem {
  return {
    code: 'timespan-too-long',
    message: `${inBackticks(text)} is too long a timespan.`,
    span,
    label: 'does not fit',
    help: 'the longest timespan is about 292 years, `106751d`',
  }
}

export function datetimeOutOfRange(text: string, span: Span): Problem {
  return {
    code: 'datetime-out-of-range',
    message: `${inBackticks(text)} is outside of the years 1900 to 2262.`,
    span,
    label: 'out of range',
    help: 'the earliest instant is `datetime(1900-01-01)`, the latest `datetime(2262-04-11T23:47:16.854775807Z)`',
  }
}

interface BadLiteral {
  /** The word before the parenthesis. */
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
        : `${inBackticks(body.trim())} is not a ${TYPE_NOUN[type]}.`,
    span,
    label: `\`${word}(…)\` takes it as a literal`,
    help: LITERAL_HELP[type],
  }
}

export const LITERAL_HELP: Readonly<Record<Type, string>> = {
  bool: 'booleans are `true`, `false` and `bool(null)`; other values are converted by `tobool(ok)`',
  int: 'for example `int(200)`; other values are converted by `toint(status)`',
  real: 'for example `real(0.5)`; other values are converted by `toreal(duration)`',
  string: 'for example `string("ok")`; other values are converted by `tostring(status)`',
  datetime:
    'for example `datetime(2026-01-31T12:00:00Z)`; values are converted by `todatetime(started)`',
  timespan: 'for example `timespan(90s)`; values are converted by `totimespan(duration)`',
  dynamic:
    'for example `dynamic([1, "two", {"three": 3}])`; texts are converted by `parse_json(message)`',
}
