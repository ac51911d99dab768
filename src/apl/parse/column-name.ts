import { join } from '../../text/span.js'
import type { Identifier } from '../syntax/ast.js'
import type { Cursor } from './cursor.js'

/** AssignedName : Name ( `.` Name )* | `[` String `]` | String, when `=` follows */
export function assignedName(parser: Cursor): Identifier | undefined {
  const start = parser.at
  const name = columnName(parser)
  if (name !== undefined && parser.takeSign('=') !== undefined) return name
  parser.at = start
  return undefined
}

/** ColumnName : Name ( `.` Name )* | `[` String `]` | String */
export function columnName(parser: Cursor): Identifier | undefined {
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
