import { join } from '../../text/span.js'
import * as syntaxProblem from '../problem/syntax.js'
import {
  type Capture,
  type Identifier,
  type Operator,
  PARSE_MODES,
  type PatternPiece,
} from '../syntax/ast.js'
import { columnName } from './column-name.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { takeSetting, textValue, wordValue } from './setting.js'
import { typeName } from './type-name.js'

/** Parse : ( `parse` | `parse-where` ) ( `kind` `=` Mode )? ( `flags` `=` Name )? Expression `with` PatternPiece+ */
export function parseText(parser: ExpressionParser, word: Identifier): Operator {
  const mode = takeSetting(parser, 'kind') ? wordValue(parser, PARSE_MODES) : 'simple'
  const flags = takeSetting(parser, 'flags') ? regexFlags(parser) : ''
  const value = parser.expression()
  if (parser.takeWord('with') === undefined) parser.nothing('`with` and a pattern')
  const pattern = [patternPiece(parser)]
  while (!parser.isStepEnd()) {
    // Some write commas between the pieces.
    parser.takeSign(',')
    pattern.push(patternPiece(parser))
  }
  const dropsOthers = word.name === 'parse-where'
  const span = join(word.span, parser.last())
  return { kind: 'parse', dropsOthers, mode, flags, value, pattern, span }
}

function regexFlags(parser: ExpressionParser): string {
  const token = parser.peek()
  const text =
    token.kind === 'name' ? token.text : token.kind === 'literal' ? String(token.value) : ''
  if (!/^[imsU]+$/.test(text)) {
    throw new Stop(
      syntaxProblem.unexpected(parser.shown(token), 'some of the flags `i`, `m`, `s`, `U`'),
    )
  }
  parser.at++
  return [...new Set(text)].join('')
}

/** PatternPiece : String | `*` | Capture */
function patternPiece(parser: ExpressionParser): PatternPiece {
  const token = parser.peek()
  const gap = parser.takeSign('*')
  if (gap !== undefined) return { kind: 'gap', span: gap }
  if (token.kind !== 'literal') return capture(parser)
  const text = textValue(parser, 'a text in quotes, `*` or the name of a column')
  return { kind: 'text', text, span: token.span }
}

/** Capture : Name ( `:` TypeName )? */
export function capture(parser: ExpressionParser): Capture {
  const name = columnName(parser) ?? parser.nothing('a text in quotes, `*` or the name of a column')
  const type = parser.takeSign(':') === undefined ? 'string' : typeName(parser)
  return { kind: 'capture', name, type, span: join(name.span, parser.last()) }
}
