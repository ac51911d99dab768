import { matchAt } from '../../../text/match-at.js'
import { memoizedText } from '../../../text/memoized.js'
import { translated } from './compiled-format.js'

/**
 * The strings that a text must contain for a grok pattern to match it. Comparing strings tells most formats apart without compiling
 * their regular expressions, on which detection would spend most of its time.
 */
interface RequiredText {
  /** The beginning of the text. */
  readonly start: string
  /** True when a time follows the beginning. */
  readonly hasTime: boolean
  /** Strings in the rest of the text, in this order. */
  readonly later: readonly string[]
  /** Matches the text in front of a later time. Without the time, an expression compiles fast. */
  readonly before: RegExp | undefined
}

/** A string, a reference, an escape, a class, or another character; and its quantifier. */
const PART =
  /([\w ,:;=<>"'#@/&!~-]+(?![?*+{])|%\{[^}]*\}|\\x[\da-f]{2}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])(\?|\*|\+|\{(\d+)(?:,\d*)?\})?[?+]?/y
const GROUP_PART = /[()]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]/g
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

/** Returns what a grok pattern requires of a text. */
const requiredText = memoizedText((grok): RequiredText => {
  /** The strings and times (undefined) of the pattern; null for other text. */
  const parts: (string | undefined | null)[] = []
  let before: string | undefined
  for (let at = 0; at < grok.length; at = PART.lastIndex) {
    const isGroup = grok[at] === '('
    const from = isGroup ? groupEnd(grok, at) : at
    const [, part = '', quantifier, least] = matchAt(PART, grok, from)!
    if (part === '|') return { start: '', hasTime: false, later: [], before: undefined }
    const isOptional = quantifier === '?' || quantifier === '*' || least === '0'
    const text = isGroup || isOptional ? null : textOf(part)
    if (text === undefined && parts.includes(null)) before ??= grok.slice(0, at)
    parts.push(text)
    if (quantifier !== undefined) parts.push(null)
  }
  const all = joined(parts)
  const start = typeof all[0] === 'string' ? all[0] : ''
  const rest = start === '' ? all : all.slice(1)
  const hasTime = rest.length > 0 && rest[0] === undefined
  return {
    start,
    hasTime,
    later: rest.filter((part) => typeof part === 'string'),
    before:
      before === undefined || hasTime ? undefined : new RegExp(translated(before).source, 'y'),
  }
})

/** Returns the position of the parenthesis that closes the group at a position. */
function groupEnd(grok: string, from: number): number {
  let depth = 0
  GROUP_PART.lastIndex = from
  for (let part = GROUP_PART.exec(grok); part !== null; part = GROUP_PART.exec(grok)) {
    if (part[0] === '(') depth += 1
    else if (part[0] === ')') depth -= 1
    if (depth === 0) return part.index
  }
  return grok.length - 1
}

/** Returns the only string that a part of a pattern matches; undefined for the time, null for other parts. */
function textOf(part: string): string | undefined | null {
  if (part.startsWith('%{')) return part.startsWith('%{TIME:') ? undefined : null
  if (part.startsWith('[') || ['.', '^', '$'].includes(part)) return null
  if (!part.startsWith('\\')) return part
  const escaped = part[1]!
  return CONTROLS[escaped] ?? (/\w/.test(escaped) ? null : escaped)
}

/** Returns the parts with consecutive strings joined. */
function joined(parts: readonly (string | undefined | null)[]): (string | undefined | null)[] {
  const all: (string | undefined | null)[] = []
  for (const part of parts) {
    const last = all.at(-1)
    if (typeof part === 'string' && typeof last === 'string') all[all.length - 1] = last + part
    else all.push(part)
  }
  return all
}

/** Returns the test of `mayMatch` for several texts: each string is searched once in all of them, whatever the number of patterns. */
export function mayMatchOne(texts: readonly string[]) {
  const all = texts.join('\n')
  const isFound = memoizedText((one) => all.includes(one))
  return (grok: string, time: string | undefined): boolean => {
    const { start, later } = requiredText(grok)
    if (!isFound(start) || !later.every(isFound)) return false
    return texts.some((text) => mayMatch(grok, text, time))
  }
}

/** False only when a grok pattern does not match a text; `time` is undefined for text without times. */
export function mayMatch(grok: string, text: string, time: string | undefined): boolean {
  const { start, hasTime, later, before } = requiredText(grok)
  if (!text.startsWith(start) || (hasTime && time === undefined)) return false
  // The time itself is compared with the beginning of the pattern, before the rest is compiled.
  if (!hasInOrder(later, text, start.length)) return false
  return before === undefined || matchAt(before, text, 0) !== null
}

function hasInOrder(strings: readonly string[], text: string, from: number): boolean {
  let at = from
  for (const one of strings) {
    const found = text.indexOf(one, at)
    if (found === -1) return false
    at = found + one.length
  }
  return true
}
