import { compileNow } from '../compile-now.js'
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

const NO_TIME = '(?!)'

/** Compiled patterns by their text, and by the times that they are for; all inputs of a run share them. */
const groks = new Map<string, LinePattern>()
const compiled = new Map<string, Map<string, CompiledPattern>>()

/** Compiles a grok pattern for times that match a regular expression; without one, `%{TIME}` matches nothing. */
export function compileFor(grok: string, time = NO_TIME): CompiledPattern {
  const ofTime = compiled.get(time) ?? new Map<string, CompiledPattern>()
  compiled.set(time, ofTime)
  const known = ofTime.get(grok)
  if (known !== undefined) return known
  const { source, fields } = groks.get(grok) ?? translateGrok(grok, LIBRARY)
  groks.set(grok, { source, fields })
  const text = source.replaceAll(TIME_MARK, () => time).replace(REST, '()')
  let scan: RegExp | undefined
  const pattern = {
    fields,
    hasRest: REST.test(source),
    // Many patterns of a format are never needed.
    get scan() {
      scan ??= compileNow(new RegExp(text, 'y'))
      return scan
    },
  }
  ofTime.set(grok, pattern)
  return pattern
}

/** Compiles a format for times that match a regular expression. */
export function compileFormat(
  format: Pick<LineFormat, 'patterns' | 'levels' | 'start' | 'hasDoubledQuotes'>,
  time: string | undefined,
): CompiledFormat {
  return {
    patterns: format.patterns.map((pattern) => compileFor(pattern, time)),
    start: compileStart(format, time),
    levels: format.levels ?? {},
    ...(format.hasDoubledQuotes && { hasDoubledQuotes: true }),
  }
}

/** Compiles the beginning of an event: up to its time, or up to the message if the format has no time. */
function compileStart(
  format: Pick<LineFormat, 'patterns' | 'start'>,
  time: string | undefined,
): CompiledPattern | undefined {
  const [first, ...others] = startsOf(format, time !== undefined)
  if (first === undefined) return undefined
  if (others.length === 0) return compileFor(first, time)
  const starts = [first, ...others]
  // Expressions with the time in each alternative take long to compile.
  const isBeforeTime = starts.every((start) => start.endsWith(TIME))
  const texts = isBeforeTime ? starts.map((start) => start.slice(0, -TIME.length)) : starts
  const alternatives = texts.map((text) => `(?:${text})`).join('|')
  return compileFor(isBeforeTime ? `(?:${alternatives})${TIME}` : alternatives, time)
}

/** Returns the patterns of which the beginning of an event has one. */
export function startsOf(
  { patterns, start }: Pick<LineFormat, 'patterns' | 'start'>,
  isTimed: boolean,
): readonly string[] {
  if (start !== undefined) return [start]
  const starts = patterns.flatMap((pattern) => {
    const [head, ...rest] = pattern.split(TIME)
    if (isTimed) return rest.length === 0 ? [] : [`${head}${TIME}`]
    const [text = '', ...message] = pattern.split(MESSAGE)
    return rest.length > 0 || message.length === 0 ? [] : [text]
  })
  return [...new Set(starts)]
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
