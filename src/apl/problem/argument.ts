import { formatInteger } from '../../text/integer.js'
import type { Span } from '../../text/span.js'
import type { Parameter, Signature } from '../function/signature.js'
import type { Identifier } from '../syntax/ast.js'
import type { Type } from '../type.js'
import { ARGUMENT_HABITS, ZONE_HABIT } from './habits.js'
import { A_TYPE, type Operand } from './operand.js'
import {
  anyOf,
  argumentCount,
  callForm,
  type Excerpt,
  inBackticks,
  isSimple,
  suggestion,
  toUpper,
  worded,
  wordedAt,
} from './wording.js'

// Arguments of functions, and counts and parts.

export interface Called {
  readonly name: string
  readonly signature: Signature
  readonly span: Span
}

/** Too few arguments, or too many. */
export const wrongArgumentCount = wordedAt(({ name, signature }: Called, given: number) => ({
  code: 'wrong-argument-count',
  message: `\`${name}\` takes ${argumentCount(signature)}, not ${given}.`,
  label: callForm(name, signature),
  help: ARGUMENT_HABITS[name] ?? `returns ${signature.summary}`,
}))

export const wrongArgument = wordedAt(
  (argument: Operand, called: Called, parameter: Parameter) => ({
    code: 'wrong-argument',
    message: `${callForm(called.name, called.signature)} expects ${anyOf(parameter.accepts.map((type) => A_TYPE[type]))} for ${inBackticks(parameter.name)}, not ${A_TYPE[argument.type]}.`,
    label: A_TYPE[argument.type],
    help: conversionHelp(parameter.accepts, argument),
  }),
)

