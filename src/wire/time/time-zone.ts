import { DAY, MINUTE } from './units.js'

/** Zones change their offset only at multiples of 15 minutes. */
const QUARTER = 15n * MINUTE

const FIXED = /^([+-])(\d\d):?(\d\d)$/
const OFFSET = /([+-])(\d\d):(\d\d)/

export interface TimeZone {
  readonly name: string
  /** Returns the offset from UTC in minutes at an instant, in nanoseconds since 1970. */
  offsetAt(instant: bigint): number
}

export const UTC: TimeZone = { name: 'UTC', offsetAt: () => 0 }

/**
 * Returns the zone of an IANA name such as `Europe/Berlin`, or of an offset such as `+02:00`; undefined when unknown.
 */
export function timeZone(name: string): TimeZone | undefined {
  if (name === 'UTC' || name === 'Z') return UTC
  const [, sign, hours = '', minutes = ''] = FIXED.exec(name) ?? []
  if (sign !== undefined) {
    const offset = (Number(hours) * 60 + Number(minutes)) * (sign === '-' ? -1 : 1)
    const isClock = Number(hours) < 24 && Number(minutes) < 60
    return isClock ? { name, offsetAt: () => offset } : undefined
  }
  return namedZone(name)
}

function namedZone(name: string): TimeZone | undefined {
  // Node 22 also accepts offsets as names, but not in the forms that `timeZone` reads.
  if (!/^[A-Za-z]/.test(name)) return undefined
  let format: Intl.DateTimeFormat
  try {
    format = new Intl.DateTimeFormat('en-US', { timeZone: name, timeZoneName: 'longOffset' })
  } catch {
    return undefined
  }
  const known = new Map<bigint, number>()
  return {
    name,
    offsetAt(instant) {
      // Division truncates, which rounds up before 1970.
      const quarter = instant / QUARTER - (instant % QUARTER < 0n ? 1n : 0n)
      let offset = known.get(quarter)
      if (offset === undefined) {
        offset = offsetIn(format.format(Number((quarter * QUARTER) / 1_000_000n)))
        known.set(quarter, offset)
      }
      return offset
    },
  }
}

/** Returns the minutes in `1/31/2026, GMT+01:00`. */
function offsetIn(text: string): number {
  const [, sign, hours, minutes] = OFFSET.exec(text) ?? []
  return (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * (sign === '-' ? -1 : 1)
}

/**
 * Converts a local time to an instant, both in nanoseconds since 1970. For a time that occurs twice, returns the first instant; for
 * a time that is skipped, the instant as long after the change as the time is after the start of the gap.
 */
export function instantOfClock(clock: bigint, zone: TimeZone): bigint {
  const before = clock - BigInt(zone.offsetAt(clock - DAY)) * MINUTE
  const after = clock - BigInt(zone.offsetAt(clock + DAY)) * MINUTE
  if (clockAt(before, zone) === clock) return before
  return clockAt(after, zone) === clock ? after : before
}

/** Converts an instant to a local time, both in nanoseconds since 1970. */
export function clockAt(instant: bigint, zone: TimeZone): bigint {
  return instant + BigInt(zone.offsetAt(instant)) * MINUTE
}
