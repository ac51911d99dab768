import type { Level } from '../level.js'
import { translateGrok } from '../pattern/compile-grok.js'
import type { LinePattern } from '../pattern/line-pattern.js'
import type { LineFormat } from './line-format.js'
import { FORMAT_PATTERNS } from './patterns.js'

/** A format whose patterns are regular expressions. */
export interface CompiledFormat {
  readonly patterns: readonly CompiledPattern[]
  /** The beginning of an event: up to its time, or up to the message if the format has no time. */
  readonly start: CompiledPattern | undefined
  readonly levels: Readonly<Record<string, Level>>
  readonly hasDoubledQuotes?: boolean
}

/** A sticky regular expression whose groups are the fields, and their names and types. */
export interface CompiledPattern {
  readonly scan: RegExp
  readonly fields: LinePattern['fields']
  /** True when the last group is the rest of the text, which the expression leaves to be sliced: that is faster. */
  readonly hasRest: boolean
}

const REST = /\(\[\^\]\*\)$/
const TIME = '%{TIME:_time}'
const MESSAGE = '%{MESSAGE:message}'

/** Stands for the times while a pattern is compiled: their regular expression is for latin1 already. */
const TIME_MARK = 'TIME_OF_EVENT'
const LIBRARY: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FORMAT_PATTERNS),
  ['TIME', TIME_MARK],
])

/** Compiled patterns by their text, and by the times that they are for; all inputs of a run share them. */
const groks = new Map<string, LinePattern>()
const compiled = new Map<string, CompiledPattern>()

function compile(grok: string, time: string): CompiledPattern {
  const key = `${time} ${grok}`
  const known = compiled.get(key)
  if (known !== undefined) return known
  const { source, fields } = groks.get(grok) ?? translateGrok(grok, LIBRARY)
  groks.set(grok, { source, fields })
  const scan = new RegExp(source.replaceAll(TIME_MARK, () => time).replace(REST, '()'), 'y')
  const pattern = { scan, fields, hasRest: REST.test(source) }
  compiled.set(key, pattern)
  return pattern
}

const NO_TIME = '(?!)'

/** Compiles a format for times that match a regular expression; without one, `%{TIME}` matches nothing. */
export function compileFormat(
  format: Pick<LineFormat, 'patterns' | 'levels' | 'start' | 'hasDoubledQuotes'>,
  time: string | undefined,
): CompiledFormat {
  return {
    patterns: format.patterns.map((pattern) => compile(pattern, time ?? NO_TIME)),
    start: compileStart(format, time),
    levels: format.levels ?? {},
    ...(format.hasDoubledQuotes && { hasDoubledQuotes: true }),
  }
}

/** Compiles the beginning of an event: up to its time, or up to the message if the format has no time. */
export function compileStart(
  { patterns, start: named }: Pick<LineFormat, 'patterns' | 'start'>,
  time: string | undefined,
): CompiledPattern | undefined {
  if (named !== undefined) return compile(named, time ?? NO_TIME)
  const starts = patterns.flatMap((pattern) => {
    const [head, ...rest] = pattern.split(TIME)
    if (time !== undefined) return rest.length === 0 ? [] : [`${head}${TIME}`]
    const [text = '', ...message] = pattern.split(MESSAGE)
    return rest.length > 0 || message.length === 0 ? [] : [text]
  })
  const [first, ...others] = new Set(starts)
  if (first === undefined) return undefined
  const start =
    others.length === 0 ? first : [first, ...others].map((one) => `(?:${one})`).join('|')
  return compile(start, time ?? NO_TIME)
}

/** Returns the regular expression of a layout of times, without groups. */
export function timePattern(pattern: string): string {
  return `(?:${pattern.replace(/(?<!\\)\((?!\?)/g, '(?:')})(?!\\w)`
}

/** Matches a pattern at the beginning of a text. */
export function matchPattern(
  { scan, hasRest }: CompiledPattern,
  text: string,
): RegExpExecArray | null {
  scan.lastIndex = 0
  const match = scan.exec(text)
  if (match === null || !hasRest) return match
  const last = match.length - 1
  // Of alternatives, not all have it.
  if (match[last] !== undefined) match[last] = text.slice(scan.lastIndex)
  return match
}

/** Returns the value of a field of a match; undefined when the match does not have it. */
export function fieldOf(
  { fields }: CompiledPattern,
  match: RegExpExecArray,
  name: string,
): string | undefined {
  const index = fields.findIndex((field, at) => field.name === name && match[at + 1] !== undefined)
  return index === -1 ? undefined : match[index + 1]
}
