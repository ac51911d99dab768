import { compileNow } from '../compile-now.js'
import { isContinuation } from '../multiline/event-start.js'
import { type Inference, inferLayout, inferPlace, type TimeDefaults } from '../time/line-layout.js'
import { TIME_LAYOUTS } from '../time/time-layouts.js'
import { NOT_WITHIN } from '../time/time-parts.js'
import { compileFor, fieldOf, matchPattern, startsOf, timePattern } from './compiled-format.js'
import { likeTime } from './like-time.js'
import type { LineFormat } from './line-format.js'
import { hasRequired, requiredText } from './required-text.js'

/** A format that most events of a sample have. */
export interface DetectedLineFormat {
  readonly format: LineFormat
  /** The layout of its times; undefined when it has none. */
  readonly layout: Inference | undefined
}

/** The formats to choose from, and how to read their times. */
export interface LineFormatDetection {
  readonly formats: readonly LineFormat[]
  /** Nanoseconds since 1970; completes times without a year. */
  readonly now: bigint
  /** Completes times without a zone or a year. */
  readonly times?: TimeDefaults | undefined
  /** The format of the times, if the user gave one. */
  readonly timeFormat?: RegExp | undefined
  /** True for formats with a time, false for those without. */
  readonly isTimed: boolean
  /** True when the user named the format: the share of matching events does not matter. */
  readonly isForced?: boolean
}

/** The beginnings of lines in a sample, each with the lines after it. */
type Heads = readonly string[]

/** Events of more characters than this are compared up to here. */
const MAX_EVENT = 2048
const COMPARED_EVENTS = 100
/** The number of events, from all of the sample, that decide which formats are compared with the others. */
const FIRST_EVENTS = 10
/** Times are searched in this many lines, up to this many characters. */
const TIMED_LINES = 30
const MAX_HEAD = 512
/** The share of events that decides for a format at once, and the least one. */
const CERTAIN_SHARE = 0.8
const LEAST_SHARE = 0.5
/** More than this share of lines begins with a time in the format; others may continue an event. */
const LEAST_STARTS = 0.1
const LEAST_NAMED_STARTS = 0.02
/** A layout of times is tried if this share of the lines has it. */
const LEAST_TIMES = 0.03
/** Layouts of times are equally frequent from this share on of the lines that have the most frequent one. */
const FREQUENT_SHARE = 0.9
/** Numbers are times only if nearly every line begins with one. */
const LEAST_NUMBERS = 0.9

/**
 * Detects the format of text, in latin1, from a sample of whole lines: the first format that nearly all events have,
 * otherwise the one that most have.
 */
export function detectLineFormat(
  sample: string,
  options: LineFormatDetection,
): DetectedLineFormat | undefined {
  const unindented = headsOf(sample, isHead)
  // All lines of some programs begin with spaces, so that their process ids are as wide.
  const heads = unindented.length > 0 ? unindented : headsOf(sample, () => true)
  if (heads.length === 0) return undefined
  const found = detectIn(heads, options)
  const isGeneral = found === undefined || GENERAL.has(found.format.name)
  if (!isGeneral || !options.isTimed || options.isForced) return found
  // Most lines may be those of long traces.
  const clocks = headsOf(sample, hasClock)
  const isHidden = clocks.length >= LEAST_CLOCKS && hasClock(heads[0]!.split('\n', 1)[0]!)
  if (!isHidden || clocks.length * 2 > heads.length) return found
  return detectIn(clocks, options) ?? found
}

