import type { Sign, Token } from '../syntax/token.js'
import type { Cursor } from './cursor.js'

/** Whether what comes next makes rows, and not a value: it begins like a source, or has a `|` of its own. */
export function isTabular(cursor: Cursor): boolean {
  const { tokens, brackets } = cursor
  let at = cursor.at
  for (;;) {
    if (beginsSource(tokens, at) || hasPipe(cursor, at)) return true
    // In parentheses, and nothing behind them that would make a value of it: `(logs | count)`.
    const close = isSign(tokens[at], '(') ? brackets.get(at) : undefined
    const next = close === undefined ? undefined : tokens[close + 1]
    if (next === undefined || !(next.kind === 'end' || isSign(next, ';') || isSign(next, ')'))) {
      return false
    }
    at++
  }
}

function beginsSource(tokens: readonly Token[], at: number): boolean {
  const [first, next] = [tokens[at], tokens[at + 1]]
  if (first?.kind !== 'name') return false
  if (/^(datatable|externaldata|table)$/.test(first.text)) return isSign(next, '(')
  if (!/^(print|union|search)$/.test(first.text)) return false
  return next?.kind === 'name' || next?.kind === 'literal' || /^[[(*]$/.test(signOf(next))
}

/** Whether there is a `|` before the end of what begins here, outside of the brackets in it. */
function hasPipe({ tokens, brackets }: Cursor, start: number): boolean {
  const first = tokens[start]
  if (first?.kind !== 'name' && !/^[[(]$/.test(signOf(first))) return false
  for (let at = start; at < tokens.length; at++) {
    const sign = signOf(tokens[at])
    if (sign === '|') return true
    if (/^[;)\]]$/.test(sign)) return false
    const close = brackets.get(at)
    // Nothing is known behind a bracket that is never closed, and looking there each time takes long.
    if (close === undefined && /^[[(]$/.test(sign)) return false
    at = close ?? at
  }
  return false
}

function isSign(token: Token | undefined, sign: Sign): boolean {
  return signOf(token) === sign
}

function signOf(token: Token | undefined): string {
  return token?.kind === 'sign' ? token.text : ''
}
