import { matchAt } from '../time/line-place.js'
import { translated } from './compiled-format.js'

/**
 * The strings that a text must contain for a grok pattern to match it. Comparing strings tells most formats apart without compiling
 * their regular expressions, on which detection would spend most of its time.
 */
interface RequiredText {
  /** Consecutive strings at the beginning of the text; `undefined` stands for the time. */
  readonly beginning: readonly (string | undefined)[]
  /** Strings in the rest of the text, in this order. */
  readonly later: readonly string[]
  /** Matches the text in front of the time, if that is more than a string. Without the time, an expression compiles fast. */
  readonly before: RegExp | undefined
}

/** A string, a reference, an escape, a class, or another character; and its quantifier. */
const PART =
  /([\w ,:;=<>"'#@/&!~-]+(?![?*+{])|%\{[^}]*\}|\\x[\da-f]{2}|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]|[\s\S])(\?|\*|\+|\{(\d+)(?:,\d*)?\})?[?+]?/y
const GROUP_PART = /[()]|\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]/g
const CONTROLS: Readonly<Record<string, string>> = { t: '\t', n: '\n', r: '\r' }

const known = new Map<string, RequiredText>()

/** Returns what a grok pattern requires of a text. */
function requiredText(grok: string): RequiredText {
  const required = known.get(grok) ?? requiredBy(grok)
  known.set(grok, required)
  return required
}

function requiredBy(grok: string): RequiredText {
  /** The strings and times (undefined) of the pattern; null for other text. */
  const parts: (string | undefined | null)[] = []
  let before: string | undefined
  for (let at = 0; at < grok.length; at = PART.lastIndex) {
    const isGroup = grok[at] === '('
    PART.lastIndex = isGroup ? groupEnd(grok, at) : at
    const [, part = '', quantifier, least] = PART.exec(grok)!
    if (part === '|') return { beginning: [], later: [], before: undefined }
    const isOptional = quantifier === '?' || quantifier === '*' || least === '0'
    const text = isGroup || isOptional ? null : textOf(part)
    if (text === undefined && parts.includes(null)) before ??= grok.slice(0, at)
    parts.push(text)
    if (quantifier !== undefined) parts.push(null)
  }
  const other = parts.indexOf(null)
  const length = other === -1 ? parts.length : other
  return {
    beginning: joined(parts.slice(0, length)).map((part) => part ?? undefined),
    later: joined(parts.slice(length)).filter((part) => typeof part === 'string'),
    before: before === undefined ? undefined : new RegExp(translated(before).source, 'y'),
  }
}

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

/** False only when a grok pattern does not match a text; `time` finds at least its times. */
export function mayMatch(grok: string, text: string, time: RegExp | undefined): boolean {
  const { beginning, later, before } = requiredText(grok)
  let at = 0
  for (const [index, part] of beginning.entries()) {
    if (part === undefined) {
      // The length of the time is unknown, because its expression may match too much.
      const rest = beginning.slice(index + 1).filter((one) => one !== undefined)
      const isTime = time !== undefined && matchAt(time, text, at) !== null
      return isTime && hasInOrder([...rest, ...later], text, at)
    }
    if (!text.startsWith(part, at)) return false
    at += part.length
  }
  return hasInOrder(later, text, at) && (before === undefined || matchAt(before, text, 0) !== null)
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