/** Formats that nearly any line with a time or a level has. */
export const GENERAL: ReadonlySet<string> = new Set(['text', 'level'])
const LEAST_CLOCKS = 2
/** A clock after a date or a level at the beginning of a line. */
const CLOCK = /^[[(<"]{0,2}(?:[A-Z]{1,8}[\]:]? +)?\d[\d/.-]{3,}[T _:]\d{1,2}:\d\d:\d\d/

function hasClock(line: string): boolean {
  return CLOCK.test(line)
}

function isHead(line: string): boolean {
  return !isContinuation(line)
}

function detectIn(heads: Heads, options: LineFormatDetection): DetectedLineFormat | undefined {
  const { formats, timeFormat, isTimed, isForced } = options
  const identified =
    isTimed && timeFormat === undefined ? identifiedByFirstLine(heads, options) : undefined
  if (identified !== undefined) return identified
  const first = spread(heads, FIRST_EVENTS)
  const times = timeFormat === undefined ? timesIn(heads) : [[timePattern(timeFormat.source)]]
  let best: { readonly share: number; readonly found: DetectedLineFormat } | undefined
  for (const group of isTimed ? times : [[undefined]]) {
    for (const format of formats) {
      for (const time of group) {
        if (!isForced && !mayHave(first, format, time)) continue
        if (!isForced && shareOf(first, format, time) === 0) continue
        const share = shareOf(heads, format, time)
        if (share < (isForced ? 0 : LEAST_SHARE) || share <= (best?.share ?? -1)) continue
        const layout = time === undefined ? undefined : layoutOf(heads, { format, time }, options)
        if (time !== undefined && layout === undefined) continue
        best = { share, found: { format, layout } }
        if (share >= CERTAIN_SHARE) return best.found
      }
    }
  }
  return best?.found
}

/** Returns the format that the first line alone identifies. */
function identifiedByFirstLine(
  heads: Heads,
  options: LineFormatDetection,
): DetectedLineFormat | undefined {
  const [first = ''] = heads
  const formats = options.formats.filter(
    (format) =>
      format.isIdentifiedByFirstLine &&
      startsOf(format, true).some((start) => hasRequired(requiredText(start), first, ANY_TIME)),
  )
  if (formats.length === 0) return undefined
  const times = timesIn([first]).flat()
  for (const format of formats) {
    for (const time of times) {
      if (startingIn([first], format, time).length === 0) continue
      const layout = layoutOf(heads, { format, time }, options)
      if (layout !== undefined) return { format, layout }
    }
  }
  return undefined
}

/** Leaves it open whether there is a time. */
const ANY_TIME = /(?:)/y

/** Returns at most `most` elements, from all of a list. */
function spread(heads: Heads, most: number): Heads {
  return heads.filter((_, at) => at % Math.ceil(heads.length / most) === 0)
}

/** Returns the text from each line on that begins an event. */
function headsOf(sample: string, begins: (line: string) => boolean): Heads {
  const heads: string[] = []
  for (let at = 0; at < sample.length && heads.length < COMPARED_EVENTS; ) {
    const newline = sample.indexOf('\n', at)
    const end = newline === -1 ? sample.length : newline
    const line = sample.slice(at, Math.min(end, at + MAX_EVENT))
    if (line.trim() !== '' && begins(line)) {
      heads.push(sample.slice(at, at + MAX_EVENT).replaceAll('\r', ''))
    }
    at = end + 1
  }
  return heads
}

/**
 * Returns the regular expressions, without groups, of the layouts of times that the sample contains: first of those in
 * most lines, then of the others.
 */
function timesIn(heads: Heads): readonly (readonly string[])[] {
  const lines = spread(heads, TIMED_LINES).map((head) => head.split('\n', 1)[0]!.slice(0, MAX_HEAD))
  const linesWith = (time: string) => {
    const scan = compileNow(new RegExp(`${NOT_WITHIN}${time}`))
    return lines.filter((line) => scan.test(line)).length
  }
  const counts = new Map<string, number>()
  let most = 0
  for (const { pattern, isNumber } of TIME_LAYOUTS) {
    if (counts.has(pattern)) continue
    const time = timePattern(pattern)
    const like = likeTime(time)
    const count = like !== undefined && linesWith(like) === 0 ? 0 : linesWith(time)
    counts.set(pattern, count)
    if (!isNumber) most = Math.max(most, count)
  }
  const least = Math.max(1, Math.floor(lines.length * LEAST_TIMES))
  const times = [...counts].filter(([, count]) => count >= least)
  const isFrequent = (count: number) => count >= most * FREQUENT_SHARE
  return [
    times.filter(([, count]) => isFrequent(count)),
    times.filter(([, count]) => !isFrequent(count)),
  ].map((group) => group.map(([pattern]) => timePattern(pattern)))
}

/** The regular expressions of numbers that may be times. */
const NUMBERS = new Set(
  TIME_LAYOUTS.filter(({ example }) => /^[\d.]+$/.test(example)).map(({ pattern }) =>
    timePattern(pattern),
  ),
)

/** False when no event has the format, for most formats at a fraction of the cost of `shareOf`. */
function mayHave(heads: Heads, format: LineFormat, time: string | undefined): boolean {
  const like = time && (likeTime(time) ?? time)
  const starting = startingIn(heads, format, like)
  return like === undefined
    ? starting.length > 0
    : starting.some((head) => hasOne(head, format.patterns, like))
}

/** Returns the events that begin as those of a format do. */
function startingIn(heads: Heads, format: LineFormat, time: string | undefined): Heads {
  const starts = startsOf(format, time !== undefined)
  return heads.filter((head) => hasOne(head, starts, time))
}

/** True when an event has one of the patterns. */
function hasOne(head: string, patterns: readonly string[], time: string | undefined): boolean {
  return firstMatch(head, patterns, time) !== undefined
}

/** Matches the first of the patterns that an event has. Only those are compiled whose strings it has. */
function firstMatch(head: string, patterns: readonly string[], time: string | undefined) {
  const scan = time === undefined ? undefined : timeScan(time)
  for (const one of patterns) {
    if (!hasRequired(requiredText(one), head, scan)) continue
    const pattern = compileFor(one, time)
    const match = matchPattern(pattern, head)
    if (match !== null) return { pattern, match }
  }
  return undefined
}

const scans = new Map<string, RegExp>()

/** Returns a sticky expression that matches at least the times of a layout. */
function timeScan(time: string): RegExp {
  const scan = scans.get(time) ?? compileNow(new RegExp(likeTime(time) ?? time, 'y'))
  scans.set(time, scan)
  return scan
}

/** True when the time is behind other characters, so that a number there is a time. */
function isMarked({ patterns }: LineFormat): boolean {
  return patterns.every((pattern) => !pattern.startsWith('%{TIME'))
}

/** Returns the share of events that have the format: of those that begin with its time, if it has one. */
function shareOf(heads: Heads, format: LineFormat, time: string | undefined): number {
  const starting = startingIn(heads, format, time)
  if (starting.length === 0) return 0
  if (time === undefined) return starting.length / heads.length
  const leastOthers = GENERAL.has(format.name) ? LEAST_STARTS : LEAST_NAMED_STARTS
  const leastStarts = NUMBERS.has(time) && !isMarked(format) ? LEAST_NUMBERS : leastOthers
  if (starting.length <= heads.length * leastStarts) return 0
  const matching = starting.filter((head) => hasOne(head, format.patterns, time))
  return matching.length / starting.length
}

function layoutOf(
  heads: Heads,
  { format, time }: { readonly format: LineFormat; readonly time: string },
  { now, timeFormat, times: defaults }: LineFormatDetection,
): Inference | undefined {
  const patterns = format.start === undefined ? startsOf(format, true) : format.patterns
  const times = heads.flatMap((head) => {
    const found = firstMatch(head, patterns, time)
    return (found && fieldOf(found.pattern, found.match, '_time')) ?? []
  })
  if (timeFormat === undefined) return inferLayout(times, now, defaults)
  const layout = inferPlace(times, timeFormat)
  return layout && { kind: 'found', layout }
}
