import { formatInteger } from '../../text/integer.js'
import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Parameter, Signature } from '../function/signature.js'
import type { Identifier } from '../syntax/ast.js'
import type { Type } from '../type.js'
import { type Operand, TYPE_NOUN } from './operand.js'
import {
  anyOf,
  argumentCount,
  callForm,
  type Excerpt,
  inBackticks,
  isSimple,
  suggestion,
  withHelp,
} from './wording.js'

// Arguments of functions, and counts and parts.

export interface Called {
  readonly name: string
  readonly signature: Signature
  readonly span: Span
}

/** Too few arguments, or too many. */
export function wrongArgumentCount(called: Called, given: number): Problem {
  const { name, signature, span } = called
  return {
    code: 'wrong-argument-count',
    message: `\`${name}\` takes ${argumentCount(signature)}, not ${given}.`,
    span,
    label: callForm(name, signature),
    help:
      name === 'count'
        ? '`count()` counts rows; those with a value are counted by `countif(isnotnull(status))`'
        : `it gives ${signature.summary}`,
  }
}

interface WrongArgument {
  readonly called: Called
  readonly parameter: Parameter
  readonly argument: Operand
}

export function wrongArgument({ called, parameter, argument }: WrongArgument): Problem {
  const takes = parameter.accepts.map((type) => TYPE_NOUN[type])
  return {
    code: 'wrong-argument',
    message: `${inBackticks(parameter.name)} of ${callForm(called.name, called.signature)} is a ${anyOf(takes)}, not a ${TYPE_NOUN[argument.type]}.`,
    span: argument.span,
    label: `a ${TYPE_NOUN[argument.type]}`,
    ...withHelp(conversionHelp(parameter.accepts, argument)),
  }
}

