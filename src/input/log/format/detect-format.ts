import { compileNow } from '../compile-now.js'
import { ANY_LINE, type EventStart } from '../multiline/event-start.js'
import { type Inference, inferTimes, type TimeReading } from '../time/line-layout.js'
import { timeGroups } from '../time/line-place.js'
import { TIME_LAYOUTS } from '../time/time-layouts.js'
import { NOT_WITHIN } from '../time/time-parts.js'
import { compileFor, fieldOf, matchPattern, startsOf, timePattern } from './compiled-format.js'
import type { LineFormat } from './line-format.js'
import { mayMatch, mayMatchOne } from './prefilter.js'

/** A format that most events of a sample have. */
export interface DetectedLineFormat {
  readonly format: LineFormat
  /** The layout of the times; undefined for a format without times. */
  readonly layout: Inference | undefined
}

/** The formats to choose from, and how to read their times. */
export interface LineFormatDetection extends TimeReading {
  readonly formats: readonly LineFormat[]
  /** True to choose among formats with a time, false among formats without a time. */
  readonly isTimed: boolean
  /** True when the user named the format: the share of matching events does not matter. */
  readonly isForced?: boolean
  /** The least share of events that match the format, half by default. */
  readonly leastShare?: number
}

/** The beginnings of events in a sample: each is a line with the text after it. */
type Heads = readonly string[]

/** The maximum number of characters of an event that are compared. */
const MAX_EVENT = 2048
const COMPARED_EVENTS = 100
/** The number of events, from all parts of the sample, that decide which formats are compared with further events. */
const FIRST_EVENTS = 10
/** Times are searched in this many lines, up to this many characters. */
const TIMED_LINES = 30
const MAX_HEAD = 512
/** Few lines may have a time: MariaDB writes it only when the second changes. */
const LEAST_TIMED_LINES = 5
/** The share of matching events with which a format is chosen at once, and the usual least share. */
const CERTAIN_SHARE = 0.8
const LEAST_SHARE = 0.5
/** A format of a program is preferred to a general one if it matches this share of the events of the general one. */
const NAMED_SHARE = 0.9
/** More than this share of lines must begin with a time in the format; other lines may continue an event. */
const LEAST_STARTS = 0.1
const LEAST_NAMED_STARTS = 0.02
/** The number of events of a program that are enough without the lines in front of them: a banner, which may be longer than the rest. */
const LEAST_AFTER_BANNER = 5
/** A layout of times is tried if this share of the lines has it. */
const LEAST_TIMES = 0.03
/** A layout of times is frequent if it is in this share of the lines with the most frequent layout. */
const FREQUENT_SHARE = 0.9
/** Numbers are times only if nearly every line begins with one, or most lines have the format of a program. */
const LEAST_NUMBERS = 0.9
const LEAST_NAMED_NUMBERS = 0.5

/**
 * Detects the format of text, in latin1, from a sample of whole lines: the first format that nearly all events match, or else
 * the format that most events match.
 */
export function detectLineFormat(
  sample: string,
  options: LineFormatDetection,
): DetectedLineFormat | undefined {
  const unindented = headsOf(sample, ANY_LINE.isStart)
  // Some programs begin all lines with spaces, to align their process ids.
  const heads = unindented.length > 0 ? unindented : headsOf(sample, () => true)
  if (heads.length === 0) return undefined
  const found = detectIn(heads, options)
  const isGeneral = found === undefined || GENERAL.has(found.format.name)
  if (!isGeneral || !options.isTimed || options.isForced) return found
  // Most lines may belong to long stack traces.
  const clocks = headsOf(sample, hasClock)
  const isHidden = clocks.length >= LEAST_CLOCKS && hasClock(heads[0]!.split('\n', 1)[0]!)
  if (!isHidden || clocks.length * 2 > heads.length) return found
  return detectIn(clocks, options) ?? found
}

