import { dayOf, twoDigits } from './calendar.js'
import { NANOSECONDS } from './duration.js'
import { ISO_PARTS, parseByPattern, type TimePattern } from './time-pattern.js'
import { SECOND } from './units.js'

// An offset is checked here, because other patterns allow 24 hours and 60 minutes, as Go does.
const TIMESTAMP: TimePattern = {
  matches:
    /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])([01]\d|2[0-3]):([0-5]\d))$/,
  parts: ISO_PARTS,
}
const RELATIVE = /^now((?:[+-]\d+(?:ns|us|µs|ms|s|m|h|d|w))*)$/
const STEP = /([+-]\d+)([a-zµ]+)/g

/**
 * Parses RFC 3339 to nanoseconds since 1970; undefined for any other text. Digits after the ninth of a fraction are
 * dropped.
 */
export function parseTimestamp(text: string): bigint | undefined {
  return parseByPattern(text, TIMESTAMP)
}

/** Parses the time in the JSON text of a value; undefined for an absent value, or one that is not a time. */
export function timeOfCell(cell: string | undefined): bigint | undefined {
  return cell?.startsWith('"') ? parseTimestamp(cell.slice(1, -1)) : undefined
}

/**
 * Parses a time in a request: RFC 3339, or relative, such as `now-1h` or `now-7d+12h`; undefined for any other text.
 */
export function parseRequestTime(text: string, now: bigint): bigint | undefined {
  const steps = RELATIVE.exec(text)?.[1]
  if (steps === undefined) return parseTimestamp(text)
  let time = now
  for (const [, amount = '0', unit = ''] of steps.matchAll(STEP)) {
    time += BigInt(amount) * (NANOSECONDS[unit] ?? 0n)
  }
  return time
}

/**
 * Formats RFC 3339 with up to nine digits and without trailing zeros: `2026-01-01T00:00:00.01Z`, or
 * `2026-01-01T02:00:00.01+02:00` for an offset of `ahead` minutes.
 */
export function formatTimestamp(time: bigint, ahead = 0): string {
  const fraction = ((time % SECOND) + SECOND) % SECOND
  const date = new Date((Number((time - fraction) / SECOND) + ahead * 60) * 1000)
  const minute = `${twoDigits(date.getUTCHours())}:${twoDigits(date.getUTCMinutes())}`
  const second = `${dayOf(date)}T${minute}:${twoDigits(date.getUTCSeconds())}`
  const digits = String(fraction).padStart(9, '0').replace(/0+$/, '')
  return `${second}${digits === '' ? '' : `.${digits}`}${offset(ahead)}`
}

function offset(ahead: number): string {
  if (ahead === 0) return 'Z'
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  return `${ahead < 0 ? '-' : '+'}${twoDigits(hours)}:${twoDigits(minutes)}`
}
