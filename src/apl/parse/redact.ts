import * as operatorProblem from '../problem/operator.js'
import type { Literal, RedactCover } from '../syntax/ast.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { namePatterns } from './name.js'

/** Redact : `redact` Setting* Regex ( `,` Regex )* ( `on` NamePatterns )? */
export function redact(parser: ExpressionParser) {
  const settings = redactSettings(parser)
  const regexes = parser.list(() => regex(parser))
  const on = parser.takeWord('on') === undefined ? [] : namePatterns(parser)
  return { kind: 'redact', ...settings, regexes, on } as const
}

function redactSettings(parser: ExpressionParser): {
  readonly cover: RedactCover
  readonly onlyGroups: boolean
} {
  let token: string | undefined
  let hashes = false
  let onlyGroups = false
  for (;;) {
    const at = parser.peek().span
    if (parser.takeSetting('replaceToken')) token = parser.string('a quoted string')
    else if (parser.takeSetting('replaceHash')) hashes = switchValue(parser)
    else if (parser.takeSetting('redactGroups')) onlyGroups = switchValue(parser)
    else break
    if (hashes && token !== undefined) throw new Stop(operatorProblem.twoCovers(at))
  }
  return { cover: hashes ? { kind: 'hash' } : { kind: 'token', token: token ?? '*' }, onlyGroups }
}

function switchValue(parser: ExpressionParser): boolean {
  return parser.expectWord('true', 'false') === 'true'
}

/** Regex : String | Dynamic | `(` Regex `)` */
function regex(parser: ExpressionParser): Literal {
  const open = parser.takeSign('(')
  const token = parser.peek()
  const isRegex = token.kind === 'literal' && ['string', 'dynamic'].includes(token.type)
  // A null would redact nothing.
  if (!isRegex || token.value === null) {
    return parser.nothing('a quoted regular expression')
  }
  parser.at++
  if (open !== undefined) parser.close(')', open)
  return token
}
