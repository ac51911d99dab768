import { daysOfMonth, daysSince1970, formatDay } from './calendar.js'
import { NANOSECONDS } from './duration.js'
import { SECOND } from './units.js'

const TIMESTAMP =
  /^(\d{4})-(\d\d)-(\d\d)[Tt](\d\d):(\d\d):(\d\d)(?:\.(\d+))?(?:[Zz]|([+-])(\d\d):(\d\d))$/
const RELATIVE = /^now((?:[+-]\d+(?:ns|us|µs|ms|s|m|h|d|w))*)$/
const STEP = /([+-]\d+)([a-zµ]+)/g

/**
 * Parses RFC 3339 to nanoseconds since 1970; undefined for any other text. Digits after the ninth of a fraction are
 * dropped.
 */
export function parseTimestamp(text: string): bigint | undefined {
  const match = TIMESTAMP.exec(text)
  if (match === null) return undefined
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  const [hour, minute, second] = [Number(match[4]), Number(match[5]), Number(match[6])]
  const { 7: fraction = '', 8: sign, 9: offsetHour = '0', 10: offsetMinute = '0' } = match
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined
  if (hour > 23 || minute > 59 || second > 59) return undefined
  if (Number(offsetHour) > 23 || Number(offsetMinute) > 59) return undefined
  const east = (sign === '-' ? -1 : 1) * (Number(offsetHour) * 3_600 + Number(offsetMinute) * 60)
  const seconds = daysSince1970(year, month, day) * 86_400 + hour * 3_600 + minute * 60 + second
  return BigInt(seconds - east) * SECOND + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
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
  const seconds = Number((time - fraction) / SECOND) + ahead * 60
  const days = Math.floor(seconds / 86_400)
  const secondOfDay = seconds - days * 86_400
  const clock = [secondOfDay / 3_600, (secondOfDay / 60) % 60, secondOfDay % 60]
    .map((part) => String(Math.floor(part)).padStart(2, '0'))
    .join(':')
  const digits = String(fraction).padStart(9, '0').replace(/0+$/, '')
  return `${formatDay(days)}T${clock}${digits === '' ? '' : `.${digits}`}${offset(ahead)}`
}

function offset(ahead: number): string {
  if (ahead === 0) return 'Z'
  const [hours, minutes] = [Math.floor(Math.abs(ahead) / 60), Math.abs(ahead) % 60]
  return `${ahead < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`
}