function conversionHelp(accepts: readonly Type[], { text, type }: Operand): string | undefined {
  const name = isSimple(text) ? text : type === 'string' ? text : 'status'
  const value = name.length < 60 ? name : 'status'
  if (accepts.includes('string')) return `a value becomes text by \`tostring(${value})\``
  if (accepts.includes('bool')) return 'for example `status >= 500`'
  if (accepts.includes('timespan') && type === 'int') return 'timespans have a unit: `90s`, `1.5h`'
  if (type !== 'string') return undefined
  const timespan = /^(["'])(\d+(?:\.\d+)?(?:d|h|m|s|ms))\1$/.exec(text)?.[2]
  if (accepts.includes('timespan') && timespan !== undefined) {
    return `timespans stand without quotes: \`${timespan}\``
  }
  const isNumber = accepts.includes('real') || accepts.includes('int')
  const number = /^(["'])(-?\d+(?:\.\d+)?)\1$/.exec(text)?.[2]
  if (isNumber && number !== undefined) return `numbers stand without quotes: \`${number}\``
  if (accepts.includes('real')) return `texts are read as numbers by \`toreal(${value})\``
  if (accepts.includes('int')) return `texts are read as numbers by \`toint(${value})\``
  if (accepts.includes('datetime')) return `texts are read as times by \`todatetime(${value})\``
  if (accepts.includes('timespan')) return 'timespans are written without quotes: `90s`, `1.5h`'
  if (accepts.includes('dynamic'))
    return `texts that hold JSON are read by \`parse_json(${value})\``
  return undefined
}

/** `percentile(x, p)` where `p` is not written out. */
export function notAConstant(
  called: Called,
  { parameter, span }: { parameter: string; span: Span },
): Problem {
  return {
    code: 'not-a-constant',
    message: `\`${parameter}\` of ${callForm(called.name, called.signature)} is written out, not computed.`,
    span,
    label: 'not a literal',
  }
}

/** `ensure_field("status", int)`. */
export function notAType(span: Span): Problem {
  return {
    code: 'not-a-type',
    message: 'A type is written `typeof(…)`, with the name of the type in it.',
    span,
    label: 'not a type',
    help: '`ensure_field("status", typeof(int))`; types: bool, datetime, dynamic, int, real, string, timespan',
  }
}

export function percentileOutOfRange(span: Span): Problem {
  return {
    code: 'percentile-out-of-range',
    message: 'A percentile lies between 0 and 100.',
    span,
    label: 'outside',
    help: 'the median is `percentile(duration, 50)`',
  }
}

/** `topk(uri, 0)`, `histogram(duration, -1)`. */
export function countOutOfRange(
  name: string,
  { span, most }: Excerpt & { readonly most: bigint },
): Problem {
  return {
    code: 'count-out-of-range',
    message: `The count of \`${name}\` lies between 1 and ${formatInteger(most)}.`,
    span,
    label: 'outside',
  }
}

/** `bin(_time, 60)`, `bin(status, 1h)`. */
export function wrongBin(span: Span, type: Type): Problem {
  const isTime = type === 'datetime' || type === 'timespan'
  return {
    code: 'wrong-bin',
    message: `A ${TYPE_NOUN[type]} is cut into steps of a ${isTime ? 'timespan' : 'number'} above 0.`,
    span,
    label: isTime ? 'not a timespan above 0' : 'not a number above 0',
    help: isTime ? '`bin(_time, 5m)`' : '`bin(duration, 10)`',
  }
}

/** `datetime_part("fortnight", _time)`. */
export function unknownTimePart(
  part: Identifier,
  { of, parts }: { readonly of: string; readonly parts: readonly string[] },
): Problem {
  return {
    code: 'unknown-time-part',
    message: `There is no part of time ${inBackticks(part.name)}.`,
    span: part.span,
    label: suggestion(part.name, parts) ?? 'not a part',
    help: `parts of \`${of}\`: ${parts.join(', ')}`,
  }
}

/** `array_extract(tags, "name")`. */
export function badJsonPath(span: Span): Problem {
  return {
    code: 'bad-json-path',
    message: 'A JSON path begins with `$`, followed by members, positions and `*`.',
    span,
    label: 'not such a path',
    help: 'for example `array_extract(tags, "$[*].name")` or `array_extract(tags, "$[0][\'first name\']")`',
  }
}

/** `range(1, 1h)`. */
export function wrongRange(span: Span): Problem {
  return {
    code: 'wrong-range',
    message: '`range` goes from a number to a number, or from a time to a time of the same kind.',
    span,
    label: 'not such a range',
    help: '`range(0, 100, 10)`, `range(ago(1d), now(), 15m)`',
  }
}

/** `bag_pack("method")`. */
export function pairForm({ name, span }: Identifier): Problem {
  return {
    code: 'wrong-argument-count',
    message: `\`${name}\` takes pairs of a key and a value.`,
    span,
    label: 'a value is missing',
    help: `\`${name}("method", method, "uri", uri)\``,
  }
}

/** `pack_dictionary(method, 1)`. */
export function computedKey(span: Span): Problem {
  return {
    code: 'not-a-constant',
    message: 'The keys of `pack_dictionary` are written out, not computed.',
    span,
    label: 'not a literal text',
    help: 'computed keys are taken by `bag_pack(method, 1)`',
  }
}

export function caseForm(span: Span): Problem {
  return {
    code: 'wrong-argument-count',
    message: '`case` takes pairs of a condition and a value, then a value for all else.',
    span,
    label: 'not such a list',
    help: '`case(status >= 500, "bad", status >= 400, "poor", "good")`',
  }
}

export interface BadRegex {
  readonly pattern: string
  readonly reason: 'look-around' | 'back-reference' | 'structure'
  readonly span: Span
}

const REGEX_REASON = {
  'look-around': 'The regex looks around, which is not possible here.',
  'back-reference': 'The regex refers back to a group, which is not possible here.',
  structure: 'The regex is not well formed.',
} as const

export function badRegex({ pattern, reason, span }: BadRegex): Problem {
  return {
    code: 'bad-regex',
    message: REGEX_REASON[reason],
    span,
    label: reason === 'structure' ? flaw(pattern) : 'not in RE2',
    help:
      reason === 'structure'
        ? 'a sign that stands for itself has a backslash: `@"\\("`'
        : 'regexes are RE2; two conditions can be joined: `uri matches regex "a" and uri !matches regex "b"`',
  }
}

function flaw(pattern: string): string {
  return pattern === '' ? 'empty' : 'brackets, repetition or a last backslash'
}

/** `extract_all("(a)", dynamic([2]), text)`. */
export function noSuchGroup(
  span: Span,
  { wellFormed, most }: { readonly wellFormed: boolean; readonly most: number },
): Problem {
  return {
    code: 'no-such-group',
    message: wellFormed
      ? `The regex has no group of that number: the last is ${most}.`
      : 'The groups are an array of numbers.',
    span,
    label: wellFormed ? 'not in the regex' : 'no numbers of groups',
    help: 'group 0 is the match, group 1 the first in parentheses: `extract_all("([a-z]+)=([0-9]+)", dynamic([1, 2]), message)`',
  }
}

const COUNT_HELP: Readonly<Record<string, string>> = {
  'mv-expand': '`mv-expand tags limit 10`',
  top: '`top 10 by _time`',
}

export function badCount(operator: string, written: Excerpt): Problem {
  return {
    code: 'bad-count',
    message: `\`${operator}\` needs a whole number above 0, written out.`,
    span: written.span,
    label: 'not such a number',
    help: COUNT_HELP[operator] ?? `\`${operator} 10\``,
  }
}

/** `sort by 1`. */
export function constantSortKey(span: Span): Problem {
  return {
    code: 'constant-sort-key',
    message: 'This is the same for every row, so it gives no order.',
    span,
    label: 'a constant',
    help: 'rows are ordered by a column: `sort by _time desc`',
  }
}

/** `message.part` where the field is text. */
export function noParts(written: Operand): Problem {
  const { text, type, span } = written
  return {
    code: 'no-parts',
    message: `A ${TYPE_NOUN[type]} has no parts.`,
    span,
    label: `a ${TYPE_NOUN[type]}`,
    ...(type === 'string' && {
      help: `a text that holds JSON is read by \`parse_json(${isSimple(text) ? text : 'message'})\``,
    }),
  }
}

export function badIndex(operand: Operand): Problem {
  return {
    code: 'bad-index',
    message: `A part is chosen by its name or its position, not by a ${TYPE_NOUN[operand.type]}.`,
    span: operand.span,
    label: `a ${TYPE_NOUN[operand.type]}`,
    help: "`geo['city']`, `tags[0]`",
  }
}

export function starHere(span: Span): Problem {
  return {
    code: 'star',
    message: '`*` does not stand for a value.',
    span,
    label: 'not here',
    help: 'rows are counted by `count()`; all columns are there unless `project` leaves some out',
  }
}