/** Formats that nearly any line with a time or a level matches. */
export const GENERAL: ReadonlySet<string> = new Set(['text', 'level'])
const LEAST_CLOCKS = 2
/** A clock after a date or a level at the beginning of a line. */
const CLOCK = /^[[(<"]{0,2}(?:[A-Z]{1,8}[\]:]? +)?\d[\d/.-]{3,}[T _:]\d{1,2}:\d\d:\d\d/

function hasClock(line: string): boolean {
  return CLOCK.test(line)
}

function detectIn(heads: Heads, options: LineFormatDetection): DetectedLineFormat | undefined {
  const { formats, timeFormat, isTimed, isForced, leastShare = LEAST_SHARE } = options
  const identified =
    isTimed && timeFormat === undefined ? identifiedByFirstLine(heads, options) : undefined
  if (identified !== undefined) return identified
  const first = firstEvents(heads, isTimed)
  const mayMatchFirst = mayMatchOne(first)
  const times = timeFormat === undefined ? timesIn(heads) : [[timePattern(timeFormat.source)]]
  let best: { readonly share: number; readonly found: DetectedLineFormat } | undefined
  for (const group of isTimed ? times : [[undefined]]) {
    for (const format of formats) {
      // The lines of other programs may have a level, too.
      if (best?.found.format.others !== undefined && GENERAL.has(format.name)) continue
      for (const time of group) {
        if (!isForced && !format.patterns.some((one) => mayMatchFirst(one, time))) continue
        const starts = startsOf(format, isTimed)
        if (!isForced && shareOf(first, { format, starts, time }) === 0) continue
        const share = shareOf(heads, { format, starts, time })
        const least = (best?.share ?? -1) / (GENERAL.has(format.name) ? NAMED_SHARE : 1)
        if (share < (isForced ? 0 : leastShare) || share <= least) continue
        const layout = time === undefined ? undefined : layoutOf(heads, { format, time }, options)
        if (time !== undefined && layout === undefined) continue
        if (share >= CERTAIN_SHARE) return { format, layout }
        best = { share, found: { format: layout ? format : withOthers(format, heads), layout } }
      }
    }
  }
  return best?.found
}

/** Returns a format in which lines without a level are events too, if many lines lack it and no line has a time of day. */
function withOthers(format: LineFormat, heads: Heads): LineFormat {
  if (!GENERAL.has(format.name) || heads.some((head) => TIME_OF_DAY.test(head))) return format
  const others = heads.filter((head) => !HAS_FRAME.test(head))
  const share = shareOf(others, { format, starts: startsOf(format, false), time: undefined })
  if (others.length < heads.length && share >= CERTAIN_SHARE) return format
  return { ...format, start: '', patterns: [...format.patterns, '%{MESSAGE:message}'] }
}

/** An exception with its first frame, which may belong to the line with a level above it. */
const HAS_FRAME = /^[^\n]*\n {1,8}at \S/
const TIME_OF_DAY = /^.{0,30}?\b\d{1,2}:\d\d/

function identifiedByFirstLine(
  heads: Heads,
  options: LineFormatDetection,
): DetectedLineFormat | undefined {
  const first = heads[0]!
  const formats = options.formats.filter(
    (format) =>
      format.isIdentifiedByFirstLine &&
      startsOf(format, true).some((start) => mayMatch(start, first, ANY_TIME)),
  )
  if (formats.length === 0) return undefined
  const times = timesIn([first]).flat()
  for (const format of formats) {
    for (const time of times) {
      if (!hasOne(first, startsOf(format, true), time)) continue
      const layout = layoutOf(heads, { format, time }, options)
      if (layout !== undefined) return { format, layout }
    }
  }
  return undefined
}

/** A time whose layout is not known yet. */
const ANY_TIME = '.*'

/** Returns events from all parts of a sample, with some of those that have a time if few lines have one. */
function firstEvents(heads: Heads, isTimed: boolean): Heads {
  const first = spread(heads, FIRST_EVENTS)
  const timed = heads.filter((head) => TIME_OF_DAY.test(head))
  if (!isTimed || timed.length * 2 > heads.length) return first
  return [...new Set([...first, ...spread(timed, LEAST_TIMED_LINES)])]
}

/** Returns at most `most` elements, evenly spread over a list. */
function spread(heads: Heads, most: number): Heads {
  return heads.filter((_, at) => at % Math.ceil(heads.length / most) === 0)
}

/** Returns the text at each line that begins an event. */
function headsOf(sample: string, begins: EventStart['isStart']): Heads {
  const heads: string[] = []
  let previous = ''
  for (let at = 0; at < sample.length && heads.length < COMPARED_EVENTS; ) {
    const newline = sample.indexOf('\n', at)
    const end = newline === -1 ? sample.length : newline
    const line = sample.slice(at, Math.min(end, at + MAX_EVENT))
    if (line.trim() !== '' && begins(line, previous)) {
      heads.push(sample.slice(at, at + MAX_EVENT).replaceAll('\r', ''))
    }
    at = end + 1
    previous = line
  }
  return heads
}

/**
 * The lines up to the line with the time of an event: the first one, or a later one after a tag, a brace, a commit, a cursor, the name of
 * a section, or a level.
 */
const FIRST_LINE =
  /^(?:<\w+>\n|<\w+\n(?: .*\n){0,20}|<Event .*\n|commit [0-9a-f]{40}.*\n(?:Merge: .*\n)?Author: .*\n|\{\n(?:(?! *(?:"@)?timestamp).*\n){0,20}|__CURSOR=.*\n|-{2,3}\w{8}-{1,3}A--\n|>{3} {2}\[.*\n|Perforce server \w{1,20}:\n|# User@Host: .*\n(?:(?!SET timestamp=).*\n){0,9})?.*/

/**
 * Returns the regular expressions, without groups, of the layouts of times that the sample contains: first the layouts in
 * most lines, then the other layouts.
 */
function timesIn(heads: Heads): readonly (readonly string[])[] {
  const timed = heads.filter((head) => TIME_OF_DAY.test(head))
  const compared = new Set([...spread(heads, TIMED_LINES), ...spread(timed, LEAST_TIMED_LINES)])
  const lines = [...compared].map((head) => FIRST_LINE.exec(head)![0].slice(0, MAX_HEAD))
  const counts = new Map<string, number>()
  let most = 0
  for (const { layouts, anywhere } of timeGroups()) {
    const [{ pattern, isNumber }] = layouts
    const possible = lines.filter((line) => anywhere.test(line))
    const count = possible.length === 0 ? 0 : countTimes(pattern, possible)
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

function countTimes(pattern: string, lines: readonly string[]): number {
  const scan = compileNow(`${NOT_WITHIN}${timePattern(pattern)}`)
  return lines.filter((line) => scan.test(line)).length
}

/** The regular expressions of numbers that may be times. */
const NUMBERS = new Set(
  TIME_LAYOUTS.filter(({ example }) => /^[\d.]+$/.test(example)).map(({ pattern }) =>
    timePattern(pattern),
  ),
)

/** True when one of the patterns matches an event. */
function hasOne(head: string, patterns: readonly string[], time: string | undefined): boolean {
  return firstMatch(head, patterns, time) !== undefined
}

/** Returns the first pattern that matches an event, with the match. Compiles only patterns that may match it. */
function firstMatch(head: string, patterns: readonly string[], time: string | undefined) {
  for (const one of patterns) {
    if (!mayMatch(one, head, time)) continue
    const pattern = compileFor(one, time)
    const match = matchPattern(pattern, head)
    if (match !== null) return { pattern, match }
  }
  return undefined
}

/** True when other characters precede the time, so that a number in its place is a time. */
function isMarked({ patterns }: LineFormat): boolean {
  return patterns.every((pattern) => !pattern.startsWith('%{TIME'))
}

/** Returns the share of the events that match a format; with a time, of the events that begin like events of the format. */
function shareOf(
  heads: Heads,
  { format, starts, time }: { format: LineFormat; starts: readonly string[]; time?: string },
): number {
  const starting = heads.filter((head) => hasOne(head, starts, time))
  if (starting.length === 0) return 0
  if (time === undefined) {
    // Lines that continue an event may have a pattern of their own, and an empty start matches every line.
    const begun = new Set(format.start === '' ? [] : starting)
    const isKnown = (head: Heads[number]) => begun.has(head) || hasOne(head, format.patterns, time)
    const known = heads.filter(isKnown).length
    const hasBanner = !GENERAL.has(format.name) && known >= LEAST_AFTER_BANNER
    return known / (hasBanner ? heads.length - heads.findIndex(isKnown) : heads.length)
  }
  const leastOthers = GENERAL.has(format.name) ? LEAST_STARTS : LEAST_NAMED_STARTS
  const leastNumbers = GENERAL.has(format.name) ? LEAST_NUMBERS : LEAST_NAMED_NUMBERS
  const leastStarts = NUMBERS.has(time) && !isMarked(format) ? leastNumbers : leastOthers
  if (starting.length <= heads.length * leastStarts) return 0
  const matching = starting.filter((head) => hasOne(head, format.patterns, time))
  return matching.length / starting.length
}

function layoutOf(
  heads: Heads,
  { format, time }: { readonly format: LineFormat; readonly time: string },
  options: LineFormatDetection,
): Inference | undefined {
  const all = format.start === undefined ? startsOf(format, true) : format.patterns
  const timed = all.filter((pattern) => pattern.includes('%{TIME'))
  // Further patterns may have a time in seconds in another place.
  const patterns = timed.length > 0 ? timed : all
  const times = heads.flatMap((head) => {
    const found = firstMatch(head, patterns, time)
    return (found && fieldOf(found.pattern, found.match, '_time')) ?? []
  })
  return inferTimes(times, { ...options, isMonthFirst: format.isMonthFirst })
}
