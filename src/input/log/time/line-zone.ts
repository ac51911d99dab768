import { zoneSeconds } from '../../../wire/time/time-pattern.js'
import { instantOfClock, type TimeZone, timeZone } from '../../../wire/time/time-zone.js'
import { SECOND } from '../../../wire/time/units.js'

/** Zones change their offset only at multiples of 15 minutes. */
const QUARTER = 900
/** The times of a log name few zones; the limit bounds memory for hostile logs. */
const MAX_ZONES = 100

/** The offset of a local time from UTC, in seconds east; the time is in seconds since 1970. */
export type LocalOffset = (local: number) => number

const offsets = new Map<string, LocalOffset | undefined>()

/**
 * Returns the offset of a zone as lines name it: `Z`, `+01`, `-0800`, `+05:30`, `UTC+1`, hours such as `5.5`, three digits
 * for minutes, an abbreviation or `Europe/Berlin`; undefined for an unknown zone.
 */
export function writtenOffset(zone: string): LocalOffset | undefined {
  if (!offsets.has(zone)) {
    if (offsets.size >= MAX_ZONES) offsets.clear()
    offsets.set(zone, parseOffset(zone))
  }
  return offsets.get(zone)
}

function parseOffset(zone: string): LocalOffset | undefined {
  if (/^[+-]\d{3}$/.test(zone)) return () => Number(zone) * 60
  const [, sign, hours, minutes = '0'] =
    /^(?:(?:UTC|GMT) ?)?([+-]?)(\d{1,2}(?:\.\d{1,2})?):?(\d\d)?$/.exec(zone) ?? []
  const seconds =
    hours === undefined
      ? zone === 'Z' || zone === 'z'
        ? 0
        : zoneSeconds(zone)
      : (sign === '-' ? -1 : 1) * (Number(hours) * 3_600 + Number(minutes) * 60)
  if (seconds !== undefined) return () => seconds
  const named = timeZone(zone)
  return named && localOffset(named)
}

/** The end of a time with a zone, or a number since 1970, which needs no zone. */
const NAMES_ZONE = /(?:Z|z|[+-]\d\d:?\d\d|[+-]\d{3}|[A-Z]{3,4}|\([+-]?[\d.]+|^[\d.]+)$/

/** True when the text of a time names its zone, or is a number since 1970. */
export function hasWrittenZone(text: string): boolean {
  return NAMES_ZONE.test(text)
}

/**
 * Returns the offset of local times in a zone. As in java.time, a time that occurs twice is the earlier one, and a time that
 * is skipped is moved forward by the length of the gap.
 */
export function localOffset(zone: TimeZone): LocalOffset {
  let lastQuarter = Number.NaN
  let lastOffset = 0
  return (local) => {
    const quarter = Math.floor(local / QUARTER)
    if (quarter !== lastQuarter) {
      const clock = BigInt(quarter * QUARTER) * SECOND
      lastOffset = Number((clock - instantOfClock(clock, zone)) / SECOND)
      lastQuarter = quarter
    }
    return lastOffset
  }
}
