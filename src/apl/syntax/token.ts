import type { Span } from '../../text/span.js'
import type { Type } from '../type.js'
import type { LiteralValue } from './ast.js'

/** A word, sign or literal of a query's text. */
export type Token = NameToken | LiteralToken | SignToken | EndToken

/** `status`, `where`, `!contains`, `in~`: names and words, which only their place tells apart. */
export interface NameToken {
  readonly kind: 'name'
  readonly text: string
  readonly span: Span
}

/** A literal with its value; a number's sign is not part of it. */
export interface LiteralToken {
  readonly kind: 'literal'
  readonly type: Type
  readonly value: LiteralValue
  readonly span: Span
}

/** `==`, `|`, `(`. */
export interface SignToken {
  readonly kind: 'sign'
  readonly text: Sign
  readonly span: Span
}

/** What stands behind the last token. */
export interface EndToken {
  readonly kind: 'end'
  readonly span: Span
}

/** Longer signs first, so that `==` is not read as two `=`. Some are here only to be answered by name. */
export const SIGNS = [
  '===',
  '!==',
  '==',
  '=~',
  '!=',
  '!~',
  '<>',
  '<=',
  '>=',
  '&&',
  '||',
  '|=',
  '..',
  '=',
  '<',
  '>',
  '+',
  '-',
  '*',
  '/',
  '%',
  '(',
  ')',
  '[',
  ']',
  '{',
  '}',
  ',',
  '.',
  '|',
  ';',
  ':',
  '!',
  '&',
  '$',
] as const
/** One of the signs. */
export type Sign = (typeof SIGNS)[number]
