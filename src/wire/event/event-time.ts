import { compileLayout } from '../time/go-layout.js'
import type { TimeFormat } from '../time/time-format.js'
import { ISO_PARTS, parseByPattern, type TimePattern } from '../time/time-pattern.js'
import { unixTime } from '../time/unix-time.js'

/** The range of times of events and of the datetime type: from 1900 to the end of 64-bit nanoseconds. */
export const FIRST_TIME = -2_208_988_800_000_000_000n
export const LAST_TIME = 9_223_372_036_854_775_807n

const ISO: TimePattern = {
  matches:
    /^(\d{4})-(\d\d)-(\d\d)(?:[Tt ](\d\d):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?)? ?(?:[Zz]|[Uu][Tt][Cc]|[Gg][Mm][Tt]|([+-])(\d\d)(?::?(\d\d))?)?$/,
  parts: ISO_PARTS,
}
/** The layouts of mail, of access and error logs of web servers, of `date` and of `ctime`. */
const LAYOUTS: readonly string[] = [
  '02/Jan/2006:15:04:05 -0700',
  '[02/Jan/2006:15:04:05 -0700]',
  '2006/01/02 15:04:05',
  'Mon, 2 Jan 2006 15:04:05 -0700',
  'Mon, 2 Jan 2006 15:04:05 MST',
  '2 Jan 2006 15:04:05 -0700',
  '2 Jan 2006 15:04:05 MST',
  'Mon Jan _2 15:04:05 2006',
  'Mon Jan _2 15:04:05 MST 2006',
  'Mon, 2 Jan 2006 15:04 -0700',
  'Mon, 2 Jan 2006 15:04 MST',
  '2 Jan 2006 15:04 -0700',
  '2 Jan 2006 15:04 MST',
  '02/Jan/2006:15:04:05',
  '[02/Jan/2006:15:04:05]',
]
/** The compiled layouts. Compiled on first use, because few programs need them and compiling would delay the start. */
let compiled: readonly TimePattern[] | undefined
const MAX_LENGTH = 64

/**
 * Parses the time of an event from a string or number to nanoseconds since 1970; undefined for other text and for times
 * out of range. Without `format`, common formats are recognized.
 */
export function parseEventTime(text: string, format?: TimeFormat): bigint | undefined {
  const time = format === undefined ? recognised(text.trim()) : byFormat(text, format)
  return time !== undefined && time >= FIRST_TIME && time <= LAST_TIME ? time : undefined
}

function byFormat(text: string, { reads }: TimeFormat): bigint | undefined {
  if (text.length > MAX_LENGTH) return undefined
  return typeof reads === 'number' ? unixTime(text, reads) : parseByPattern(text, reads)
}

function recognised(text: string): bigint | undefined {
  if (text.length > MAX_LENGTH) return undefined
  const known = unixTime(text) ?? parseByPattern(text, ISO)
  if (known !== undefined) return known
  for (const layout of layouts()) {
    const time = parseByPattern(text, layout)
    if (time !== undefined) return time
  }
  return undefined
}

function layouts(): readonly TimePattern[] {
  compiled ??= LAYOUTS.flatMap((layout) => compileLayout(layout) ?? [])
  return compiled
}

/** Returns the first pattern that matches the text of a time; undefined when only numbers do. */
export function patternOf(text: string, format?: TimeFormat): TimePattern | undefined {
  if (format === undefined) return [ISO, ...layouts()].find(({ matches }) => matches.test(text))
  return typeof format.reads === 'number' ? undefined : format.reads
}
