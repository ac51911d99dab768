import { join } from '../../text/span.js'
import * as languageProblem from '../problem/language.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Identifier, SortKey } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'

/** SortKey : Expression ( `asc` | `desc` )? ( `nulls` ( `first` | `last` ) )? */
export function sortKey(parser: ExpressionParser): SortKey {
  const start = parser.peek().span
  const value = parser.expression()
  const direction = parser.takeWord('asc', 'desc')?.text
  const nulls = parser.takeWord('nulls') && parser.expectWord('first', 'last')
  const shouted = parser.peek()
  if (shouted.kind === 'name' && /^(ASC|DESC|NULLS)$/.test(shouted.text)) {
    throw new Stop(languageProblem.wrongCase(shouted.text, shouted.span))
  }
  return {
    value,
    ...(direction && { direction }),
    ...(nulls && { nulls: nulls.text }),
    span: join(start, parser.last()),
  }
}

/** Takes the `by` that must follow the word. */
export function expectBy(parser: ExpressionParser, word: Identifier): void {
  if (parser.takeWord('by') === undefined) {
    throw new Stop(syntaxProblem.missingBy(word, parser.shown(parser.peek())))
  }
}
