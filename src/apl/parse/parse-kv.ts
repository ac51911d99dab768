import { join } from '../../text/span.js'
import * as languageProblem from '../problem/language.js'
import * as operatorProblem from '../problem/operator.js'
import * as syntaxProblem from '../problem/syntax.js'
import type { Identifier, Operator } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { capture } from './parse.js'
import { textValue } from './setting.js'

const KV_SETTINGS = ['pair_delimiter', 'kv_delimiter', 'quote', 'escape', 'greedy'] as const
type KvSetting = (typeof KV_SETTINGS)[number]

/** ParseKv : `parse-kv` Expression `as` `(` Capture ( `,` Capture )* `)` `with` `(` Setting ( `,` Setting )* `)` */
export function parseKv(parser: ExpressionParser, word: Identifier): Operator {
  const value = parser.expression()
  parser.expectWord('as')
  const open = parser.expectSign('(', '`(` and the keys')
  const keys = parser.list(() => capture(parser))
  parser.close(')', open)
  parser.expectWord('with')
  const settings = kvSettings(parser)
  const span = join(word.span, parser.last())
  const pairDelimiter = settings.get('pair_delimiter')
  const keyDelimiter = settings.get('kv_delimiter')
  if (!pairDelimiter || !keyDelimiter) throw new Stop(operatorProblem.noDelimiter(word.span))
  const quote = settings.get('quote')
  const escaped = settings.get('escape')
  return {
    kind: 'parse-kv',
    value,
    keys,
    pairDelimiter,
    keyDelimiter,
    ...(quote && { quote }),
    ...(escaped && { escape: escaped }),
    span,
  }
}

function kvSettings(parser: ExpressionParser): ReadonlyMap<KvSetting, string> {
  const open = parser.expectSign('(', '`(` and the delimiters')
  const found = new Map<KvSetting, string>()
  parser.list(() => {
    const { text: name } = parser.expectWord(...KV_SETTINGS)
    const span = parser.last()
    parser.expectSign('=', '`=`')
    if (name === 'greedy') {
      const help = 'a value ends at the delimiter of the pairs, or at its closing quote'
      if (parser.expectWord('true', 'false').text === 'true')
        throw new Stop(languageProblem.notSupported({ what: 'greedy', span, help }))
      return
    }
    const isSign = name === 'quote' || name === 'escape'
    const at = parser.peek()
    const text = textValue(parser, isSign ? 'one character in quotes' : 'a text in quotes')
    if (isSign ? [...text].length !== 1 : text === '') {
      const expected = isSign ? 'one character in quotes' : 'a text that is not empty'
      throw new Stop(syntaxProblem.unexpected(parser.shown(at), expected))
    }
    found.set(name, text)
  })
  parser.close(')', open)
  return found
}
