import { parseDuration } from '../../wire/time/duration.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'

const DATETIME =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:[Tt ]\s*(\d\d?):(\d\d)(?::(\d\d)(?:[.,](\d+))?)?\s*([Zz]|[+-]\d\d:?\d\d)?)?$/

/**
 * Returns the nanoseconds since 1970 of `2026-01-31`, `2026-01-31 12:00` or `2026-01-31T12:00:00.123456789Z`, in UTC
 * unless there is an offset; undefined for anything else. The result may be outside the range of a datetime.
 */
export function parseDatetime(text: string): bigint | undefined {
  const match = DATETIME.exec(text.trim())
  if (match === null) return undefined
  const [, year, month, day, hour, minute, second, fraction = '0', zone = 'Z'] = match
  const two = (digits = '') => digits.padStart(2, '0')
  const date = `${year}-${two(month)}-${two(day)}`
  const clock = `${two(hour)}:${two(minute)}:${two(second)}.${fraction}`
  return parseTimestamp(`${date}T${clock}${zone.replace(/(\d\d)(\d\d)$/, '$1:$2')}`)
}

const TIMESPAN = /^(-?)(\d+(?:\.\d+)?[a-zµ]+)$/

/** Returns the nanoseconds of `1.5h`, `500ms` or `-2d`, truncated; undefined for anything else. */
export function parseTimespan(text: string): bigint | undefined {
  const [, sign, amount = ''] = TIMESPAN.exec(text) ?? []
  const size = parseDuration(amount)
  return sign === '-' && size !== undefined ? -size : size
}
