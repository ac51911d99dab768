import { parseTimestamp } from './timestamp.js'

/** The times an event may have: what 64 bits of nanoseconds hold, from 1900 on. */
export const FIRST_TIME = -2_208_988_800_000_000_000n
export const LAST_TIME = 9_223_372_036_854_775_807n

/**
 * The texts of times that the engine reads by itself, as it should: left alone it takes much more,
 * and in other ways. 1900 is not among them because of zones: some of its texts are times of 1899.
 */
export const ENGINE_TIME =
  '^((190[1-9]|19[1-9][0-9]|2[0-2][0-9]{2})-[0-9]{2}-[0-9]{2}[T ]([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]([.][0-9]+)?(Z|[+-]([01][0-9]|2[0-3]):?[0-5][0-9])?|[1-9]([0-9]{9}|[0-9]{12}|[0-9]{15}|[0-9]{18}))$'

const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d)(?::(\d\d(?:[.,]\d+)?))?)? ?(Z|UTC|GMT|[+-]\d\d(?::?\d\d)?)?$/i
const RFC_2822 =
  /^(?:[A-Z][a-z]{2}, *)?(\d{1,2}) ([A-Z][a-z]{2}) (\d{4}) (\d\d:\d\d)(?::(\d\d))? (Z|UTC|UT|GMT|[+-]\d{4})$/
const WEB_LOG = /^\[?(\d\d)\/([A-Z][a-z]{2})\/(\d{4}):(\d\d:\d\d):(\d\d)(?: ([+-]\d{4}))?\]?$/
const LONGEST = 64
const DECIMAL = /^(-?)(\d+)(?:\.(\d*))?(?:[eE]([+-]?\d{1,3}))?$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** Nanoseconds since 1970 of a time as events write it, as a text or a number; undefined when it is none or out of range. */
export function parseEventTime(text: string): bigint | undefined {
  const trimmed = text.trim()
  if (trimmed.length > LONGEST) return undefined
  const time = unixTime(trimmed) ?? calendarTime(trimmed)
  return time !== undefined && time >= FIRST_TIME && time <= LAST_TIME ? time : undefined
}

/** Seconds, milliseconds, microseconds or nanoseconds, whichever brings the number near our time. */
function unixTime(text: string): bigint | undefined {
  const match = DECIMAL.exec(text)
  if (match === null) return undefined
  const [, sign, whole = '', fraction = '', exponent = '0'] = match
  // The value is `digits` × 10 ^ -scale, exactly.
  const digits = BigInt(whole + fraction)
  const scale = fraction.length - Number(exponent)
  const size = shifted(digits, -scale)
  const power = size < 10n ** 11n ? 9 : size < 10n ** 14n ? 6 : size < 10n ** 17n ? 3 : 0
  const time = shifted(digits, power - scale)
  return sign === '-' ? -time : time
}

function shifted(digits: bigint, power: number): bigint {
  return power >= 0 ? digits * 10n ** BigInt(power) : digits / 10n ** BigInt(-power)
}

function calendarTime(text: string): bigint | undefined {
  const iso = ISO.exec(text)
  if (iso !== null) {
    const [, date = '', clock = '00:00', seconds = '00', zone] = iso
    return parseTimestamp(`${date}T${clock}:${seconds.replace(',', '.')}${offset(zone)}`)
  }
  const named = RFC_2822.exec(text) ?? WEB_LOG.exec(text)
  if (named === null) return undefined
  const [, day = '', month = '', year = '', clock = '', seconds = '00', zone] = named
  const number = String(MONTHS.indexOf(month) + 1).padStart(2, '0')
  return parseTimestamp(
    `${year}-${number}-${day.padStart(2, '0')}T${clock}:${seconds}${offset(zone)}`,
  )
}

/** A zone as RFC 3339 writes it; without one a time is in UTC. */
function offset(zone = 'Z'): string {
  const digits = /^([+-]\d\d):?(\d\d)?$/.exec(zone)
  return digits === null ? 'Z' : `${digits[1]}:${digits[2] ?? '00'}`
}
