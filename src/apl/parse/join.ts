import { joinSpans as joined } from '../../text/span.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Expression, Identifier, Join, JoinKind, Lookup } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { operand } from './source.js'

/** Join : `join` ( `kind` `=` JoinKind )? Operand `on` Condition ( `,` Condition )* */
export function join(parser: ExpressionParser, word: Identifier): Join {
  const joinKind = kindOf(parser, KINDS) ?? 'inner'
  const right = operand(parser)
  const conditions = on(parser, word)
  return { kind: 'join', joinKind, right, conditions, span: joined(word.span, parser.last()) }
}

/** Lookup : `lookup` ( `kind` `=` ( `leftouter` | `inner` ) )? Operand `on` Condition ( `,` Condition )* */
export function lookup(parser: ExpressionParser, word: Identifier): Lookup {
  const joinKind = kindOf(parser, LOOKUP_KINDS) ?? 'leftouter'
  const right = operand(parser)
  const conditions = on(parser, word)
  return { kind: 'lookup', joinKind, right, conditions, span: joined(word.span, parser.last()) }
}

const LOOKUP_KINDS = { leftouter: 'leftouter', inner: 'inner' } as const

/** The kinds of joins by all their spellings. */
const KINDS: Readonly<Record<string, JoinKind>> = {
  inner: 'inner',
  innerunique: 'innerunique',
  leftouter: 'leftouter',
  rightouter: 'rightouter',
  fullouter: 'fullouter',
  leftsemi: 'leftsemi',
  semi: 'leftsemi',
  rightsemi: 'rightsemi',
  leftanti: 'leftanti',
  anti: 'leftanti',
  leftantisemi: 'leftanti',
  rightanti: 'rightanti',
  rightantisemi: 'rightanti',
}

function kindOf<K>(parser: ExpressionParser, kinds: Readonly<Record<string, K>>): K | undefined {
  const start = parser.at
  if (parser.takeWord('kind') === undefined) return undefined
  if (parser.takeSign('=') === undefined) {
    parser.at = start
    return undefined
  }
  const token = parser.peek()
  const kind =
    token.kind === 'name' && Object.hasOwn(kinds, token.text) ? kinds[token.text] : undefined
  if (kind === undefined) {
    throw new Stop(syntaxProblem.unknownJoinKind(parser.shown(token), Object.keys(kinds)))
  }
  parser.at++
  return kind
}

function on(parser: ExpressionParser, word: Identifier): readonly Expression[] {
  if (parser.takeWord('on') === undefined) {
    throw new Stop(syntaxProblem.missingOn(word, parser.shown(parser.peek())))
  }
  return parser.list(() => parser.expression())
}
