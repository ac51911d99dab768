import { parseDuration } from '../../wire/time/duration.js'

const DATETIME =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt ]\s*(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*([Zz]|[+-]\d\d:?\d\d)?)?$/

/**
 * Returns the nanoseconds since 1970 of `2026-01-31`, `2026-01-31 12:00` or `2026-01-31T12:00:00.123456789Z`, in UTC
 * unless there is an offset; undefined for anything else. The result may be outside the range of a datetime.
 */
export function parseDatetime(text: string): bigint | undefined {
  const match = DATETIME.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour = '0', minute = '0', second = '0', fraction = '', zone] = match
  const date = new Date(0)
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day))
  const isDay = date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day)
  if (!isDay || Number(hour) > 23 || Number(minute) > 59 || Number(second) > 59) return undefined
  const offset = offsetMinutes(zone)
  if (offset === undefined) return undefined
  const minutes = BigInt(hour) * 60n + BigInt(minute) - offset
  const seconds = BigInt(date.getTime() / 1000) + minutes * 60n + BigInt(second)
  return seconds * 1_000_000_000n + BigInt(fraction.slice(0, 9).padEnd(9, '0'))
}

function offsetMinutes(zone: string | undefined): bigint | undefined {
  if (zone === undefined || zone === 'Z' || zone === 'z') return 0n
  const hours = Number(zone.slice(1, 3))
  const minutes = Number(zone.slice(-2))
  if (hours > 23 || minutes > 59) return undefined
  return BigInt((zone.startsWith('-') ? -1 : 1) * (hours * 60 + minutes))
}

const TIMESPAN = /^(-?)(\d+(?:\.\d+)?[a-zµ]+)$/

/** Returns the nanoseconds of `1.5h`, `500ms` or `-2d`, truncated; undefined for anything else. */
export function parseTimespan(text: string): bigint | undefined {
  const [, sign, amount = ''] = TIMESPAN.exec(text) ?? []
  const size = parseDuration(amount)
  return sign === '-' && size !== undefined ? -size : size
}
