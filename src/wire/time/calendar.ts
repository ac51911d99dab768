const DAYS_TO_1970 = 719_468
const DAYS_IN_400_YEARS = 146_097

// Years are counted from 1 March, so that the leap day is the last day of a year and every 400 years are alike:
// https://howardhinnant.github.io/date_algorithms.html

/** Returns the days from 1970-01-01 to a day of the Gregorian calendar; `month` and `day` count from 1. */
export function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month > 2 ? year : year - 1
  const era = Math.floor(marchYear / 400)
  const yearOfEra = marchYear - era * 400
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_IN_400_YEARS + dayOfEra - DAYS_TO_1970
}

/** Formats the day `days` after 1970-01-01: `2026-01-31`. */
export function formatDay(days: number): string {
  return dayOf(new Date(days * 86_400_000))
}

/** Formats the day of a date in UTC. `toISOString` takes three times as long. */
export function dayOf(date: Date): string {
  const year = String(date.getUTCFullYear()).padStart(4, '0')
  return `${year}-${twoDigits(date.getUTCMonth() + 1)}-${twoDigits(date.getUTCDate())}`
}

export function twoDigits(number: number): string {
  return String(number).padStart(2, '0')
}

export function daysOfMonth(year: number, month: number): number {
  if (month === 2) return daysOfYear(year) - 337
  return [4, 6, 9, 11].includes(month) ? 30 : 31
}

export function daysOfYear(year: number): number {
  return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 366 : 365
}
