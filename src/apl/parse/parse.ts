import * as languageProblem from '../problem/language.js'
import * as operatorProblem from '../problem/operator.js'
import * as syntaxProblem from '../problem/syntax.js'
import { type Capture, type Identifier, PARSE_MODES, type PatternPiece } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { columnName, typeName } from './name.js'

/** Parse : ( `parse` | `parse-where` ) ( `kind` `=` Mode )? ( `flags` `=` Name )? Expression `with` PatternPiece+ */
export function parseText(parser: ExpressionParser, word: Identifier) {
  const mode = parser.takeSetting('kind') ? parser.expectWord(...PARSE_MODES) : 'simple'
  const flags = parser.takeSetting('flags') ? regexFlags(parser) : ''
  const value = parser.expression()
  if (parser.takeWord('with') === undefined) {
    throw new Stop(syntaxProblem.missingPattern(parser.shown(parser.peek())))
  }
  const pattern = [patternPiece(parser)]
  while (!parser.isStepEnd()) {
    // Commas between the pieces are optional.
    parser.takeSign(',')
    pattern.push(patternPiece(parser))
  }
  const dropsOthers = word.name === 'parse-where'
  return { kind: 'parse', dropsOthers, mode, flags, value, pattern } as const
}

function regexFlags(parser: ExpressionParser): string {
  const token = parser.peek()
  const text =
    token.kind === 'name' ? token.text : token.kind === 'literal' ? String(token.value) : ''
  if (!/^[imsU]+$/.test(text)) {
    throw new Stop(syntaxProblem.unexpected(parser.shown(token), 'flags out of `i`, `m`, `s`, `U`'))
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
  const text = parser.string('a quoted string, `*` or a column name')
  return { kind: 'text', text, span: token.span }
}

/** Capture : Name ( `:` TypeName )? */
function capture(parser: ExpressionParser): Capture {
  const name = columnName(parser) ?? parser.nothing('a quoted string, `*` or a column name')
  const type = parser.takeSign(':') === undefined ? 'string' : typeName(parser)
  return { kind: 'capture', name, type, span: parser.since(name.span) }
}

const KV_SETTINGS = ['pair_delimiter', 'kv_delimiter', 'quote', 'escape', 'greedy'] as const

type KvSetting = (typeof KV_SETTINGS)[number]

/** ParseKv : `parse-kv` Expression `as` `(` Capture ( `,` Capture )* `)` `with` `(` Setting ( `,` Setting )* `)` */
export function parseKv(parser: ExpressionParser, word: Identifier) {
  const value = parser.expression()
  parser.expectWord('as')
  const keys = parser.enclosed('`(` and the keys', () => parser.list(() => capture(parser)))
  parser.expectWord('with')
  const settings = kvSettings(parser)
  const pairDelimiter = settings.get('pair_delimiter')
  const keyDelimiter = settings.get('kv_delimiter')
  if (!pairDelimiter || !keyDelimiter) throw new Stop(operatorProblem.noDelimiter(word.span))
  return {
    kind: 'parse-kv',
    value,
    keys,
    pairDelimiter,
    keyDelimiter,
    quote: settings.get('quote'),
    escape: settings.get('escape'),
  } as const
}

function kvSettings(parser: ExpressionParser): ReadonlyMap<KvSetting, string> {
  const found = new Map<KvSetting, string>()
  parser.enclosed('`(` and the delimiters', () => parser.list(() => kvSetting(parser, found)))
  return found
}

function kvSetting(parser: ExpressionParser, found: Map<KvSetting, string>): void {
  const name = parser.expectWord(...KV_SETTINGS)
  const span = parser.last()
  parser.expectSign('=', '`=`')
  if (name === 'greedy') {
    const help = 'a value ends at the pair delimiter or at its closing quote'
    if (parser.expectWord('true', 'false') === 'true')
      throw new Stop(languageProblem.notSupported(span, 'greedy', help))
    return
  }
  const isSign = name === 'quote' || name === 'escape'
  const at = parser.peek()
  const text = parser.string(isSign ? 'a quoted character' : 'a quoted string')
  if (isSign ? [...text].length !== 1 : text === '') {
    const expected = isSign ? 'a quoted character' : 'a non-empty string'
    throw new Stop(syntaxProblem.unexpected(parser.shown(at), expected))
  }
  found.set(name, text)
}
