import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'
import { type Excerpt, inBackticks, isSimple, wordedAt } from './wording.js'

// Types of operands.

/** The types as messages name them, with the article. */
export const A_TYPE: Readonly<Record<Type, string>> = {
  bool: 'a boolean',
  int: 'an integer',
  real: 'a number',
  string: 'a string',
  datetime: 'a datetime',
  timespan: 'a timespan',
  dynamic: 'a dynamic value',
}

/** `where status`. */
export const notACondition = wordedAt((written: Excerpt, type: Type) => ({
  code: 'not-a-condition',
  message: `A condition must be a boolean, not ${A_TYPE[type]}.`,
  label: A_TYPE[type],
  help: isSimple(written.text) ? conditionHelp(type, written.text) : 'for example `status >= 500`',
}))

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
export const cannotCompare = wordedAt(({ operator, left, right }: Operation) => ({
  code: 'cannot-compare',
  message: `\`${operator}\` cannot compare ${A_TYPE[left.type]} with ${A_TYPE[right.type]}.`,
  label: `${left.type}, ${right.type}`,
  help: compareHelp(left, right) ?? compareHelp(right, left),
}))

function compareHelp(one: Operand, other: Operand): string | undefined {
  const isNumber = other.type === 'int' || other.type === 'real'
  if (one.type === 'datetime' && other.type === 'string')
    return `convert the string with \`todatetime(${nameOf(other, 'started')})\``
  if (one.type === 'datetime') {
    const name = nameOf(one, 'started')
    return `compare it with a datetime: \`${name} > ago(1h)\`, \`${name} > datetime(2026-01-31)\``
  }
  if (one.type === 'timespan' && isNumber)
    return `compare a number with a number, which has no unit: \`${nameOf(other, 'duration')} > 1000\``
  if (one.type === 'timespan') return 'compare it with a timespan: `90s`, `1.5h`'
  if (one.type === 'bool' && /^(?:true|false)$/.test(one.text)) {
    return `convert the value: \`tobool(${nameOf(other, 'status')})\``
  }
  if (one.type === 'bool') return `use the boolean on its own: \`${nameOf(one, 'ok')}\``
  if (one.type !== 'string' || !isNumber) return undefined
  if (/^["'@]/.test(one.text))
    return `write numbers without quotes: \`${nameOf(other, 'status')} == 200\``
  return `convert the string with \`toreal(${nameOf(one, 'duration')})\``
}

/** Returns the text of an operand, or a name that stands for an operand with a long text. */
function nameOf({ text }: Operand, otherwise: string): string {
  return isSimple(text) ? text : otherwise
}

/** `"path" == "/a"`. */
export function quotedField({ text }: Excerpt, field: string): string {
  return `${inBackticks(text)} is a string, not the field. Write it without quotes, or as ${inBackticks(`['${field}']`)}.`
}

/** `time > "2026-01-31 10:00"`. */
export function timeAsString({ text }: Excerpt): string {
  return `${inBackticks(text)} is compared as a string, not as a time. The time of an event is \`_time\`; other fields are converted with \`todatetime(${text})\`.`
}

/** `_time == "yesterday"`. */
export const notATime = wordedAt(({ text }: Excerpt) => ({
  code: 'not-a-time',
  message: `${inBackticks(text)} is not a datetime.`,
  label: 'compared with a datetime',
  help: 'for example `datetime(2026-01-31T12:00:00Z)` or `ago(1h)`',
}))

/** `"a" + 1`. */
export const cannotCombine = wordedAt(({ operator, left, right }: Operation) => ({
  code: 'cannot-combine',
  message: `\`${operator}\` cannot be applied to ${A_TYPE[left.type]} and ${A_TYPE[right.type]}.`,
  label: `${left.type}, ${right.type}`,
  help: combineHelp(left, right),
}))

function combineHelp(left: Operand, right: Operand): string | undefined {
  const time = left.type === 'datetime' || right.type === 'datetime'
  const dynamic = left.type === 'dynamic' || right.type === 'dynamic'
  const text = left.type === 'string' || right.type === 'string'
  if (time && text) {
    return 'add a timespan, which has no quotes: `_time + 90s`; convert strings with `todatetime(started)` or `totimespan(duration)`'
  }
  if (text) {
    return 'join strings with `strcat(method, " ", uri)`; convert them to numbers with `toreal(duration)`'
  }
  if (time && dynamic) {
    return 'convert the dynamic value first: `todatetime(started)` or `totimespan(duration)`'
  }
  if (time) return 'add a timespan: `_time + 90s`'
  return undefined
}

function booleanHelp(operand: Operand, operator: string): string {
  if (operator === 'not') return '`not(status == 200)`'
  // `message has "disk" or "full"`.
  if (/^["'@]/.test(operand.text)) {
    return `repeat the comparison: \`message has "disk" ${operator} message has "full"\``
  }
  return conditionHelp(operand.type, nameOf(operand, 'status'))
}

const TAKES = {
  text: 'takes strings',
  number: 'takes a number or a timespan',
  condition: 'takes booleans',
} as const

/** `status contains "5"`, `-method`, `status and ok`. */
export const wrongOperand = wordedAt(
  (operand: Operand, operator: string, takes: keyof typeof TAKES) => {
    const { text, type } = operand
    const name = nameOf(operand, 'status')
    const help = {
      text: /^\d+$/.test(text)
        ? `put strings in quotes: \`"${text}"\``
        : `convert it with \`tostring(${name})\``,
      number: `convert it with \`toreal(${name})\`; to remove a column, use \`project-away ${name}\``,
      condition: booleanHelp(operand, operator),
    }
    return {
      code: 'wrong-operand',
      message: `\`${operator}\` ${TAKES[takes]}, not ${A_TYPE[type]}.`,
      label: A_TYPE[type],
      help: help[takes],
    }
  },
)
