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
  const parts = outermostParts(pattern)
  if (parts === undefined) return 'inside'
  const hidden = parts.flatMap(({ kind }) => (kind === 'break' ? [] : [kind === 'group']))
  if (!hidden.includes(true)) return 'none'
  if (hidden.length > MAX_GROUPS) return 'many'
  const regex = parts.map(({ kind, text }) => (kind === 'break' ? text : `(${text})`))
  return { regex: regex.join(''), hidden }
}

/** A part of a regex outside of its groups, or one of its groups with its quantifier. */
interface RegexPart {
  /** Flags and `|`, which apply until the end of the enclosing group, are breaks. */
  readonly kind: 'group' | 'break' | 'other'
  text: string
}

/**
 * Returns the parts of a regex, in which nested groups do not capture: they belong to the outer group. Undefined when a group is
 * inside one that does not capture.
 */
function outermostParts(pattern: string): readonly RegexPart[] | undefined {
  const parts: RegexPart[] = []
  let depth = 0
  for (const [piece] of pattern.matchAll(GROUP_PIECE)) {
    const opens = piece.startsWith('(') && !piece.endsWith(')')
    const captures = opens && !piece.endsWith(':')
    const last = parts.at(-1)
    if (captures && depth > 0 && last?.kind !== 'group') return undefined
    const kind = captures ? 'group' : /^(?:\||\(\?[a-zA-Z-]+\))$/.test(piece) ? 'break' : 'other'
    const text = captures ? '(?:' : piece
    const isQuantified = last?.kind === 'group' && isQuantifier(piece)
    const isSame = last?.kind === 'other' && kind === 'other'
    if (last && (depth > 0 || isQuantified || isSame)) last.text += text
    else parts.push({ kind, text })
    if (opens) depth++
    if (piece === ')' && depth > 0) depth--
  }
  return parts
}

function isQuantifier(piece: string): boolean {
  return /^(?:[*+?]|\{.+\})$/.test(piece)
}
