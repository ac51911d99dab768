import { joinSpans } from '../../text/span.js'
import * as operatorProblem from '../problem/operator.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Expression, Identifier, Operator } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { takeSetting, wordValue } from './setting.js'

/** Reduce : `reduce` ( `kind` `=` `source` )? `by` Expression ( `with` `threshold` `=` Expression )? */
export function reduce(parser: ExpressionParser, word: Identifier): Operator {
  const keepsRows = takeSetting(parser, 'kind') && wordValue(parser, ['source']) === 'source'
  if (parser.takeWord('by') === undefined) {
    throw new Stop(syntaxProblem.missingBy(word, parser.shown(parser.peek())))
  }
  const value = parser.expression()
  const threshold: Expression | undefined = parser.takeWord('with') && reduceSetting(parser)
  const span = joinSpans(word.span, parser.last())
  return { kind: 'reduce', keepsRows, value, threshold, span }
}

function reduceSetting(parser: ExpressionParser): Expression {
  const at = parser.peek().span
  if (takeSetting(parser, 'characters')) throw new Stop(operatorProblem.reduceCharacters(at))
  if (!takeSetting(parser, 'threshold')) parser.nothing('`threshold=` and a share')
  const threshold = parser.expression()
  if (parser.takeSign(',') !== undefined) {
    const next = parser.peek().span
    if (takeSetting(parser, 'characters')) throw new Stop(operatorProblem.reduceCharacters(next))
    parser.nothing('`|` or the end of the query')
  }
  return threshold
}
