import type { LineLayout } from '../time/line-layout.js'
import { beginsWith, compileFormat, matchPattern, timePattern } from './compiled-format.js'
import {
  type DetectedLineFormat,
  detectLineFormat,
  GENERAL,
  type LineFormatDetection,
} from './detect-format.js'
import { TIMED_LINES } from './general.js'
import type { LineFormat } from './line-format.js'

/** The share of the events that two formats must have together if no format has most of them. */
const LEAST_OF_BOTH = 0.8
/** The least share of the events of one of two such formats. */
const LEAST_OF_ONE = 0.2
/** The number of events that show that a second program writes to the log. */
const LEAST_EVENTS = 2

/**
 * Returns a format that also has the patterns of a second program, whose lines begin with times in the same layout;
 * `found` itself when one program wrote all lines.
 */
export function withSecondFormat(
  sample: string,
  found: DetectedLineFormat,
  options: LineFormatDetection,
): DetectedLineFormat {
  const { format, layout } = found
  if (layout?.kind !== 'found' || format.start !== undefined) return found
  const isGeneral = GENERAL.has(format.name)
  const named = options.formats.filter(({ name, start }) => !GENERAL.has(name) && !start)
  const first = isGeneral
    ? detectLineFormat(sample, { ...options, formats: named, leastShare: LEAST_OF_ONE })
    : found
  if (first === undefined || !hasTimes(first, layout.layout)) return found
  const rest = withoutFormat(sample, first.format, layout.layout)
  // A program with a format may also write messages in the layout of text.
  const formatOfMost = rest.count * 2 < rest.total ? first : found
  if (rest.count < LEAST_EVENTS) return formatOfMost
  const others = named.filter(({ name }) => name !== first.format.name)
  const second = detectLineFormat(rest.text, {
    ...options,
    formats: others,
    leastShare: LEAST_OF_BOTH,
  })
  if (second === undefined || !hasTimes(second, layout.layout)) return formatOfMost
  return { format: joined(first.format, second.format), layout }
}

function hasTimes({ layout }: DetectedLineFormat, { id }: LineLayout): boolean {
  return layout?.kind === 'found' && layout.layout.id === id
}

function joined(one: LineFormat, other: LineFormat): LineFormat {
  return {
    ...one,
    patterns: [...new Set([...one.patterns, ...other.patterns])],
    levels: { ...other.levels, ...one.levels },
  }
}

/** Returns the events that begin with a time, but do not match a format, their number, and the number of all events. */
function withoutFormat(
  sample: string,
  format: LineFormat,
  { time }: LineLayout,
): { readonly text: string; readonly count: number; readonly total: number } {
  if (time === undefined) return { text: '', count: 0, total: 0 }
  const pattern = timePattern(time.pattern)
  const { patterns } = compileFormat(format, pattern)
  const { starts } = compileFormat(
    { patterns: [...format.patterns, ...TIMED_LINES.patterns] },
    pattern,
  )
  const lines: string[] = []
  let count = 0
  let total = 0
  let isOther = false
  for (const line of sample.split('\n')) {
    if (starts.some((start) => beginsWith(start, line))) {
      isOther = patterns.every((one) => matchPattern(one, line) === null)
      if (isOther) count++
      total++
    }
    if (isOther) lines.push(line)
  }
  return { text: lines.join('\n'), count, total }
}
