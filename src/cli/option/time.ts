// The grammar of times in flags.

import { NANOSECONDS, parseDuration } from '../../wire/time/duration.js'
import { clockAt, instantOfClock, type TimeZone, UTC } from '../../wire/time/time-zone.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import { DAY } from '../../wire/time/units.js'
import { unixTime } from '../../wire/time/unix-time.js'
import { UsageError } from '../error/usage-error.js'

const SINCE_START = /^\+(.+)$/
const CALCULATED = /^(now|today|yesterday)((?:[+-][^+/-]+|\/[^+/-]+)*)$/
const STEP = /([+/-])([^+/-]+)/g
/** A time of today. */
export const CLOCK = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/
const DATE = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?([Zz]|[+-]\d\d:?\d\d)?$/
/** A number from 1973 on, or 0. Shorter ones may be dates, such as `20260131`, or durations without a unit, such as `5`. */
const UNIX = /^(?:0|\d{9,})(?:\.\d+)?$/

/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = 4n * DAY

/** The instants to which relative times and times without a date refer, in nanoseconds since 1970. */
interface TimeReference {
  readonly now: bigint
  /** The start of the range, for an end that is written as `+30m`. */
  readonly start?: bigint | undefined
  /** The time zone of times without a zone; UTC if undefined. */
  readonly zone?: TimeZone | undefined
}

/** The instants that RFC 3339 can represent. */
const FIRST = parseTimestamp('0000-01-01T00:00:00Z') ?? 0n
const LAST = parseTimestamp('9999-12-31T23:59:59.999999999Z') ?? 0n

/** Parses the time of a flag. Returns nanoseconds since 1970; throws a `UsageError` for any other string. */
export function parseTime(text: string, reference: TimeReference): bigint {
  const instant = instantOf(text, reference)
  if (instant >= FIRST && instant <= LAST) return instant
  throw new UsageError(`\`${text}\` is outside the years 0000 to 9999.`)
}

function instantOf(text: string, { now, start, zone = UTC }: TimeReference): bigint {
  // ISO 8601 permits a comma before the fraction, and the logs of Java have it.
  const written = text.trim().replace(/(:\d\d),(?=\d)/, '$1.')
  const ago = parseDuration(written.replace(/^-/, ''))
  if (ago !== undefined) return now - ago
  const after = parseDuration(SINCE_START.exec(written)?.[1] ?? '')
  if (after !== undefined) {
    if (start === undefined) {
      throw new UsageError(`\`${text}\` counts from the start of the range, which is not set here.`)
    }
    return start + after
  }
  const unix = UNIX.test(written) ? unixTime(written) : undefined
  const instant = calculated(written, now, zone) ?? calendar(written, now, zone) ?? unix
  if (instant === undefined) {
    throw new UsageError(
      `\`${text}\` is not a time. Times look like \`1h\` (ago), \`2026-01-31\`, \`2026-01-31T10:00\`, \`10:30\`, \`today\` or \`now-1d/d\`.`,
    )
  }
  return instant
}

/** Evaluates `now`, `today` or `yesterday`, followed by durations to add and units to round down to, from left to right. */
function calculated(text: string, now: bigint, zone: TimeZone): bigint | undefined {
  const [, word, steps = ''] = CALCULATED.exec(text) ?? []
  if (word === undefined) return undefined
  let instant = now
  if (word !== 'now') instant = beginning(now, 'd', zone)
  // The moment before the start of today is in yesterday, even when the clocks were changed.
  if (word === 'yesterday') instant = beginning(instant - 1n, 'd', zone)
  for (const [, sign, step = ''] of steps.matchAll(STEP)) {
    if (sign === '/') {
      if (!Object.hasOwn(NANOSECONDS, step)) return undefined
      instant = beginning(instant, step, zone)
    } else {
      const length = parseDuration(step)
      if (length === undefined) return undefined
      instant += sign === '-' ? -length : length
    }
  }
  return instant
}

/** Parses a date, a date with a time of day, or a time of day today. */
function calendar(text: string, now: bigint, zone: TimeZone): bigint | undefined {
  const today = formatTimestamp(clockAt(now, zone)).slice(0, 10)
  const [, date, minute = '00:00', second = ':00', offset] =
    DATE.exec(CLOCK.test(text) ? `${today}T${text}` : text) ?? []
  if (date === undefined) return undefined
  const zoneText = (offset ?? 'Z').replace(/(\d\d)(\d\d)$/, '$1:$2')
  const time = parseTimestamp(`${date}T${minute}${second}${zoneText}`)
  return time === undefined || offset !== undefined ? time : instantOfClock(time, zone)
}

/** Rounds an instant down to the beginning of a unit. */
function beginning(instant: bigint, unit: string, zone: TimeZone): bigint {
  const size = NANOSECONDS[unit] ?? 1n
  const offset = size === NANOSECONDS.w ? FIRST_MONDAY : 0n
  const clock = clockAt(instant, zone)
  const into = (((clock - offset) % size) + size) % size
  return size < DAY ? instant - into : instantOfClock(clock - into, zone)
}
