import { parseEventTime } from '../../wire/event/event-time.js'
import type { TimeFormat } from '../../wire/time/time-format.js'
import { DAY, SECOND } from '../../wire/time/units.js'
import { ZONE_NAMES } from '../log/time/time-parts.js'
import type { Sample } from './sample.js'
import { timeNameRank } from './time-name.js'

/** Smaller numbers are durations, counts or dates such as 20261120: the first second of 2000. */
const FIRST_NUMBER = 946_684_800n * SECOND
/** Dates before 1990 are rarely times of events. */
const FIRST_TEXT = 631_152_000n * SECOND
const IS_NUMBER = /^\d+(?:\.\d*)?$/
/** A number of seconds since 1970, or of smaller units, but not a clock in digits. */
const IS_COUNT = /^\d{9,}(?:\.\d*)?$/
const HAS_CLOCK = /\d:\d\d/
/** The share of the events that must have the field. */
const LEAST_SHARE = 0.5
/** The share of the values that must be times. Events with other values get the time of arrival. */
const VALID_SHARE = 0.95

/** The options that decide the times in fields. */
export interface TimeOptions {
  /** Nanoseconds since 1970; completes times without a year. */
  readonly now: bigint
  /** The format of the times, if the user gave one. */
  readonly format?: TimeFormat | undefined
}

interface Candidate {
  readonly name: string
  readonly rank: number
  readonly texts: string[]
  /** False when a value is neither a string nor a number. */
  isTextual: boolean
}

/**
 * Returns the field with the event time; undefined when there is none. Of the fields with a known name and with times as
 * values, fields that vary, have a clock and are in all events are preferred; then the rank of the name decides.
 */
export function timeFieldOf(sample: Sample, options: TimeOptions): string | undefined {
  const rated = candidatesOf(sample).flatMap(
    (candidate) => rate(candidate, sample.events.length, options) ?? [],
  )
  return rated.sort((one, other) => other.rating - one.rating)[0]?.name
}

/** Returns the fields with a known name that are text in most events, in the order of their rank. */
export function namedTextsOf(sample: Sample): readonly string[] {
  return candidatesOf(sample)
    .filter(({ texts }) => texts.every((text) => !IS_NUMBER.test(text)))
    .sort((one, other) => one.rank - other.rank)
    .map(({ name }) => name)
}

/** Returns the fields with a known name that most events have, as text or numbers only. */
function candidatesOf({ events, fields }: Sample): readonly Candidate[] {
  const found = new Map<string, Candidate>()
  for (const leaves of fields.values()) {
    const name = leaves[0].path.join('.')
    const rank = timeNameRank(name)
    if (rank === undefined) continue
    for (const { form, text, alteration } of leaves) {
      if (form === 'null' || alteration === 'repeated-key') continue
      // The header of a table that follows another one.
      if (text === name) continue
      const candidate = found.get(name) ?? { name, rank, texts: [], isTextual: true }
      candidate.texts.push(text)
      if (form !== 'string' && form !== 'number') candidate.isTextual = false
      found.set(name, candidate)
    }
  }
  return [...found.values()].filter(
    ({ isTextual, texts }) => isTextual && texts.length >= events.length * LEAST_SHARE,
  )
}

/** A clock with a zone, after which the year or the name of the zone may follow. */
const HAS_ZONE = new RegExp(
  `\\d:\\d\\d(?::\\d\\d(?:[.,]\\d+)?)? ?(?:[AP]M ?)?(?:Z|${ZONE_NAMES}|[+-]\\d\\d(?::?\\d\\d)?)(?: \\d{4}| \\(\\w+\\)|\\])?$`,
  'i',
)

/** True when a field of events has dates, or times of which some have no zone. */
export function lacksZones({ fields }: Sample, field: string): boolean {
  const texts = [...fields.values()]
    .filter(([{ path }]) => path.join('.') === field)
    .flatMap((leaves) => leaves.map(({ text }) => text))
    .filter((text) => /\d/.test(text) && !IS_COUNT.test(text))
  const clocks = texts.filter((text) => HAS_CLOCK.test(text))
  return clocks.length > 0 ? clocks.some((text) => !HAS_ZONE.test(text)) : texts.length > 0
}

/** Rates a candidate; a larger rating is better. Returns undefined when the values are not times of events. */
function rate(
  { name, rank, texts }: Candidate,
  events: number,
  { now, format }: TimeOptions,
): { readonly name: string; readonly rating: number } | undefined {
  const times = texts.flatMap((text) => parseEventTime(text, format) ?? [])
  if (times.length < texts.length * VALID_SHARE) return undefined
  const first = texts.every((text) => !IS_NUMBER.test(text)) ? FIRST_TEXT : FIRST_NUMBER
  const areRecent = times.every((time) => isRecent(time, now, first))
  const varies = times.some((time) => time !== times[0])
  if (!areRecent && (first === FIRST_NUMBER || !varies || !isSorted(times))) return undefined
  const hasClock = texts.some((text) => HAS_CLOCK.test(text) || IS_NUMBER.test(text))
  // A date that all events share is not their time.
  if (!varies && !hasClock && events > 1) return undefined
  const isComplete = texts.length === events
  const facts = [varies, hasClock, isComplete]
  return { name, rating: facts.reduce((sum, fact) => sum * 2 + Number(fact), 0) * 1000 - rank }
}

/** True for a time from `first`, by default 1990, to tomorrow. */
export function isRecent(time: bigint, now: bigint, first = FIRST_TEXT): boolean {
  return time >= first && time <= now + DAY
}

/** True for times in ascending or descending order. */
function isSorted(times: readonly bigint[]): boolean {
  const isAscending = times.every((time, i) => i === 0 || time >= times[i - 1]!)
  return isAscending || times.every((time, i) => i === 0 || time <= times[i - 1]!)
}
