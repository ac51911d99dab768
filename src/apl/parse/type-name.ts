import * as operatorProblem from '../problem/operator.js'
import { isTypeWord, TYPE_WORDS, type Type } from '../type.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'

/** TypeName : `string` | `int` | `long` | … */
export function typeName(parser: ExpressionParser): Type {
  const token = parser.peek()
  const type = token.kind === 'name' && isTypeWord(token.text) ? TYPE_WORDS[token.text] : undefined
  if (type === undefined) throw new Stop(operatorProblem.unknownType(parser.shown(token)))
  parser.at++
  return type
}

/** TypeOf : `typeof` `(` TypeName `)` */
export function typeOf(parser: ExpressionParser): Type {
  parser.expectWord('typeof')
  const open = parser.expectSign('(', '`(` and the name of a type')
  const type = typeName(parser)
  parser.close(')', open)
  return type
}
