import type { Assignment } from '../syntax/ast.js'
import type { ExpressionParser } from './expression.js'
import { assignedName } from './name.js'

/** Assignments : Assignment ( `,` Assignment )* */
export function assignments(parser: ExpressionParser): readonly Assignment[] {
  return parser.list(() => assignment(parser))
}

/** Assignment : ( AssignedName `=` )? Expression */
export function assignment(parser: ExpressionParser): Assignment {
  const name = assignedName(parser)
  const start = name ?? parser.peek()
  const value = parser.expression()
  return { name, value, span: parser.since(start.span) }
}
