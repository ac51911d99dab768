import { join } from '../../text/span.js'
import type { Datatable, DatatableColumn, Expression, Identifier } from '../syntax/ast.js'
import type { NameToken } from '../syntax/token.js'
import type { ExpressionParser } from './expression.js'
import { typeName } from './type-name.js'

/** Datatable : `datatable` `(` Column ( `,` Column )* `)` `[` ( Expression ( `,` Expression )* `,`? )? `]` */
export function datatable(parser: ExpressionParser, word: NameToken): Datatable {
  parser.at++
  const open = parser.expectSign('(', '`(`')
  const columns = parser.list(() => column(parser))
  parser.close(')', open)
  const bracket = parser.expectSign('[', '`[` and the values')
  const values: Expression[] = []
  while (!parser.isSign(']')) {
    values.push(parser.expression())
    if (parser.takeSign(',') === undefined) break
  }
  const span = join(word.span, parser.close(']', bracket))
  return { kind: 'datatable', columns, values, span }
}

/** Column : Name `:` Type */
function column(parser: ExpressionParser): DatatableColumn {
  const name = typedName(parser)
  return { name, type: typeName(parser) }
}

/** Name `:` */
export function typedName(parser: ExpressionParser): Identifier {
  const name = parser.isQuotedName() ? parser.quotedName() : parser.name()
  parser.expectSign(':', '`:` and a type')
  return name
}
