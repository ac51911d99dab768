import type { Span } from '../../../text/span.js'
import { type BadRegex, badRegex } from '../../problem/argument.js'
import type { RedactGroupFlaw } from '../../problem/operator.js'
import type { CheckedExpression } from '../checked.js'
import type { Context } from '../context.js'

/** Returns false, with a problem reported, for a constant regex that RE2 does not accept. A computed regex fails at run time. */
export function checkRegex(value: CheckedExpression, span: Span, context: Context): boolean {
  if (value.kind !== 'constant' || typeof value.value !== 'string') return true
  const reason = regexFlaw(value.value)
  if (reason === undefined) return true
  context.report(badRegex({ pattern: value.value, reason, span }))
  return false
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
  const grouper = new Grouper()
  const pieces = [...pattern.matchAll(GROUP_PIECE)].map(([piece]) => piece)
  for (const [i, piece] of pieces.entries()) {
    if (!grouper.take(piece, pieces[i + 1])) return 'inside'
  }
  grouper.endRun()
  if (!grouper.hidden.includes(true)) return 'none'
  if (grouper.hidden.length > MAX_GROUPS) return 'many'
  return { regex: grouper.regex, hidden: grouper.hidden }
}

class Grouper {
  regex = ''
  readonly hidden: boolean[] = []
  private run = ''
  private depth = 0
  /** True while the outermost open group is a capturing one. */
  private capturing = false

  /** Returns false for a capturing group inside a non-capturing group. */
  take(piece: string, next: string | undefined): boolean {
    const opens = piece.startsWith('(') && !piece.endsWith(')')
    const captures = opens && !piece.endsWith(':')
    if (this.depth === 0) return this.outside(piece, captures, opens)
    if (captures && !this.capturing) return false
    if (opens) this.depth++
    if (piece === ')') this.depth--
    // A nested group is hidden together with the outer group.
    this.run += captures ? '(?:' : piece
    if (this.depth === 0 && this.capturing && !isQuantifier(next)) this.endRun()
    return true
  }

  private outside(piece: string, captures: boolean, opens: boolean): boolean {
    if (this.capturing && !isQuantifier(piece)) this.endRun()
    if (captures) {
      this.endRun()
      this.capturing = true
    }
    if (opens) this.depth++
    const isFlags = /^\(\?[a-zA-Z-]+\)$/.test(piece)
    if (piece === '|' || isFlags) {
      // Flags apply until the end of the enclosing group.
      this.endRun()
      this.regex += piece
    } else this.run += captures ? '(?:' : piece
    return true
  }

  endRun(): void {
    if (this.run !== '') {
      this.regex += `(${this.run})`
      this.hidden.push(this.capturing)
    }
    this.run = ''
    this.capturing = false
  }
}

function isQuantifier(piece: string | undefined): boolean {
  return piece !== undefined && /^(?:[*+?]|\{.+\})$/.test(piece)
}
