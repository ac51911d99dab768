import { joinSpans } from '../../text/span.js'
import type {
  DeclaredParameter,
  DeclareParameters,
  Identifier,
  LetScalar,
  LetTabular,
  SetOption,
  Statement,
} from '../syntax/ast.js'
import type { Cursor } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { typedName, typeName } from './name.js'
import { isTabular } from './tabular.js'

/** Returns true at the start of a statement; `let` alone may be a dataset. */
export function isStatement(cursor: Cursor): boolean {
  const [word, next] = [cursor.peek(), cursor.tokens[cursor.at + 1]]
  if (word.kind !== 'name' || !/^(let|set|declare)$/.test(word.text)) return false
  return next?.kind === 'name' || (next?.kind === 'sign' && next.text === '[')
}

/** Returns the names that a statement defines, even if the rest of it is malformed. */
export function definedNames(cursor: Cursor): readonly Identifier[] {
  const { tokens, at } = cursor
  const names: Identifier[] = []
  for (let i = at + 1; i < tokens.length - 1; i++) {
    const [token, next] = [tokens[i]!, tokens[i + 1]!]
    if (token.kind === 'sign' && token.text === ';') break
    const isGiven = cursor.isWord('let') ? i === at + 1 : next.kind === 'sign' && next.text === ':'
    if (token.kind === 'name' && isGiven) names.push({ name: token.text, span: token.span })
  }
  return names
}

/** Statement : Let | Set | Declare */
export function statement(parser: ExpressionParser): Statement {
  if (parser.isWord('let')) return letStatement(parser)
  return parser.isWord('set') ? setStatement(parser) : declareStatement(parser)
}

/** Let : `let` Name `=` ( Expression | Pipeline ) */
function letStatement(parser: ExpressionParser): LetScalar | LetTabular {
  const start = parser.peek().span
  parser.at++
  const name = parser.isQuotedName() ? parser.quotedName() : parser.name()
  parser.expectSign('=', '`=` and a value')
  if (isTabular(parser)) {
    const pipeline = parser.nested()
    return { kind: 'let-tabular', name, pipeline, span: joinSpans(start, parser.last()) }
  }
  const value = parser.expression()
  return { kind: 'let-scalar', name, value, span: joinSpans(start, parser.last()) }
}

/** Set : `set` Name ( `=` Expression )? */
function setStatement(parser: ExpressionParser): SetOption {
  const start = parser.peek().span
  parser.at++
  const name = parser.name()
  const value = parser.takeSign('=') && parser.expression()
  return { kind: 'set', name, value, span: joinSpans(start, parser.last()) }
}

/** Declare : `declare` `query_parameters` `(` Parameter ( `,` Parameter )* `)` */
function declareStatement(parser: ExpressionParser): DeclareParameters {
  const start = parser.peek().span
  parser.at++
  parser.expectWord('query_parameters')
  const open = parser.expectSign('(', '`(`')
  const parameters = parser.list(() => parameter(parser))
  return { kind: 'declare', parameters, span: joinSpans(start, parser.close(')', open)) }
}

/** Parameter : Name `:` Type ( `=` Expression )? */
function parameter(parser: ExpressionParser): DeclaredParameter {
  const name: Identifier = typedName(parser)
  const type = typeName(parser)
  const value = parser.takeSign('=') && parser.expression()
  return { name, type, value, span: joinSpans(name.span, parser.last()) }
}
