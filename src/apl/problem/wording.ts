import type { Span } from '../../text/span.js'
import { closest, nearest } from '../../text/suggest.js'
import type { Signature } from '../function/signature.js'

// Everything that can be wrong with a query, in one voice: a sentence in APL's words, a few words under
// the caret, and what would work. APL in a help stands in backticks, and parses.

/** So many problems of a query are told; more are of no help to anybody. */
export const MAX_PROBLEMS = 10

/** A piece of the query as it was written. */
export interface Excerpt {
  readonly text: string
  readonly span: Span
}

/** Written in backticks, cut short when long. */
export function inBackticks(text: string): string {
  const line = text.replace(/\s+/g, ' ')
  return `\`${line.length > 60 ? `${line.slice(0, 57)}…` : line}\``
}

/** A sign as a sentence names it: a backtick cannot stand in backticks, and what cannot be seen has a code. */
export function describeSign(text: string): string {
  if (text.startsWith('`')) return 'A backtick'
  const visible = /^[\p{L}\p{N}\p{P}\p{S}]+$/u.test(text)
  const code = text.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')
  return visible ? inBackticks(text) : `The character U+${code}`
}

/** A label that shows the nearest of the known names, if one is near. */
export function suggestion(name: string, known: readonly string[]): string | undefined {
  const guess = closest(name, known)
  return guess === undefined ? undefined : `close to \`${guess}\``
}

const MAX_NAMES = 8

/** So many names are compared with a misspelt one; where there are more, nobody counts the rest. */
export const MAX_SUGGESTED = 10_000

/** The names, or of many a few, those near to `name` first. */
export function listNames(names: readonly string[], name = ''): string {
  const close = name === '' || names.length <= MAX_NAMES ? [] : nearest(name, names)
  const order = [...close, ...names.slice(0, MAX_NAMES + close.length)]
  const shown = [...new Set(order)].slice(0, MAX_NAMES)
  const more = names.length - shown.length
  const rest = names.length >= MAX_SUGGESTED ? ' and many more' : ` and ${more} more`
  return shown.join(', ') + (more > 0 ? rest : '')
}

/** Whether a piece of a query is short and plain enough to be shown again in a help. */
export function isSimple(text: string): boolean {
  return /^[A-Za-z_][\w.]{0,40}$/.test(text) && !/\.(\d|$)|\.\./.test(text)
}

/** `number or a text`: kinds of values, none twice. */
export function anyOf(nouns: readonly string[]): string {
  const distinct = [...new Set(nouns)].filter(
    (noun) => noun !== 'whole number' || !nouns.includes('number'),
  )
  return distinct.join(' or a ')
}

/** `substring(source, start, length?)`. */
export function callForm(name: string, { parameters }: Signature): string {
  const written = parameters.map(({ name: parameter, optional, repeated }) =>
    repeated ? `${parameter}, …` : optional ? `${parameter}?` : parameter,
  )
  return `\`${name}(${written.join(', ')})\``
}

/** `1 argument`, `2 to 3 arguments`: how many a signature takes. */
export function argumentCount({ parameters }: Signature): string {
  const least = parameters.filter((parameter) => !parameter.optional).length
  const repeats = parameters.at(-1)?.repeated === true
  if (parameters.length === 0) return 'no arguments'
  if (repeats) return `${least} or more arguments`
  const most = parameters.length
  const count = least === most ? `${most}` : `${least} ${most - least > 1 ? 'to' : 'or'} ${most}`
  return `${count} argument${most === 1 ? '' : 's'}`
}

/** A help for a problem, if there is one. */
export function withHelp(help: string | undefined): { readonly help?: string } {
  return help === undefined ? {} : { help }
}

/** In capitals, as a sentence begins. */
export function toUpper(letter: string): string {
  return letter.toUpperCase()
}
