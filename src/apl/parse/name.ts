import { ownValue } from '../../text/own-value.js'
import { NAMING_HABIT } from '../problem/habits.js'
import { otherLanguage } from '../problem/language.js'
import * as operatorProblem from '../problem/operator.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Identifier, NamePattern } from '../syntax/ast.js'
import { textOf } from '../syntax/string-literal.js'
import { isSign } from '../syntax/token.js'
import { TYPE_WORDS, type Type } from '../type.js'
import { type Cursor, Stop } from './cursor.js'

/** AssignedName : Name ( `.` Name )* | `[` String `]` | String, when `=` follows */
export function assignedName(parser: Cursor): Identifier | undefined {
  const start = parser.at
  const name = columnName(parser)
  if (name !== undefined && parser.takeSign('=') !== undefined) return name
  if (name !== undefined && parser.isSign(':')) {
    throw new Stop(otherLanguage({ ...parser.peek(), name: ':' }, NAMING_HABIT))
  }
  parser.at = start
  return undefined
}

/** ColumnName : Name ( `.` Name )* | `[` String `]` | String */
export function columnName(parser: Cursor): Identifier | undefined {
  const token = parser.peek()
  if (textOf(token) !== undefined) return { name: parser.string('a name'), span: token.span }
  if (parser.isQuotedName()) return parser.quotedName()
  if (token.kind !== 'name') return undefined
  const parts = [parser.name()]
  while (parser.isSign('.') && parser.tokens[parser.at + 1]?.kind === 'name') {
    parser.at++
    parts.push(parser.name())
  }
  return {
    name: parts.map((part) => part.name).join('.'),
    span: parser.since(parts[0]!.span),
  }
}

/** NamePattern : ( Name | `[` String `]` | `*` | `.` | Digits )+, without spaces, and without digits or a dot at the start */
export function namePattern(parser: Cursor): NamePattern {
  const start = parser.peek().span
  let pattern = ''
  do {
    const token = parser.peek()
    const digits = pattern === '' ? undefined : takeDigits(parser)
    if (digits !== undefined) pattern += digits
    else if (parser.isQuotedName()) pattern += parser.quotedName().name
    else if (token.kind === 'name') pattern += parser.name().name
    else if (parser.takeSign('*') !== undefined) pattern += '*'
    else if (pattern !== '' && parser.takeSign('.') !== undefined) pattern += '.'
    else throw new Stop(syntaxProblem.unexpected(parser.shown(token), 'a column name'))
  } while (parser.peek().span.start === parser.last().end && !isListEnd(parser))
  return { pattern, span: parser.since(start) }
}

/** NamePatterns : NamePattern ( `,` NamePattern )* */
export function namePatterns(parser: Cursor): readonly NamePattern[] {
  return parser.list(() => namePattern(parser))
}

/** Takes the digits of a name after a `*`, which alone would be a number. */
function takeDigits(parser: Cursor): string | undefined {
  const { text } = parser.shown(parser.peek())
  if (!/^\d+$/.test(text)) return undefined
  parser.at++
  return text
}

function isListEnd(parser: Cursor): boolean {
  const token = parser.peek()
  return token.kind === 'end' || isSign(token, ',', '|', ';', ')')
}

/** TypeName : `string` | `int` | `long` | … */
export function typeName(parser: Cursor): Type {
  const token = parser.peek()
  const type = token.kind === 'name' ? ownValue(TYPE_WORDS, token.text) : undefined
  if (type === undefined) throw new Stop(operatorProblem.unknownType(parser.shown(token)))
  parser.at++
  return type
}

/** TypeOf : `typeof` `(` TypeName `)` */
export function typeOf(parser: Cursor): Type {
  if (parser.takeWord('typeof') === undefined) parser.nothing('`typeof(string)` or another type')
  return parser.enclosed('`(` and a type', () => typeName(parser))
}

/** Name `:` */
export function typedName(parser: Cursor): Identifier {
  const name = parser.anyName()
  parser.expectSign(':', '`:` and a type')
  return name
}
