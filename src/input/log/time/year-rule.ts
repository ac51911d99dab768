import { daysSince1970 } from '../../../wire/time/calendar.js'
import { SECOND } from '../../../wire/time/units.js'
import type { YearRule } from './time-parts.js'

const DAY = 86_400
/** The longest distance between two leap years: 29 February is in one of so many years. */
const LEAP_YEARS = 8

/**
 * Chooses the latest year in which a time is at most a day after `lastWritten`, in nanoseconds since 1970. The day allows
 * for inexact clocks and unknown zones.
 */
export function latestYear(lastWritten: () => bigint): YearRule {
  return (secondsIn) => {
    const latest = Number(lastWritten() / SECOND) + DAY
    const last = yearOf(latest)
    for (let year = last; year >= last - LEAP_YEARS; year--) {
      const seconds = secondsIn(year)
      if (seconds !== undefined && seconds <= latest) return seconds
    }
    return undefined
  }
}

/**
 * Chooses the year in which a time is after the first time of its input, or at most a day before, as lines may be out
 * of order. `first` is in seconds since 1970.
 */
export function yearSince(first: number): YearRule {
  return (secondsIn) => {
    const firstYear = yearOf(first)
    for (let year = firstYear - 1; year <= firstYear + LEAP_YEARS; year++) {
      const seconds = secondsIn(year)
      if (seconds !== undefined && seconds >= first - DAY) return seconds
    }
    return undefined
  }
}

/** Chooses as `yearSince` does, unless that time is more than a day after `lastWritten`: then `first` is of another log. */
export function yearSinceUntil(first: number, lastWritten: () => bigint): YearRule {
  const since = yearSince(first)
  const latest = latestYear(lastWritten)
  return (secondsIn) => {
    const seconds = since(secondsIn)
    const isPossible = seconds !== undefined && seconds <= Number(lastWritten() / SECOND) + DAY
    return isPossible ? seconds : latest(secondsIn)
  }
}

/** Returns the year of a time in seconds since 1970. */
export function yearOf(seconds: number): number {
  const days = Math.floor(seconds / DAY)
  // Around 1 January, the year of average length may be off by one.
  const year = 1970 + Math.floor(days / 365.2425)
  if (days < daysSince1970(year, 1, 1)) return year - 1
  return days < daysSince1970(year + 1, 1, 1) ? year : year + 1
}
