import { join } from '../../text/span.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { NamePattern } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'

/** NamePattern : ( Name | `[` String `]` | `*` | `.` )+, without spaces */
export function namePattern(parser: ExpressionParser): NamePattern {
  const start = parser.peek().span
  let pattern = ''
  do {
    const token = parser.peek()
    if (parser.isQuotedName()) pattern += parser.quotedName().name
    else if (token.kind === 'name') pattern += parser.name().name
    else if (parser.takeSign('*') !== undefined) pattern += '*'
    else if (pattern !== '' && parser.takeSign('.') !== undefined) pattern += '.'
    else throw new Stop(syntaxProblem.unexpected(parser.shown(token), 'the name of a column'))
  } while (parser.peek().span.start === parser.last().end && !isListEnd(parser))
  return { pattern, span: join(start, parser.last()) }
}

function isListEnd(parser: ExpressionParser): boolean {
  const token = parser.peek()
  return token.kind === 'end' || (token.kind === 'sign' && /^[,|;)]$/.test(token.text))
}