function conversionHelp(accepts: readonly Type[], { text, type }: Operand): string | undefined {
  const name = isSimple(text) ? text : type === 'string' ? text : 'status'
  const value = name.length < 60 ? name : 'status'
  if (accepts.includes('string')) return `convert it with \`tostring(${value})\``
  if (accepts.includes('bool')) return 'for example `status >= 500`'
  if (accepts.includes('timespan') && type === 'int') return 'timespans have a unit: `90s`, `1.5h`'
  if (type !== 'string') return undefined
  const timespan = /^(["'])(\d+(?:\.\d+)?(?:d|h|m|s|ms))\1$/.exec(text)?.[2]
  if (accepts.includes('timespan') && timespan !== undefined) {
    return `write timespans without quotes: \`${timespan}\``
  }
  const isNumber = accepts.includes('real') || accepts.includes('int')
  const number = /^(["'])(-?\d+(?:\.\d+)?)\1$/.exec(text)?.[2]
  if (isNumber && number !== undefined) return `write numbers without quotes: \`${number}\``
  if (!accepts.includes('datetime') && /^["'][A-Z]\w*\/[A-Z][\w/]*["']$/.test(text)) {
    return ZONE_HABIT
  }
  if (isNumber && !accepts.includes('datetime') && /^["']/.test(text)) return undefined
  if (accepts.includes('real') && accepts.includes('datetime')) {
    return `convert it with \`todatetime(${value})\` or \`toreal(${value})\``
  }
  if (accepts.includes('real')) return `convert it with \`toreal(${value})\``
  if (accepts.includes('int')) return `convert it with \`toint(${value})\``
  if (accepts.includes('datetime')) return `convert it with \`todatetime(${value})\``
  if (accepts.includes('timespan')) return 'write timespans without quotes: `90s`, `1.5h`'
  if (accepts.includes('dynamic')) return `parse JSON with \`parse_json(${value})\``
  return undefined
}

/** `percentile(x, p)` where `p` is a field. */
export const notAConstant = wordedAt((_: Span, called: Called, parameter: string) => ({
  code: 'not-a-constant',
  message: `\`${parameter}\` of ${callForm(called.name, called.signature)} must be a constant.`,
  label: 'not a constant',
}))

/** `ensure_field("status", int)`. */
export const notAType = worded({
  code: 'not-a-type',
  message: 'A type is written as in `typeof(int)`.',
  label: 'not a type',
  help: '`ensure_field("status", typeof(int))`; types: bool, datetime, dynamic, int, real, string, timespan',
})

export const percentileOutOfRange = worded({
  code: 'percentile-out-of-range',
  message: 'A percentile must be between 0 and 100.',
  label: 'out of range',
  help: 'the median is `percentile(duration, 50)`',
})

/** `percentile(duration, 0.95)`. */
export function percentileOfShare({ text }: Excerpt): string {
  return `Percentiles are from 0 to 100, so ${inBackticks(text)} is close to the minimum.`
}

/** `topk(uri, 0)`, `histogram(duration, -1)`. */
export const countOutOfRange = wordedAt(
  ({ most }: { readonly span: Span; readonly most: bigint }, name: string) => ({
    code: 'count-out-of-range',
    message: `The count of \`${name}\` must be between 1 and ${formatInteger(most)}.`,
    label: 'out of range',
  }),
)

/** `bin(_time, 60)`, `bin(status, 1h)`. */
export const wrongBin = wordedAt((_: Span, type: Type) => {
  const isTime = type === 'datetime' || type === 'timespan'
  return {
    code: 'wrong-bin',
    message: `The bin size for ${A_TYPE[type]} must be a ${isTime ? 'timespan' : 'number'} greater than 0.`,
    label: isTime ? 'not a timespan greater than 0' : 'not a number greater than 0',
    help: isTime ? '`bin(_time, 5m)`' : '`bin(duration, 10)`',
  }
})

/** `datetime_part("fortnight", _time)`. */
export const unknownTimePart = wordedAt(
  (
    part: Identifier,
    { of, parts }: { readonly of: string; readonly parts: readonly string[] },
  ) => ({
    code: 'unknown-time-part',
    message: `There is no part of time ${inBackticks(part.name)}.`,
    label: suggestion(part.name, parts) ?? 'unknown part of time',
    help: `parts of \`${of}\`: ${parts.join(', ')}`,
  }),
)

/** `array_extract(tags, "name")`. */
export const badJsonPath = worded({
  code: 'bad-json-path',
  message: 'A JSON path starts with `$`, followed by member names, array positions and `*`.',
  label: 'not a JSON path',
  help: 'for example `array_extract(tags, "$[*].name")` or `array_extract(tags, "$[0][\'first name\']")`',
})

/** `range(1, 1h)`. */
export const wrongRange = worded({
  code: 'wrong-range',
  message: '`range` takes numbers, or two datetimes or timespans with a timespan as the step.',
  label: 'types do not match',
  help: '`range(0, 100, 10)`, `range(ago(1d), now(), 15m)`',
})

/** `bag_pack("method")`. */
export const pairForm = wordedAt(({ name }: Identifier) => ({
  code: 'wrong-argument-count',
  message: `\`${name}\` takes key-value pairs.`,
  label: 'a value is missing',
  help: `\`${name}("method", method, "uri", uri)\``,
}))

export const caseForm = worded({
  code: 'wrong-argument-count',
  message: '`case` takes pairs of a condition and a value, followed by a default.',
  label: 'wrong number of arguments',
  help: '`case(status >= 500, "bad", status >= 400, "poor", "good")`',
})

export interface BadRegex {
  readonly pattern: string
  readonly reason: 'look-around' | 'back-reference' | 'structure'
  readonly span: Span
}

const REGEX_REASON = {
  'look-around': 'Look-around is not supported in regular expressions.',
  'back-reference': 'Backreferences are not supported in regular expressions.',
  structure: 'The regular expression is malformed.',
} as const

export const badRegex = wordedAt(({ pattern, reason }: BadRegex) => ({
  code: 'bad-regex',
  message: REGEX_REASON[reason],
  label: reason === 'structure' ? flaw(pattern) : 'not supported by RE2',
  help:
    reason === 'structure'
      ? 'escape special characters with a backslash: `@"\\("`'
      : 'regular expressions use the syntax of RE2; combine two conditions instead: `uri matches regex "a" and uri !matches regex "b"`',
}))

function flaw(pattern: string): string {
  return pattern === '' ? 'empty' : 'unbalanced bracket, bad repetition or trailing backslash'
}

/** `extract_all("(a)", dynamic([2]), text)`. */
export const noSuchGroup = wordedAt(
  (_: Span, { wellFormed, most }: { readonly wellFormed: boolean; readonly most: number }) => ({
    code: 'no-such-group',
    message: wellFormed
      ? `The regular expression has no such group: the last one is ${most}.`
      : 'The groups must be an array of group numbers.',
    label: wellFormed ? 'no such group' : 'not an array of group numbers',
    help: 'group 0 is the whole match, group 1 the first in parentheses: `extract_all("([a-z]+)=([0-9]+)", dynamic([1, 2]), message)`',
  }),
)

/** `\1` in a rewrite. */
export const backslashGroup = wordedAt(
  (_: Span, { reference, digit }: { readonly reference: string; readonly digit: string }) => ({
    code: 'no-such-group',
    message: `\`${reference}\` does not refer to a group: groups are written with a dollar sign, as \`$${digit}\`.`,
    label: `\`$${digit}\` is the group`,
    help: 'a group is a part of the regular expression in parentheses: `replace_regex("user=([0-9]+)", "user $1", message)`',
  }),
)

const COUNT_HELP: Readonly<Record<string, string>> = {
  'mv-expand': '`mv-expand tags limit 10`',
  top: '`top 10 by _time`',
}

export const badCount = wordedAt((_: Span, operator: string) => ({
  code: 'bad-count',
  message: `\`${operator}\` needs a constant integer greater than 0.`,
  label: 'not a positive integer constant',
  help: COUNT_HELP[operator] ?? `\`${operator} 10\``,
}))

/** `sort by 1`. */
export const constantSortKey = worded({
  code: 'constant-sort-key',
  message: 'The sort key is the same for every row.',
  label: 'a constant',
  help: 'sort by a column: `sort by _time desc`',
})

/** `message.part` where the field is a string, `_time.hour`. */
export const noParts = wordedAt(({ text, type }: Operand) => ({
  code: 'no-parts',
  message: `${A_TYPE[type].replace(/^./, toUpper)} has no members or elements.`,
  label: A_TYPE[type],
  ...(type === 'string' && {
    help: `parse JSON with \`parse_json(${isSimple(text) ? text : 'message'})\``,
  }),
  ...(type === 'datetime' && {
    help: `for a part of a time, use \`datetime_part("hour", ${isSimple(text) ? text : '_time'})\``,
  }),
}))

export const badIndex = wordedAt((operand: Operand) => ({
  code: 'bad-index',
  message: `An index must be a string or an integer, not ${A_TYPE[operand.type]}.`,
  label: A_TYPE[operand.type],
  help: "`geo['city']`, `tags[0]`",
}))

export const starHere = worded({
  code: 'star',
  message: '`*` is not a value.',
  label: 'not allowed here',
  help: 'to count rows, use `count()`; all columns are returned unless `project` selects some',
})
