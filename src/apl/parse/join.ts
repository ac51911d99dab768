import { byWord } from '../../text/by-word.js'
import { ownValue } from '../../text/own-value.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Identifier, JoinKind } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { operand } from './source.js'

/** Join : `join` ( `kind` `=` JoinKind )? Operand `on` Condition ( `,` Condition )* */
export function join(parser: ExpressionParser, word: Identifier) {
  const joinKind = kindOf(parser, KINDS) ?? 'inner'
  return { kind: 'join', joinKind, ...operandOn(parser, word) } as const
}

/** Lookup : `lookup` ( `kind` `=` ( `leftouter` | `inner` ) )? Operand `on` Condition ( `,` Condition )* */
export function lookup(parser: ExpressionParser, word: Identifier) {
  const joinKind = kindOf(parser, LOOKUP_KINDS) ?? 'leftouter'
  return { kind: 'lookup', joinKind, ...operandOn(parser, word) } as const
}

const LOOKUP_KINDS = { leftouter: 'leftouter', inner: 'inner' } as const

/** The kinds of joins by all their spellings. */
const KINDS = byWord<JoinKind>({
  inner: 'inner',
  innerunique: 'innerunique',
  leftouter: 'leftouter',
  rightouter: 'rightouter',
  fullouter: 'fullouter',
  'leftsemi semi': 'leftsemi',
  rightsemi: 'rightsemi',
  'leftanti anti leftantisemi': 'leftanti',
  'rightanti rightantisemi': 'rightanti',
})

function kindOf<K>(parser: ExpressionParser, kinds: Readonly<Record<string, K>>): K | undefined {
  if (!parser.takeSetting('kind')) return undefined
  const token = parser.peek()
  const kind = token.kind === 'name' ? ownValue(kinds, token.text) : undefined
  if (kind === undefined) {
    throw new Stop(syntaxProblem.unknownJoinKind(parser.shown(token), Object.keys(kinds)))
  }
  parser.at++
  return kind
}

function operandOn(parser: ExpressionParser, word: Identifier) {
  const right = operand(parser)
  if (parser.takeWord('on') === undefined) {
    throw new Stop(syntaxProblem.missingOn(parser.shown(parser.peek()), word))
  }
  return { right, conditions: parser.list(() => parser.expression()) }
}
