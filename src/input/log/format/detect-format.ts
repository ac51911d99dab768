import { type Inference, inferLayout, inferPlace, type TimeDefaults } from '../line-layout.js'
import { isContinuation } from '../multiline/event-start.js'
import { TIME_LAYOUTS } from '../time-layout.js'
import {
  type CompiledFormat,
  compileFormat,
  fieldOf,
  hasTime,
  matchPattern,
  timePattern,
} from './compiled-format.js'
import type { LineFormat } from './line-format.js'

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
  /** True when the user named the format: the share of matching events does not matter. */
  readonly isForced?: boolean
}

/** The beginnings of lines in a sample, each with the lines after it. */
type Heads = readonly string[]

/** Events of more characters than this are compared up to here. */
const MAX_EVENT = 2048
const COMPARED_EVENTS = 100
/** The share of events that decides for a format at once, and the least one. */
const CERTAIN_SHARE = 0.8
const LEAST_SHARE = 0.5
/** At least this share of lines begins with a time in the format; others may continue an event. */
const LEAST_STARTS = 0.1
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
  const heads = headsOf(sample)
  if (heads.length === 0) return undefined
  const { formats, timeFormat, isForced } = options
  const times = timeFormat === undefined ? timesIn(heads) : [timePattern(timeFormat.source)]
  let best: { readonly share: number; readonly found: DetectedLineFormat } | undefined
  for (const format of formats) {
    for (const time of hasTime(format) ? times : [undefined]) {
      const compiled = compileFormat(format, time)
      const share = shareOf(heads, compiled, time !== undefined && isNumber(time))
      if (share < (isForced ? 0 : LEAST_SHARE) || share <= (best?.share ?? 0)) continue
      const layout = time === undefined ? undefined : layoutOf(heads, compiled, options)
      if (time !== undefined && layout === undefined) continue
      best = { share, found: { format, layout } }
      if (share >= CERTAIN_SHARE) return best.found
    }
  }
  return best?.found
}

/** Returns the text from each line on that does not continue the line before it. */
function headsOf(sample: string): Heads {
  const heads: string[] = []
  for (let at = 0; at < sample.length && heads.length < COMPARED_EVENTS; ) {
    const newline = sample.indexOf('\n', at)
    const end = newline === -1 ? sample.length : newline
    const line = sample.slice(at, end)
    if (line.trim() !== '' && !isContinuation(line)) {
      heads.push(sample.slice(at, at + MAX_EVENT).replaceAll('\r', ''))
    }
    at = end + 1
  }
  return heads
}

/** Returns the regular expressions, without groups, of the layouts of times that the sample contains. */
function timesIn(heads: Heads): readonly string[] {
  const lines = heads.map((head) => head.split('\n', 1)[0]!)
  const patterns = [...new Set(TIME_LAYOUTS.map(({ pattern }) => pattern))]
  return patterns.map(timePattern).filter((pattern) => {
    const scan = new RegExp(pattern)
    return lines.filter((line) => scan.test(line)).length >= lines.length * LEAST_STARTS
  })
}

/** True when numbers match the regular expression of a time. */
function isNumber(time: string): boolean {
  return new RegExp(`^${time}$`).test('1234567890')
}

/** Returns the share of events that have the format: of those that begin with its time, if it has one. */
function shareOf(heads: Heads, { patterns, start }: CompiledFormat, hasNumbers: boolean): number {
  const leastStarts = hasNumbers ? LEAST_NUMBERS : LEAST_STARTS
  const events = start === undefined ? heads : heads.filter((head) => matchPattern(start, head))
  if (events.length === 0 || events.length < heads.length * leastStarts) return 0
  const matching = events.filter((head) => patterns.some((pattern) => matchPattern(pattern, head)))
  return matching.length / events.length
}

function layoutOf(
  heads: Heads,
  { start }: CompiledFormat,
  { now, timeFormat, times: defaults }: LineFormatDetection,
): Inference | undefined {
  if (start === undefined) return undefined
  const times = heads.flatMap((head) => {
    const match = matchPattern(start, head)
    return (match && fieldOf(start, match, '_time')) ?? []
  })
  if (timeFormat === undefined) return inferLayout(times, now, defaults)
  const layout = inferPlace(times, timeFormat)
  return layout && { kind: 'found', layout }
}
