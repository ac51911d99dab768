import { join } from '../../text/span.js'
import type { Assignment, Identifier } from '../ast.js'
import type { ExpressionParser } from './expression.js'

/** Assignments : Assignment ( `,` Assignment )* */
export function assignments(parser: ExpressionParser): readonly Assignment[] {
  return parser.list(() => assignment(parser))
}

/** Assignment : ( AssignedName `=` )? Expression */
export function assignment(parser: ExpressionParser): Assignment {
  const name = assignedName(parser)
  const start = name ?? parser.peek()
  const value = parser.expression()
  return { ...(name && { name }), value, span: join(start.span, parser.last()) }
}

/** AssignedName : Name ( `.` Name )* | `[` String `]` | String, when `=` follows */
export function assignedName(parser: ExpressionParser): Identifier | undefined {
  const start = parser.at
  const name = columnName(parser)
  if (name !== undefined && parser.takeSign('=') !== undefined) return name
  parser.at = start
  return undefined
}

/** ColumnName : Name ( `.` Name )* | `[` String `]` | String */
export function columnName(parser: ExpressionParser): Identifier | undefined {
  const token = parser.peek()
  if (token.kind === 'literal' && typeof token.value === 'string') {
    parser.at++
    return token.type === 'string' ? { name: token.value, span: token.span } : undefined
  }
  if (parser.isQuotedName()) return parser.quotedName()
  if (token.kind !== 'name') return undefined
  const parts = [parser.name()]
  while (parser.isSign('.') && parser.tokens[parser.at + 1]?.kind === 'name') {
    parser.at++
    parts.push(parser.name())
  }
  return {
    name: parts.map((part) => part.name).join('.'),
    span: join(parts[0]!.span, parser.last()),
  }
}
