import { isSign, type Token } from '../syntax/token.js'
import { INFIX_WORDS, isOperatorWord } from '../syntax/words.js'
import type { Cursor } from './cursor.js'

/** Returns true if the next expression is a table rather than a value: it starts like a source, or contains a `|`. */
export function isTabular(cursor: Cursor): boolean {
  const { tokens, brackets } = cursor
  let at = cursor.at
  for (;;) {
    if (beginsSource(tokens, at) || hasPipe(cursor, at)) return true
    // The table may be in parentheses that no operator follows: `(logs | count)`.
    const close = isSign(tokens[at], '(') ? brackets.get(at) : undefined
    const next = close === undefined ? undefined : tokens[close + 1]
    if (next === undefined || !(next.kind === 'end' || isSign(next, ';', ')'))) {
      return false
    }
    at++
  }
}

function beginsSource(tokens: readonly Token[], at: number): boolean {
  const [first, next] = [tokens[at], tokens[at + 1]]
  if (first?.kind !== 'name') return false
  // A query without its dataset, as in `id in (summarize count() by id)`: the problem is that of a query.
  if (isOperatorWord(first.text) && next?.kind === 'name' && !INFIX_WORDS.includes(next.text))
    return true
  if (/^(datatable|externaldata|file|table)$/.test(first.text)) return isSign(next, '(')
  if (!/^(print|union|search)$/.test(first.text)) return false
  return next?.kind === 'name' || next?.kind === 'literal' || isSign(next, '[', '(', '*')
}

/** Returns true if there is a `|` outside brackets before the end of the expression. */
function hasPipe({ tokens, brackets }: Cursor, start: number): boolean {
  const first = tokens[start]
  if (first?.kind !== 'name' && !isSign(first, '[', '(')) return false
  for (let at = start; at < tokens.length; at++) {
    const token = tokens[at]
    if (isSign(token, '|')) return true
    if (isSign(token, ';', ')', ']')) return false
    const close = brackets.get(at)
    // Scanning past an unclosed bracket is useless, and would take quadratic time.
    if (close === undefined && isSign(token, '[', '(')) return false
    at = close ?? at
  }
  return false
}
