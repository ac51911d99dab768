import type { Problem } from '../../text/problem.js'
import type { Span } from '../../text/span.js'
import { closest, nearest } from '../../text/suggest.js'
import { argumentRange, type Signature } from '../function/signature.js'

// The parts of problem messages: a sentence in APL's terms, a few words under the caret, and a help that shows what
// would work. APL in a help is in backticks and parses.

/** The maximum number of problems reported for a query. */
export const MAX_PROBLEMS = 10

export interface Excerpt {
  readonly text: string
  readonly span: Span
}

type Words = Omit<Problem, 'span'>

/** Returns the problem that these words describe, at its place in the query. */
export function worded({ code, message, ...more }: Words): (span: Span) => Problem {
  return (span) => ({ code, message, span, ...more })
}

/** Returns a function that words a problem with its first argument: a span, or a part of the query that has one. */
export function wordedAt<Place extends Span | { readonly span: Span }, Rest extends unknown[]>(
  words: (place: Place, ...rest: Rest) => Words,
): (place: Place, ...rest: Rest) => Problem {
  return (place, ...rest) => worded(words(place, ...rest))('span' in place ? place.span : place)
}

/** Puts text in backticks, truncated to 60 characters. */
export function inBackticks(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `\`${line.length > 60 ? `${line.slice(0, 57)}…` : line}\``
}

/** Names a character at the start of a sentence: in backticks, or by its code point if it is invisible. */
export function describeSign(text: string): string {
  if (text.startsWith('`')) return 'A backtick'
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(text)
  const code = text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return visible ? inBackticks(text) : `The character U+${code}`
}

/** Returns a label with the most similar of the known names; undefined if none is similar. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  const guess = closest(name, known)
  return guess === undefined ? undefined : `close to \`${guess}\``
}

const MAX_NAMES = 8

/** The maximum number of names to compare with a misspelled one. */
export const MAX_SUGGESTED = 10_000

/** Lists up to eight names, names similar to `name` first, and the number of the others. */
export function listNames(names: readonly string[], name = ''): string {
  const close = name === '' || names.length <= MAX_NAMES ? [] : nearest(name, names)
  const order = [...close, ...names.slice(0, MAX_NAMES + close.length)]
  const shown = [...new Set(order)].slice(0, MAX_NAMES)
  const more = names.length - shown.length
  const rest = names.length >= MAX_SUGGESTED ? ' and many more' : ` and ${more} more`
  return shown.join(', ') + (more > 0 ? rest : '')
}

/** Returns true if a part of a query is short and simple enough to be repeated in a help. */
export function isSimple(text: string): boolean {
  return /^[A-Za-z_][\w.]{0,40}$/.test(text) && !/\.(\d|$)|\.\./.test(text)
}

/** Lists kinds of values without repetition: `a number, a string or a boolean`. */
export function anyOf(nouns: readonly string[]): string {
  const distinct = [...new Set(nouns)].filter(
    (noun) => noun !== 'an integer' || !nouns.includes('a number'),
  )
  return new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(distinct)
}

/** Formats a signature: `substring(source, start, length?)`. */
export function callForm(name: string, { parameters }: Signature): string {
  const written = parameters.map(({ name: parameter, optional, repeated }) =>
    repeated ? `${parameter}, …` : optional ? `${parameter}?` : parameter,
  )
  return `\`${name}(${written.join(', ')})\``
}

/** Formats the number of arguments that a signature accepts: `1 argument`, `2 to 3 arguments`. */
export function argumentCount(signature: Signature): string {
  const [least, most] = argumentRange(signature)
  if (most === 0) return 'no arguments'
  if (most === Number.POSITIVE_INFINITY) return `${least} or more arguments`
  const count = least === most ? `${most}` : `${least} ${most - least > 1 ? 'to' : 'or'} ${most}`
  return `${count} argument${most === 1 ? '' : 's'}`
}

export function toUpper(letter: string): string {
  return letter.toUpperCase()
}
