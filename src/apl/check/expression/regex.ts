import type { Span } from '../../../text/span.js'
import { type BadRegex, badRegex } from '../../problem/argument.js'
import type { CheckedExpression } from '../checked.js'
import type { Context } from '../context.js'

/** Reports a written-out regex that RE2 would refuse; one that is computed shows itself when it runs. */
export function checkRegex(value: CheckedExpression, span: Span, context: Context): boolean {
  if (value.kind !== 'constant' || typeof value.value !== 'string') return true
  const reason = flawOf(value.value)
  if (reason === undefined) return true
  context.report(badRegex({ pattern: value.value, reason, span }))
  return false
}

const PIECE =
  /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\((?:\?(?:<?[=!]|[^)]?))?|[\s\S]/gu

/** A look at the shape of a regex: enough for the usual slips, and never wrong about a good one. */
function flawOf(pattern: string): BadRegex['reason'] | undefined {
  let open = 0
  let repeatable = false
  // \Q…\E stands for itself.
  for (const [piece] of pattern.replace(/\\Q[\s\S]*?(?:\\E|$)/g, 'Q').matchAll(PIECE)) {
    if (/^\(\?<?[=!]$/.test(piece)) return 'look-around'
    if (/^\\[1-9]$/.test(piece)) return 'back-reference'
    if (piece === '\\' || piece === '[') return 'structure'
    if (/^[*+?]$/.test(piece) && !repeatable) return 'structure'
    if (piece.startsWith('(')) open++
    if (piece === ')' && --open < 0) return 'structure'
    repeatable = !piece.startsWith('(') && piece !== '|'
  }
  return open > 0 ? 'structure' : undefined
}

/** How many groups a regex captures. */
export function groupCount(pattern: string): number {
  const pieces = pattern.replace(/\\Q[\s\S]*?(?:\\E|$)/g, 'Q').matchAll(PIECE)
  return [...pieces].filter(([piece]) => piece === '(' || piece === '(?P' || piece === '(?<').length
}
