import * as languageProblem from '../problem/language.js'
import type { DeclaredParameter, Identifier, Statement } from '../syntax/ast.js'
import { isSign } from '../syntax/token.js'
import { type Cursor, Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'
import { typedName, typeName } from './name.js'
import { isTabular } from './tabular.js'

/** Returns true at the start of a statement; `let` alone may be a dataset. */
export function isStatement(cursor: Cursor): boolean {
  const [word, next] = [cursor.peek(), cursor.tokens[cursor.at + 1]]
  if (word.kind !== 'name' || !/^(let|set|declare)$/.test(word.text)) return false
  return next?.kind === 'name' || isSign(next, '[')
}

/** Returns the names that a statement defines, even if the rest of it is malformed. */
export function definedNames(cursor: Cursor): readonly Identifier[] {
  const { tokens, at } = cursor
  const names: Identifier[] = []
  for (let i = at + 1; i < tokens.length - 1; i++) {
    const [token, next] = [tokens[i]!, tokens[i + 1]!]
    if (isSign(token, ';')) break
    const isGiven = cursor.isWord('let') ? i === at + 1 : isSign(next, ':')
    if (token.kind === 'name' && isGiven) names.push({ name: token.text, span: token.span })
  }
  return names
}

/** Statement : Let | Set | Declare */
export function statement(parser: ExpressionParser): Statement {
  const start = parser.peek().span
  const word = parser.expectWord('let', 'set', 'declare')
  return { ...STATEMENTS[word](parser), span: parser.since(start) }
}

const STATEMENTS = { let: letStatement, set: setStatement, declare: declareStatement } as const

/** Let : `let` Name `=` ( Expression | Pipeline ) */
function letStatement(parser: ExpressionParser) {
  const name = parser.anyName()
  parser.expectSign('=', '`=` and a value')
  refuseFunction(parser)
  return isTabular(parser)
    ? ({ kind: 'let-tabular', name, pipeline: parser.nested() } as const)
    : ({ kind: 'let-scalar', name, value: parser.expression() } as const)
}

/** Throws `Stop` for a function of Kusto: `(x: int) { x * 2 }`. */
function refuseFunction({ tokens, at }: Cursor): void {
  const [open, first, second] = [tokens[at]!, tokens[at + 1], tokens[at + 2]]
  const isFunction = isSign(open, '(') && (isSign(first, ')') || isSign(second, ':'))
  if (isFunction) throw new Stop(languageProblem.letFunction(open.span))
}

/** Set : `set` Name ( `=` Expression )? */
function setStatement(parser: ExpressionParser) {
  const name = parser.name()
  const value = parser.takeSign('=') && parser.expression()
  return { kind: 'set', name, value } as const
}

/** Declare : `declare` `query_parameters` `(` Parameter ( `,` Parameter )* `)` */
function declareStatement(parser: ExpressionParser) {
  parser.expectWord('query_parameters')
  const parameters = parser.enclosed('`(`', () => parser.list(() => parameter(parser)))
  return { kind: 'declare', parameters } as const
}

/** Parameter : Name `:` Type ( `=` Expression )? */
function parameter(parser: ExpressionParser): DeclaredParameter {
  const name = typedName(parser)
  const type = typeName(parser)
  const value = parser.takeSign('=') && parser.expression()
  return { name, type, value, span: parser.since(name.span) }
}
