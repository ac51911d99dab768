import { joinSpans } from '../../text/span.js'
import type { ExpandItem, Expression, Identifier, Operator } from '../syntax/ast.js'
import { assignment } from './assignment.js'
import type { ExpressionParser } from './expression.js'
import { typeOf } from './name.js'
import { takeSetting, wordValue } from './setting.js'

/** MvExpand : `mv-expand` Setting* ExpandItem ( `,` ExpandItem )* ( `limit` Expression )? */
export function mvExpand(parser: ExpressionParser, word: Identifier): Operator {
  let bags = false
  let index: Identifier | undefined
  for (;;) {
    if (takeSetting(parser, 'kind')) bags = wordValue(parser, ['bag', 'array']) === 'bag'
    else if (takeSetting(parser, 'bagexpansion'))
      bags = wordValue(parser, ['bag', 'array']) === 'bag'
    else if (takeSetting(parser, 'with_itemindex')) index = parser.expectName('a name')
    else break
  }
  const items = parser.list(() => expandItem(parser))
  const limit: Expression | undefined =
    parser.takeWord('limit') === undefined ? undefined : parser.expression()
  const span = joinSpans(word.span, parser.last())
  return { kind: 'mv-expand', bags, index, items, limit, span }
}

/** ExpandItem : Assignment ( `to` TypeOf )? */
function expandItem(parser: ExpressionParser): ExpandItem {
  const { name, value, span } = assignment(parser)
  const type = parser.takeWord('to') === undefined ? undefined : typeOf(parser)
  return { name, value, type, span: joinSpans(span, parser.last()) }
}
