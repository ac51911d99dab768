import * as syntaxProblem from '../problem/syntax.js'
import { Stop } from './cursor.js'
import type { ExpressionParser } from './expression.js'

// Settings follow the word of an operator: `kind=regex`, `replaceToken="x"`.

/** Setting : Name `=`; consumes it and returns true if the setting of that name is next. */
export function takeSetting(parser: ExpressionParser, name: string): boolean {
  const equals = parser.tokens[parser.at + 1]
  if (!parser.isWord(name) || equals?.kind !== 'sign' || equals.text !== '=') return false
  parser.at += 2
  return true
}

/** Parses the string value of a setting. */
export function textValue(parser: ExpressionParser, expected: string): string {
  const token = parser.peek()
  if (token.kind !== 'literal' || token.type !== 'string' || typeof token.value !== 'string') {
    return parser.nothing(expected)
  }
  parser.at++
  return token.value
}

/** Parses the boolean value of a setting. */
export function switchValue(parser: ExpressionParser): boolean {
  return parser.expectWord('true', 'false').text === 'true'
}

/** Parses the value of a setting that is one of several words. */
export function wordValue<W extends string>(parser: ExpressionParser, words: readonly W[]): W {
  const token = parser.peek()
  const found = words.find((word) => parser.isWord(word))
  if (found === undefined) {
    const expected = words.map((word) => `\`${word}\``).join(' or ')
    throw new Stop(syntaxProblem.unexpected(parser.shown(token), expected))
  }
  parser.at++
  return found
}
