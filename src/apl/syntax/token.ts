import type { Span } from '../../text/span.js'
import type { Literal } from './ast.js'

/** A token. A literal is the one of the tree; the sign of a number is not part of it. */
export type Token = NameToken | Literal | SignToken | EndToken

/** `status`, `where`, `!contains`, `in~`: a name or keyword, distinguished only by its position. */
export interface NameToken {
  readonly kind: 'name'
  readonly text: string
  readonly span: Span
}

/** `==`, `|`, `(`. */
export interface SignToken {
  readonly kind: 'sign'
  readonly text: Sign
  readonly span: Span
}

export interface EndToken {
  readonly kind: 'end'
  readonly span: Span
}

/** The signs, longer ones first, so that `==` is not two `=`. Some signs are included only for their problem message. */
export const SIGNS = [
  ...(['===', '!==', '=<', '=>'] as const),
  ...(['==', '=~', '!=', '!~', '<>', '<=', '>=', '&&', '||', '|=', '::', '..'] as const),
  ...(['**', '+='] as const),
  ...(['=', '<', '>', '+', '-', '*', '/', '%', '(', ')', '[', ']', '{', '}'] as const),
  ...([',', '.', '|', ';', ':', '!', '&', '$'] as const),
]
export type Sign = (typeof SIGNS)[number]

export function isSign(token: Token | undefined, ...signs: readonly Sign[]): boolean {
  return token?.kind === 'sign' && signs.includes(token.text)
}
