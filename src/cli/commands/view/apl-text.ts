// The parts of queries that keys add.

import { formatName } from '../../../apl/language.js'
import { isNumber } from '../../../render/cell.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { insideQuotes, instantText, quotedName } from '../../query/quoted-name.js'

/** The start of a span of time, and its end, which is excluded, in nanoseconds since 1970. */
export type Span = readonly [from: bigint, to: bigint]

/** Returns a string in single quotes, which need no escapes inside the quotes of a shell. */
export function aplString(value: string): string {
  return `'${insideQuotes(value, "'")}'`
}

/** Returns the name of a field as a query writes it, with single quotes if it needs any. */
export function aplField(name: string): string {
  return formatName(name) === name ? name : quotedName(name)
}

type Comparison = '==' | '!=' | '<=' | '>='

interface Compared {
  readonly field: string
  readonly type: string
  /** Undefined or `null` for an absent value. */
  readonly cell: JsonText | undefined
  readonly comparison: Comparison
}

/** Returns the operator that keeps rows by a value; undefined when values of its type do not support the comparison. */
export function whereValue({ field, type, cell, comparison }: Compared): string | undefined {
  const name = aplField(field)
  const isEquality = comparison === '==' || comparison === '!='
  if (cell === undefined || cell === 'null') {
    if (!isEquality) return undefined
    return `where ${comparison === '==' ? 'isnull' : 'isnotnull'}(${name})`
  }
  const value = literalOf(cell, type)
  if (value === undefined) return undefined
  const isOrdered = isNumber(cell) || type === 'datetime' || type === 'timespan'
  if (!isEquality && !isOrdered) return undefined
  return `where ${name} ${comparison} ${value}`
}

function literalOf(cell: JsonText, type: string): string | undefined {
  if (type === 'timespan') return isNumber(cell) ? `timespan(${cell}ns)` : undefined
  if (cell.startsWith('"')) {
    const text = JSON.parse(cell) as string
    return type === 'datetime' ? `datetime(${text})` : aplString(text)
  }
  return cell === 'true' || cell === 'false' || isNumber(cell) ? cell : undefined
}

/** Returns the condition that an event is in a span of time, of which the end is excluded. */
export function during([from, to]: Span): string {
  return `_time >= ${instantText(from)} and _time < ${instantText(to)}`
}

/** A text to search, or a regular expression. */
export interface SearchText {
  readonly text: string
  readonly isRegex: boolean
}

/** Returns the operator for a text typed after `&`: it keeps events with the text in any field, or without the text after `!`. */
export function textFilter({ text, isRegex }: SearchText): string {
  return text.startsWith('!')
    ? `where * !${condition({ text: text.slice(1), isRegex })}`
    : `where ${containing({ text, isRegex })}`
}

/** Returns the condition that an event has a text in any field. */
export function containing(search: SearchText): string {
  return `* ${condition(search)}`
}

/** Returns a comparison that ignores case. In a regular expression, `^` and `$` match at the ends of each line. */
function condition({ text, isRegex }: SearchText): string {
  return isRegex ? `matches regex ${aplString(`(?im)${text}`)}` : `contains ${aplString(text)}`
}
