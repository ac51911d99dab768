import { type Sql, sql, text } from './sql.js'

/** The bytes of a string that contains a term. Every string with the term passes the test. */
interface Needle {
  /** A string of ASCII characters; the empty string when the term has none that can be searched for. */
  readonly part: string
  /** Strings that may occur in place of `part`, compared case-sensitively. */
  readonly others: readonly string[]
  /** True when characters outside ASCII are required. */
  readonly isBeyondAscii: boolean
}

/** True for terms whose characters are bytes. */
export function isAscii(term: string): boolean {
  return /^[\0-\x7f]*$/.test(term)
}

/** Characters outside ASCII, and their escapes in JSON, that match a letter of ASCII when case is ignored. */
const FOLDED: readonly (readonly [letter: RegExp, other: string, escaped: string])[] = [
  [/k/i, '\u212a', '\\u212'],
  [/s/i, '\u017f', '\\u017'],
]

/** Returns the bytes of a term in a string. */
export function needleInText(term: string, caseSensitive: boolean): Needle {
  const part = longest(term.split(/[^\x20-\x7e]+/))
  const folded = caseSensitive ? [] : FOLDED.filter(([letter]) => letter.test(part))
  return {
    part,
    others: folded.map(([, other]) => other),
    isBeyondAscii: part === '' && needsOthers(term),
  }
}

/**
 * Returns the bytes of a term in the JSON text of a string that contains the term. The JSON text of other values need not have
 * these bytes.
 */
export function needleInJson(term: string, caseSensitive: boolean): Needle {
  // Quotes, backslashes, slashes and control characters can be written in two ways, and so can the space between values.
  const part = longest(term.split(/[^\x21-\x7e]+|["\\/,:[\]{}]+/))
  const folded = caseSensitive ? [] : FOLDED.filter(([letter]) => letter.test(part))
  const others = ['\\u00', ...folded.flatMap(([, other, escaped]) => [other, escaped])]
  // Inside arrays, the engine writes U+2028 and U+2029 as escapes, whose letters are then part of the searched string.
  if (LINE_SEPARATORS.some((written) => overlaps(written, part))) others.push('\u2028', '\u2029')
  const isBeyondAscii = part === '' && needsOthers(term)
  if (isBeyondAscii) others.push('\\u')
  return { part, others, isBeyondAscii }
}

const LINE_SEPARATORS: readonly string[] = ['u2028', 'u2029']

function overlaps(written: string, part: string): boolean {
  const lower = part.toLowerCase()
  return Array.from(written, (_, i) => written.slice(i)).some(
    (end) => end.startsWith(lower) || lower.startsWith(end),
  )
}

/** True for terms that no string of ASCII contains, also without regard to case. */
export function needsOthers(term: string): boolean {
  return /[^\0-\x7f\u017f\u212a]/.test(term)
}

/** Returns the first of the longest strings; the empty string without parts. */
export function longest(parts: readonly string[]): string {
  return parts.reduce((best, part) => (part.length > best.length ? part : best), '')
}

/** Returns expressions of which at least one is not 0 for each string that has the bytes of a needle. */
export function placesInBytes(bytes: Sql, needle: Needle, caseSensitive: boolean): readonly Sql[] {
  const { part, others, isBeyondAscii } = needle
  if (part === '' && !isBeyondAscii) return [sql`notEmpty(${bytes})`]
  const position = caseSensitive ? sql`position` : sql`positionCaseInsensitive`
  return [
    part === '' ? sql`(NOT isASCII(${bytes}))` : sql`${position}(${bytes}, ${text(part)})`,
    ...others.map((other) => sql`position(${bytes}, ${text(other)})`),
  ]
}
