import { ownValue } from '../../text/own-value.js'
import { daysOfMonth, daysOfYear, daysSince1970 } from './calendar.js'
import { SECOND } from './units.js'

/** The meaning of a group of a pattern. */
export type TimePart =
  | 'year'
  /** The last two digits of a year from 1969 to 2068. */
  | 'short-year'
  | 'month'
  | 'month-name'
  | 'day'
  | 'day-of-year'
  | 'hour'
  /** From 0 to 12. */
  | 'half-hour'
  | 'half'
  | 'minute'
  | 'second'
  | 'fraction'
  | 'offset-sign'
  | 'offset-hour'
  | 'offset-minute'
  | 'offset-second'
  | 'zone'

/** A format of times: a regular expression whose groups are parts of a time. */
export interface TimePattern {
  readonly matches: RegExp
  readonly parts: readonly TimePart[]
}

/** The parts of a date, a time and an offset in the order of ISO 8601. */
export const ISO_PARTS: readonly TimePart[] = [
  ...(['year', 'month', 'day', 'hour', 'minute', 'second', 'fraction'] as const),
  ...(['offset-sign', 'offset-hour', 'offset-minute'] as const),
]

type TimeParts = Partial<Record<TimePart, string>>

/** The first three letters of the English names of the months, in lower case. */
export const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')

/** Parses a time to nanoseconds since 1970; undefined when the text does not match or the time does not exist. */
export function parseByPattern(text: string, { matches, parts }: TimePattern): bigint | undefined {
  const match = matches.exec(text)
  if (match === null) return undefined
  const found: TimeParts = {}
  parts.forEach((part, i) => {
    const value = match[i + 1]
    if (value !== undefined) found[part] = value
  })
  const days = dayOf(found)
  const seconds = secondOf(found)
  const east = eastOf(found)
  if (days === undefined || seconds === undefined || east === undefined) return undefined
  const fraction = (found.fraction ?? '').slice(0, 9).padEnd(9, '0')
  return BigInt(days * 86_400 + seconds - east) * SECOND + BigInt(fraction)
}

function dayOf(found: TimeParts): number | undefined {
  const year = yearOf(found)
  const name = found['month-name']?.slice(0, 3).toLowerCase()
  const month = name === undefined ? number(found.month) : MONTHS.indexOf(name) + 1
  const day = number(found.day)
  const dayOfYear = number(found['day-of-year'])
  if (dayOfYear === undefined) return dayOfMonth(year, month ?? 1, day ?? 1)
  if (dayOfYear < 1 || dayOfYear > daysOfYear(year)) return undefined
  const date = dateInYear(year, dayOfYear)
  // A month and day must agree with the day of the year.
  const agrees = (month ?? date.month) === date.month && (day ?? date.day) === date.day
  return agrees ? dayOfMonth(year, date.month, date.day) : undefined
}

function dayOfMonth(year: number, month: number, day: number): number | undefined {
  if (month < 1 || month > 12 || day < 1 || day > daysOfMonth(year, month)) return undefined
  return daysSince1970(year, month, day)
}

function dateInYear(year: number, dayOfYear: number): { month: number; day: number } {
  let month = 1
  let day = dayOfYear
  while (day > daysOfMonth(year, month)) day -= daysOfMonth(year, month++)
  return { month, day }
}

function yearOf(found: TimeParts): number {
  const short = number(found['short-year'])
  if (short === undefined) return number(found.year) ?? 0
  return short >= 69 ? 1900 + short : 2000 + short
}

function secondOf(found: TimeParts): number | undefined {
  const minute = number(found.minute) ?? 0
  const second = number(found.second) ?? 0
  const half = found.half?.toLowerCase()
  const inHalf = number(found['half-hour'])
  if (inHalf !== undefined && inHalf > 12) return undefined
  let hour = inHalf ?? number(found.hour) ?? 0
  if (half === 'pm' && hour < 12) hour += 12
  if (half === 'am' && hour === 12) hour = 0
  if (hour > 23 || minute > 59 || second > 59) return undefined
  return hour * 3_600 + minute * 60 + second
}

/** Returns the offset in seconds east of UTC; 0 without a zone, and undefined for an unknown or invalid one. */
function eastOf(found: TimeParts): number | undefined {
  // An offset takes precedence over the abbreviation.
  if (found.zone !== undefined && found['offset-sign'] === undefined) return zoneSeconds(found.zone)
  const hour = number(found['offset-hour']) ?? 0
  const minute = number(found['offset-minute']) ?? 0
  const second = number(found['offset-second']) ?? 0
  // As in Go, offsets of 24 hours, 60 minutes or 60 seconds are valid.
  if (hour > 24 || minute > 60 || second > 60) return undefined
  return (found['offset-sign'] === '-' ? -1 : 1) * (hour * 3_600 + minute * 60 + second)
}

function number(digits: string | undefined): number | undefined {
  return digits === undefined ? undefined : Number(digits)
}

/**
 * Unambiguous abbreviations of zones, in hours east of UTC: the abbreviations of RFC 2822, of Europe, East Asia, Australia, New
 * Zealand, South Africa, Latin America, Alaska and Hawaii, Turkey, Pakistan and Southeast Asia. `IST` and `BST` are missing because
 * each stands for several zones.
 */
export const ZONE_HOURS: Readonly<Record<string, number>> = {
  ...{ UTC: 0, GMT: 0, EST: -5, EDT: -4, CST: -6, CDT: -5, MST: -7, MDT: -6, PST: -8, PDT: -7 },
  ...{ WET: 0, WEST: 1, CET: 1, CEST: 2, EET: 2, EEST: 3, MSK: 3, JST: 9, KST: 9 },
  ...{ HKT: 8, SGT: 8, AWST: 8, AEST: 10, AEDT: 11, NZST: 12, NZDT: 13, SAST: 2 },
  ...{ BRT: -3, BRST: -2, ART: -3, COT: -5, CLT: -4, CLST: -3, AKST: -9, AKDT: -8, HST: -10 },
  ...{ TRT: 3, PKT: 5, ICT: 7, WIB: 7, WITA: 8 },
}

/** Returns the offset in seconds east of UTC of an abbreviation, of `GMT+3` or of `+03`; undefined when unknown. */
export function zoneSeconds(name: string): number | undefined {
  const hours = /^(?:GMT)?([+-]\d{1,2})$/.exec(name)?.[1]
  if (hours === undefined) {
    const known = ownValue(ZONE_HOURS, name)
    return known === undefined ? undefined : known * 3_600
  }
  return Math.abs(Number(hours)) <= 23 ? Number(hours) * 3_600 : undefined
}
