import { matchAt } from '../../../text/match-at.js'
import { memoized, memoizedText } from '../../../text/memoized.js'
import { compileNow } from '../compile-now.js'
import type { Level } from '../level.js'
import { translateGrok } from '../pattern/compile-grok.js'
import type { LinePattern, PatternField } from '../pattern/line-pattern.js'
import { laterLevel } from './later-level.js'
import type { LineFormat } from './line-format.js'
import { FORMAT_PATTERNS } from './patterns.js'

/** A format whose patterns are regular expressions. */
export interface CompiledFormat {
  readonly patterns: readonly CompiledPattern[]
  /** The beginnings of events: up to the time, or up to the message if the format has no time. */
  readonly starts: readonly CompiledPattern[]
  readonly levels: Readonly<Record<string, Level>>
  readonly hasDoubledQuotes?: boolean
}

/** A sticky regular expression whose groups are the fields, and their names and types. */
interface CompiledPattern {
  /** The time in front of the text that `scan` matches; if it is missing, `scan` matches from the beginning. */
  readonly beginning?: Beginning | undefined
  readonly scan: RegExp
  readonly fields: LinePattern['fields']
  /** True when the last field is the rest of the text: slicing it is faster than a group that matches it. */
  readonly hasRest: boolean
  /** True when a level may stand in the rest of the text, or must if there is no time; it is the field before the last. */
  readonly hasLaterLevel: boolean
  readonly isTimed: boolean
}

/** A time at the beginning of an event, and the text in front of it. */
export interface Beginning {
  /** Matches the text and the time, which is the first group. */
  readonly scan: RegExp
  /** The text in front of the time that was found last. */
  before: string | undefined
}

/** The time at the beginning of an event. */
export interface FoundTime {
  readonly written: string
  /** The time in RFC 3339, if it was read already; `written` is then empty. */
  readonly read: string | undefined
  /** The position after the time. */
  readonly end: number
}

const REST = /\(\[\^\]\*\)$/
const TIME = '%{TIME:_time}'
/** A time in seconds since 1970, in a log whose other times have a layout. */
const SECONDS = '(?<_time:long>\\d{10})'
const MESSAGE = '%{MESSAGE:message}'
const LEVELED = '%{LEVELED:message}'

/** A placeholder for times while a pattern is translated: their regular expression is already one for latin1. */
const TIME_MARK = 'TIME_OF_EVENT'
const LIBRARY: ReadonlyMap<string, string> = new Map([
  ...Object.entries(FORMAT_PATTERNS),
  ['TIME', TIME_MARK],
])

const NO_TIME = '(?!)'
const LEVEL: PatternField = { name: 'level', type: 'string' }
const TIME_FIELD: PatternField = { name: '_time', type: 'string' }

