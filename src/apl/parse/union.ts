import { join } from '../../text/span.js'
import type { Identifier, Union } from '../ast.js'
import type { ExpressionParser } from './expression.js'
import { operand } from './source.js'

/** Union : `union` ( `withsource` `=` Name )? Operand ( `,` Operand )*, its word already taken */
export function union(parser: ExpressionParser, word: Identifier): Union {
  const withSource = sourceColumn(parser)
  const parts = parser.list(() => operand(parser))
  return {
    kind: 'union',
    ...(withSource && { withSource }),
    parts,
    span: join(word.span, parser.last()),
  }
}

function sourceColumn(parser: ExpressionParser): Identifier | undefined {
  const start = parser.at
  if (parser.takeWord('withsource') === undefined) return undefined
  if (parser.takeSign('=') !== undefined) {
    return parser.isQuotedName() ? parser.quotedName() : parser.name()
  }
  parser.at = start
  return undefined
}
