import { joinSpans } from '../../text/span.js'
import type { ColumnOrder, ColumnPlace, Identifier, Operator, Rename } from '../syntax/ast.js'
import type { ExpressionParser } from './expression.js'
import { columnName, namePattern } from './name.js'

/** Columns : ( `project-away` | `project-keep` ) NamePattern ( `,` NamePattern )* */
export function projectPatterns(
  parser: ExpressionParser,
  kind: 'project-away' | 'project-keep',
  word: Identifier,
): Operator {
  const patterns = parser.list(() => namePattern(parser))
  return { kind, patterns, span: joinSpans(word.span, parser.last()) }
}

/** ProjectRename : `project-rename` Rename ( `,` Rename )* */
export function projectRename(parser: ExpressionParser, word: Identifier): Operator {
  const renames = parser.list(() => rename(parser))
  return { kind: 'project-rename', renames, span: joinSpans(word.span, parser.last()) }
}

/** Rename : Name `=` Name */
function rename(parser: ExpressionParser): Rename {
  const name = columnName(parser) ?? parser.nothing('a new column name')
  parser.expectSign('=', '`=` and the current name of the column')
  const column = namePattern(parser)
  return { name, column, span: joinSpans(name.span, column.span) }
}

/** ProjectReorder : `project-reorder` ColumnPlace ( `,` ColumnPlace )* */
export function projectReorder(parser: ExpressionParser, word: Identifier): Operator {
  const places = parser.list(() => columnPlace(parser))
  return { kind: 'project-reorder', places, span: joinSpans(word.span, parser.last()) }
}

/** ColumnPlace : NamePattern ( `asc` | `desc` | `granny-asc` | `granny-desc` )? */
function columnPlace(parser: ExpressionParser): ColumnPlace {
  const pattern = namePattern(parser)
  const order = columnOrder(parser)
  return { pattern, order }
}

function columnOrder(parser: ExpressionParser): ColumnOrder | undefined {
  const natural = parser.takeWord('granny') !== undefined
  if (natural) parser.expectSign('-', '`-asc` or `-desc`')
  const direction = natural
    ? parser.expectWord('asc', 'desc').text
    : parser.takeWord('asc', 'desc')?.text
  return natural && direction ? `granny-${direction}` : direction
}