/** Text in front of a time without fields and alternatives, such as a bracket: it matches in one way only. */
const SIMPLE = /^(?:\\.|\[(?:\\.|[^\]\\])*\]|[^\\[(|%])*$/

/**
 * Returns the texts around the time of a pattern that ends with a message, if the time is matched apart from the rest: patterns of a
 * format begin alike, and events with similar times, so that few times must be matched at all.
 */
function aroundTime(grok: string): readonly [before: string, after: string] | undefined {
  const [before = '', after, ...more] = grok.split(TIME)
  if (after === undefined || more.length > 0 || !SIMPLE.test(before)) return undefined
  return after.endsWith(MESSAGE) || after.endsWith(LEVELED) ? [before, after] : undefined
}

/** Compiles a grok pattern for times that match a regular expression; without one, `%{TIME}` matches nothing. */
export function compileFor(grok: string, time = NO_TIME): CompiledPattern {
  return compilerFor(time)(grok)
}

/** All inputs of a run share the compiled patterns. */
const compilerFor = memoizedText((time) => memoizedText((grok) => compiledWith(grok, time)))

function compiledWith(grok: string, time: string): CompiledPattern {
  const [before, after] = aroundTime(grok) ?? [undefined, grok]
  const { source, fields } = translated(after)
  const hasLaterLevel = grok.endsWith(LEVELED)
  // The first group is for the time in front of the text.
  const timed = before === undefined ? source.replaceAll(TIME_MARK, () => time) : `()${source}`
  const text = timed.replace(REST, hasLaterLevel ? '()()' : '()')
  const inText = hasLaterLevel ? fields.toSpliced(-1, 0, LEVEL) : fields
  let scan: RegExp | undefined
  return {
    beginning:
      before === undefined ? undefined : beginningWith(`${translated(before).source}(${time})`),
    fields: before === undefined ? inText : [TIME_FIELD, ...inText],
    hasRest: REST.test(source),
    hasLaterLevel,
    isTimed: grok.includes(TIME),
    // Compiled on demand: many patterns of a format are never needed.
    get scan() {
      scan ??= compileNow(text, 'y')
      return scan
    },
  }
}

/** Translates a grok pattern; `TIME_MARK` stands for a time in it. */
export const translated = memoizedText((grok) => translateGrok(grok, LIBRARY))

/** Returns the one object for times with a text in front of them, so that the same beginnings of patterns are the same object. */
const beginningWith = memoizedText((text): Beginning => {
  let scan: RegExp | undefined
  return {
    before: undefined,
    get scan() {
      scan ??= compileNow(text, 'y')
      return scan
    },
  }
})

/** Compiles a format for times that match a regular expression. */
export function compileFormat(
  format: Pick<LineFormat, 'patterns' | 'levels' | 'start' | 'hasDoubledQuotes'>,
  time: string | undefined,
): CompiledFormat {
  const patterns = format.patterns.map((pattern) => compileFor(pattern, time))
  return {
    // Without times, a pattern with a time at its beginning matches nothing, and trying it for each event takes most of the time.
    patterns: time === undefined ? patterns.filter((one) => one.beginning === undefined) : patterns,
    starts: compileStarts(format, time),
    levels: format.levels ?? {},
    ...(format.hasDoubledQuotes && { hasDoubledQuotes: true }),
  }
}

/** The maximum length of an expression for several beginnings, without times. V8 optimizes no expression of more than 20,480 characters. */
const MAX_ALTERNATIVES = 12_000

/** Compiles the beginnings of events; most become one expression, or a few. */
function compileStarts(
  format: Pick<LineFormat, 'patterns' | 'start'>,
  time: string | undefined,
): readonly CompiledPattern[] {
  const starts = startsOf(format, time !== undefined)
  const leveled = starts.filter((start) => start.endsWith(LEVELED))
  const others = starts.filter((start) => !start.endsWith(LEVELED))
  return [...groupsOf(others).map(alternativesOf), ...leveled].map((start) =>
    compileFor(start, time),
  )
}

/** Divides patterns into groups of limited length. */
function groupsOf(starts: readonly string[]): readonly (readonly string[])[] {
  const groups: string[][] = []
  let length = Number.POSITIVE_INFINITY
  for (const start of starts) {
    length += translated(start).source.length
    if (length > MAX_ALTERNATIVES) {
      groups.push([])
      length = translated(start).source.length
    }
    groups.at(-1)!.push(start)
  }
  return groups
}

/** Returns a grok pattern that matches what one of several patterns matches. */
function alternativesOf(starts: readonly string[]): string {
  const [first, ...others] = starts
  if (others.length === 0) return first!
  // An expression with the time in each alternative takes long to compile.
  const isBeforeTime = starts.every((start) => start.endsWith(TIME))
  const texts = isBeforeTime ? starts.map((start) => start.slice(0, -TIME.length)) : starts
  const alternatives = texts.map((text) => `(?:${text})`).join('|')
  return isBeforeTime ? `(?:${alternatives})${TIME}` : alternatives
}

const timedStartsIn = memoized((patterns: readonly string[]) => startsIn(patterns, true))
const untimedStartsIn = memoized((patterns: readonly string[]) => startsIn(patterns, false))

/** Returns the patterns of the beginning of an event, one of which must match. */
export function startsOf(
  { patterns, start }: Pick<LineFormat, 'patterns' | 'start'>,
  isTimed: boolean,
): readonly string[] {
  if (start !== undefined) return [start]
  return isTimed ? timedStartsIn(patterns) : untimedStartsIn(patterns)
}

function startsIn(patterns: readonly string[], isTimed: boolean): readonly string[] {
  const starts = patterns.flatMap((pattern) => {
    const [head, ...rest] = pattern.split(TIME)
    if (isTimed && rest.length > 0) return [`${head}${TIME}`]
    if (isTimed) {
      const at = pattern.indexOf(SECONDS)
      return at === -1 ? [] : [pattern.slice(0, at + SECONDS.length)]
    }
    if (pattern.endsWith(LEVELED)) return rest.length === 0 ? [pattern] : []
    const [text = '', ...message] = pattern.split(MESSAGE)
    return rest.length > 0 || message.length === 0 ? [] : [text]
  })
  return [...new Set(starts)]
}

/** Returns the regular expression of a layout of times, without groups. */
export function timePattern(pattern: string): string {
  return `(?:${pattern.replace(/(?<!\\)\((?!\?)/g, '(?:')})(?!\\w)`
}

/** Returns the time at the beginning of a text; undefined when there is none. */
export function findTime(beginning: Beginning, text: string): FoundTime | undefined {
  const { scan } = beginning
  const written = matchAt(scan, text, 0)?.[1]
  if (written === undefined) return undefined
  const end = scan.lastIndex
  beginning.before = text.slice(0, end - written.length)
  return { written, read: undefined, end }
}

/** Matches a pattern at the beginning of a text; `time` is the time at this beginning, if it was found already. */
export function matchPattern(
  { beginning, scan, hasRest, hasLaterLevel, isTimed }: CompiledPattern,
  text: string,
  time = beginning && findTime(beginning, text),
): RegExpExecArray | null {
  if (beginning !== undefined && time === undefined) return null
  const match = matchAt(scan, text, beginning === undefined ? 0 : time!.end)
  if (match === null) return null
  if (beginning !== undefined) match[1] = time!.written
  if (!hasRest) return match
  const last = match.length - 1
  if (hasLaterLevel) {
    const level = laterLevel({ text, from: scan.lastIndex, isTimed })
    if (level === undefined && !isTimed) return null
    match[last - 1] = level ?? ''
  }
  // The group may be in an alternative that did not match.
  if (match[last] !== undefined) match[last] = text.slice(scan.lastIndex)
  return match
}

/** The beginning of an event. */
export type StartPattern = Pick<CompiledPattern, 'scan'> &
  Partial<Pick<CompiledPattern, 'hasLaterLevel'>>

export function beginsWith({ scan, hasLaterLevel = false }: StartPattern, text: string): boolean {
  scan.lastIndex = 0
  if (!scan.test(text)) return false
  return !hasLaterLevel || laterLevel({ text, from: scan.lastIndex, isTimed: false }) !== undefined
}

/** Returns the value of a field of a match; undefined when the match does not have the field. */
export function fieldOf(
  { fields }: CompiledPattern,
  match: RegExpExecArray,
  name: string,
): string | undefined {
  const index = fields.findIndex((field, at) => field.name === name && match[at + 1] !== undefined)
  return index === -1 ? undefined : match[index + 1]
}
