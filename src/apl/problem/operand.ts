import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'
import { type Excerpt, inBackticks, isSimple, withHelp } from './wording.js'

// Types of operands.

export const TYPE_NOUN: Readonly<Record<Type, string>> = {
  bool: 'boolean',
  int: 'whole number',
  real: 'number',
  string: 'text',
  datetime: 'datetime',
  timespan: 'timespan',
  dynamic: 'dynamic value',
}

/** `where status`. */
export function notACondition(type: Type, written: Excerpt): Problem {
  return {
    code: 'not-a-condition',
    message: `A condition is true or false; this is a ${TYPE_NOUN[type]}.`,
    span: written.span,
    label: `a ${TYPE_NOUN[type]}`,
    help: isSimple(written.text)
      ? conditionHelp(type, written.text)
      : 'for example `status >= 500`',
  }
}

function conditionHelp(type: Type, text: string): string {
  const example = type === 'string' ? `\`${text} == "…"\`` : `\`${text} > 0\``
  const compared = type === 'datetime' || type === 'timespan' ? '' : `${example} or `
  return `${compared}\`isnotnull(${text})\``
}

export interface Operation {
  readonly operator: string
  readonly span: Span
  readonly left: Operand
  readonly right: Operand
}

export interface Operand extends Excerpt {
  readonly type: Type
}

/** `status == "abc"`, `_time > 5`. */
export function cannotCompare({ operator, span, left, right }: Operation): Problem {
  return {
    code: 'cannot-compare',
    message: `\`${operator}\` cannot compare a ${TYPE_NOUN[left.type]} with a ${TYPE_NOUN[right.type]}.`,
    span,
    label: `${left.type}, ${right.type}`,
    ...withHelp(compareHelp(left, right) ?? compareHelp(right, left)),
  }
}

function compareHelp(one: Operand, other: Operand): string | undefined {
  const name = isSimple(one.text) ? one.text : 'started'
  if (one.type === 'datetime')
    return `times are compared with times: \`${name} > ago(1h)\`, \`${name} > datetime(2026-01-31)\``
  if (one.type === 'timespan') return 'timespans are compared with timespans: `90s`, `1.5h`'
  if (one.type === 'bool')
    return `a condition stands alone: \`${isSimple(one.text) ? one.text : 'ok'}\``
  if (one.type === 'string' && (other.type === 'int' || other.type === 'real')) {
    if (/^["'@]/.test(one.text)) {
      return `numbers stand without quotes: \`${isSimple(other.text) ? other.text : 'status'} == 200\``
    }
    return `texts are read as numbers by \`toreal(${isSimple(one.text) ? one.text : 'duration'})\``
  }
  return undefined
}

/** `_time == "yesterday"`. */
export function notATime({ text, span }: Excerpt): Problem {
  return {
    code: 'not-a-time',
    message: `${inBackticks(text)} is not a time.`,
    span,
    label: 'compared with a datetime',
    help: 'for example `datetime(2026-01-31T12:00:00Z)` or `ago(1h)`',
  }
}

/** `"a" + 1`. */
export function cannotCombine({ operator, span, left, right }: Operation): Problem {
  const text = left.type === 'string' || right.type === 'string'
  return {
    code: 'cannot-combine',
    message: `\`${operator}\` cannot combine a ${TYPE_NOUN[left.type]} and a ${TYPE_NOUN[right.type]}.`,
    span,
    label: `${left.type}, ${right.type}`,
    ...withHelp(
      text
        ? 'texts are joined by `strcat(method, " ", uri)` and read as numbers by `toreal(duration)`'
        : combineHelp(left, right),
    ),
  }
}

function combineHelp(left: Operand, right: Operand): string | undefined {
  const time = left.type === 'datetime' || right.type === 'datetime'
  const dynamic = left.type === 'dynamic' || right.type === 'dynamic'
  if (time && dynamic) {
    return 'what the value is must be said: `todatetime(started)` or `totimespan(duration)`'
  }
  if (time) return 'a time is moved by a timespan: `_time + 90s`'
  return undefined
}

interface WrongOperand {
  readonly operator: string
  readonly takes: 'text' | 'number' | 'condition'
  readonly operand: Operand
}

const TAKES = {
  text: 'takes text',
  number: 'takes a number or a timespan',
  condition: 'takes conditions',
} as const

/** `status contains "5"`, `-method`, `status and ok`. */
export function wrongOperand({ operator, takes, operand }: WrongOperand): Problem {
  const { text, type, span } = operand
  const name = isSimple(text) ? text : 'status'
  const help = {
    text: /^\d+$/.test(text)
      ? `a text stands in quotes: \`"${text}"\``
      : `a value becomes text by \`tostring(${name})\``,
    number: `texts are read as numbers by \`toreal(${name})\``,
    condition: operator === 'not' ? '`not(status == 200)`' : conditionHelp(type, name),
  }
  return {
    code: 'wrong-operand',
    message: `\`${operator}\` ${TAKES[takes]}, not a ${TYPE_NOUN[type]}.`,
    span,
    label: `a ${TYPE_NOUN[type]}`,
    help: help[takes],
  }
}
