// The time grammar that every flag shares.
import { NANOSECONDS, parseDuration } from '../../wire/time/duration.js'
import { clockAt, instantOfClock, type TimeZone, UTC } from '../../wire/time/time-zone.js'
import { formatTimestamp, parseTimestamp } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'

const SECOND = 1_000_000_000n
const DAY = 86_400n * SECOND

const SINCE_START = /^\+(.+)$/
const CALCULATED = /^(now|today|yesterday)((?:[+-][^+/-]+|\/[^+/-]+)*)$/
const STEP = /([+/-])([^+/-]+)/g
const CLOCK = /^\d\d:\d\d(?::\d\d(?:\.\d+)?)?$/
const DATE = /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d(?:\.\d+)?)?)?([Zz]|[+-]\d\d:\d\d)?$/
const UNIX = /^(\d+)(?:\.(\d+))?$/

/** 1 January 1970 was a Thursday; weeks begin on Monday. */
const FIRST_MONDAY = 4n * DAY

/** What times without a date or without a fixed point are counted from, in nanoseconds since 1970. */
interface TimeReference {
  readonly now: bigint
  /** The start of the range, for an end that is written as `+30m`. */
  readonly start?: bigint | undefined
  /** Whose clocks the times without a zone are read from; UTC without it. */
  readonly zone?: TimeZone | undefined
}

/** The instants that RFC 3339 can write. */
const FIRST = parseTimestamp('0000-01-01T00:00:00Z') ?? 0n
const LAST = parseTimestamp('9999-12-31T23:59:59.999999999Z') ?? 0n

/** The instant that a flag's text means, in nanoseconds since 1970. */
export function parseTime(text: string, reference: TimeReference): bigint {
  const instant = instantOf(text, reference)
  if (instant >= FIRST && instant <= LAST) return instant
  throw new UsageError(`\`${text}\` is not within the years 0000 to 9999.`)
}

function instantOf(text: string, { now, start, zone = UTC }: TimeReference): bigint {
  const written = text.trim()
  const ago = parseDuration(written.replace(/^-/, ''))
  if (ago !== undefined) return now - ago
  const after = parseDuration(SINCE_START.exec(written)?.[1] ?? '')
  if (after !== undefined) {
    if (start === undefined) {
      throw new UsageError(
        `\`${text}\` counts from the start of the range, and there is none here.`,
      )
    }
    return start + after
  }
  const instant =
    calculated(written, now, zone) ??
    calendar(written, now, zone) ??
    (isYear(written) ? undefined : unix(written))
  if (instant === undefined) {
    throw new UsageError(
      `\`${text}\` is not a time. Times look like \`1h\` (ago), \`2026-01-31\`, \`2026-01-31T10:00\`, \`10:30\`, \`today\` or \`now-1d/d\`.`,
    )
  }
  return instant
}

/** `now`, `today` and `yesterday`, moved by durations and cut to the beginning of a unit, from left to right. */
function calculated(text: string, now: bigint, zone: TimeZone): bigint | undefined {
  const [, word, steps = ''] = CALCULATED.exec(text) ?? []
  if (word === undefined) return undefined
  let instant = now
  if (word !== 'now') instant = beginning(now, 'd', zone)
  // The moment before today began is yesterday, also where the clocks were changed in between.
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

/** A date, a date and a time of day, or a time of day today. */
function calendar(text: string, now: bigint, zone: TimeZone): bigint | undefined {
  const today = formatTimestamp(clockAt(now, zone)).slice(0, 10)
  const [, date, minute = '00:00', second = ':00', offset] =
    DATE.exec(CLOCK.test(text) ? `${today}T${text}` : text) ?? []
  if (date === undefined) return undefined
  const time = parseTimestamp(`${date}T${minute}${second}${offset ?? 'Z'}`)
  return time === undefined || offset !== undefined ? time : instantOfClock(time, zone)
}

/** Seconds, milliseconds, microseconds or nanoseconds since 1970, told apart by their size. */
function unix(text: string): bigint | undefined {
  const [, whole, fraction = ''] = UNIX.exec(text) ?? []
  if (whole === undefined) return undefined
  const unit = unitOf(BigInt(whole))
  const digits = String(unit).length - 1
  const rest = fraction.slice(0, digits).padEnd(digits, '0')
  return BigInt(whole) * unit + BigInt(rest === '' ? '0' : rest)
}

/** Each unit holds the years 1973 to 5138; smaller numbers are seconds. */
function unitOf(amount: bigint): bigint {
  if (amount < 10n ** 11n) return SECOND
  if (amount < 10n ** 14n) return 1_000_000n
  return amount < 10n ** 17n ? 1_000n : 1n
}

/** `2026` could be a year as well as half an hour after 1970 began: better to ask. */
function isYear(text: string): boolean {
  return /^(?:19|20)\d\d$/.test(text)
}

/** The latest beginning of a unit that is not after the instant. */
function beginning(instant: bigint, unit: string, zone: TimeZone): bigint {
  const size = NANOSECONDS[unit] ?? 1n
  const offset = size === NANOSECONDS.w ? FIRST_MONDAY : 0n
  const clock = clockAt(instant, zone)
  const into = (((clock - offset) % size) + size) % size
  return size < DAY ? instant - into : instantOfClock(clock - into, zone)
}
