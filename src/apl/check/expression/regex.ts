import type { Span } from '../../../text/span.js'
import { type BadRegex, badRegex } from '../../problem/argument.js'
import type { RedactGroupFlaw } from '../../problem/operator.js'
import type { CheckedExpression } from '../checked.js'
import type { Context } from '../context.js'

/** Refuses a constant regex that RE2 does not accept. A computed regex fails at run time. */
export function checkRegex(value: CheckedExpression, span: Span, context: Context): void {
  if (value.kind !== 'constant' || typeof value.value !== 'string') return
  const reason = regexFlaw(value.value)
  if (reason !== undefined) context.refuse(badRegex({ pattern: value.value, reason, span }))
}

const REGEX_PIECE =
  /\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\((?:\?(?:<?[=!]|[^)]?))?|[\s\S]/gu

/** Returns the flaw of a regex; undefined if none is found. Finds the common errors, without false positives. */
function regexFlaw(pattern: string): BadRegex['reason'] | undefined {
  let open = 0
  let repeatable = false
  // \Q…\E is literal text.
  for (const [piece] of pattern.replace(/\\Q[\s\S]*?(?:\\E|$)/g, 'Q').matchAll(REGEX_PIECE)) {
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

export function groupCount(pattern: string): number {
  const pieces = pattern.replace(/\\Q[\s\S]*?(?:\\E|$)/g, 'Q').matchAll(REGEX_PIECE)
  return [...pieces].filter(([piece]) => piece === '(' || piece === '(?P' || piece === '(?<').length
}

/** A regex made only of capturing groups; `hidden` marks the groups of the original regex. */
export interface GroupedRegex {
  readonly regex: string
  readonly hidden: readonly boolean[]
}

/** The maximum number of groups that a rewrite can refer to. */
const MAX_GROUPS = 9

const GROUP_PIECE =
  /\\Q[\s\S]*?(?:\\E|$)|\\p\{[^}]*\}|\\[\s\S]|\[\^?\]?(?:\\[\s\S]|\[:\^?\w+:\]|[^\]\\])*\]|\{\d+,?\d*\}|\(\?P?<\w+>|\(\?[a-zA-Z-]*[:)]|[\s\S]/gu

/**
 * Wraps the text between the groups of a regex in further groups, so that a match can be reassembled with only the
 * original groups replaced. Returns the reason when that is impossible.
 */
export function groupRegex(pattern: string): GroupedRegex | RedactGroupFlaw {
  const pieces = [...pattern.matchAll(GROUP_PIECE)].map(([piece]) => piece)
  const hidden: boolean[] = []
  let regex = ''
  let run = ''
  let depth = 0
  /** True while the outermost open group is a capturing one. */
  let capturing = false
  const endRun = () => {
    if (run !== '') {
      regex += `(${run})`
      hidden.push(capturing)
    }
    run = ''
    capturing = false
  }
  for (const [i, piece] of pieces.entries()) {
    const isOutside = depth === 0
    const opens = piece.startsWith('(') && !piece.endsWith(')')
    const captures = opens && !piece.endsWith(':')
    if (captures && !isOutside && !capturing) return 'inside'
    if (isOutside && (captures || (capturing && !isQuantifier(piece)))) endRun()
    if (isOutside && captures) capturing = true
    if (opens) depth++
    if (piece === ')' && !isOutside) depth--
    if (isOutside && /^(?:\||\(\?[a-zA-Z-]+\))$/.test(piece)) {
      // Flags apply until the end of the enclosing group.
      endRun()
      regex += piece
      continue
    }
    // A nested group is hidden together with the outer group.
    run += captures ? '(?:' : piece
    if (!isOutside && depth === 0 && capturing && !isQuantifier(pieces[i + 1])) endRun()
  }
  endRun()
  if (!hidden.includes(true)) return 'none'
  return hidden.length > MAX_GROUPS ? 'many' : { regex, hidden }
}

function isQuantifier(piece: string | undefined): boolean {
  return piece !== undefined && /^(?:[*+?]|\{.+\})$/.test(piece)
}
