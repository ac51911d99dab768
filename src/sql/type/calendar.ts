import type { TimeUnit } from '../../apl/syntax/time-part.js'
import { DAY, HOUR, MILLISECOND, SECOND } from '../../wire/time/units.js'
import { type Sql, sql } from '../sql.js'
import { once } from '../value.js'
import { floored } from './arithmetic.js'
import { nanoseconds } from './convert.js'

// Nanoseconds since 1970 are 128-bit integers here, and dates are computed arithmetically: the engine's own
// date functions silently saturate at 1970, 2149 or 2299.

/** Units of fixed length, in nanoseconds. */
export const LENGTHS: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  week: 7n * DAY,
  day: DAY,
  hour: HOUR,
  minute: 60n * SECOND,
  second: SECOND,
  millisecond: MILLISECOND,
  microsecond: 1_000n,
  nanosecond: 1n,
}

/** The number of months in units that consist of months. */
export const MONTHS: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  year: 12n,
  quarter: 3n,
  month: 1n,
}

/** A week begins on Sunday; 1970 began on a Thursday. */
const FIRST_SUNDAY = 3n * DAY

/** Nanoseconds since 1970, as a 128-bit integer. */
export function wide(time: Sql): Sql {
  return sql`toInt128(${nanoseconds(time)})`
}

/** Returns the first nanosecond of the unit that contains a datetime, shifted by `offset` units. */
export function start(unit: 'day' | 'week' | 'month' | 'year', time: Sql, offset: Sql): Sql {
  switch (unit) {
    case 'day':
      return sql`(${floored(wide(time), sql`toInt128(${DAY})`)} + toInt128(${offset}) * ${DAY})`
    case 'week': {
      const since = sql`(${wide(time)} - ${FIRST_SUNDAY})`
      const sunday = sql`(${floored(since, sql`toInt128(${7n * DAY})`)} + ${FIRST_SUNDAY})`
      return sql`(${sunday} + toInt128(${offset}) * ${7n * DAY})`
    }
    case 'month':
      return sql`(${firstDay(sql`${monthOf(time)} + toInt128(${offset})`)} * ${DAY})`
    case 'year':
      return sql`(${firstDay(sql`(toYear(${time}) + toInt128(${offset})) * 12`)} * ${DAY})`
    default:
      return unit satisfies never
  }
}

/** Adds months, keeping the time of day; the day is clamped to the end of a shorter month. */
export function monthsLater(time: Sql, months: Sql): Sql {
  return once(sql`(${monthOf(time)} + ${months})`, (month) => {
    const [first, next] = [firstDay(month), firstDay(sql`${month} + 1`)]
    const day = sql`least(toInt128(toDayOfMonth(${time})), ${next} - ${first})`
    const timeOfDay = sql`positiveModulo(${wide(time)}, toInt128(${DAY}))`
    return sql`((${first} + ${day} - 1) * ${DAY} + ${timeOfDay})`
  })
}

/** Returns the number of units since a fixed instant in the past. */
export function count(unit: TimeUnit, time: Sql): Sql {
  const months = MONTHS[unit]
  if (months !== undefined) return sql`toInt64(intDiv(${monthOf(time)}, ${months}))`
  const length = LENGTHS[unit]!
  const since = unit === 'week' ? sql`(${wide(time)} - ${FIRST_SUNDAY})` : wide(time)
  return sql`intDiv(${floored(since, sql`toInt128(${length})`)}, ${length})`
}

/** The number of months since year 0. */
function monthOf(time: Sql): Sql {
  return sql`(toInt128(toYear(${time})) * 12 + toMonth(${time}) - 1)`
}

/** The first day of a month, in days since 1970. Years are treated as starting in March, after the leap day. */
function firstDay(month: Sql): Sql {
  return once(sql`(${bounded(month)} - 2)`, (m) => {
    const year = sql`intDiv(${m}, 12)`
    const leapDays = sql`intDiv(${m}, 48) - intDiv(${m}, 1200) + intDiv(${m}, 4800)`
    const inYear = sql`intDiv(153 * (${m} % 12) + 2, 5)`
    return sql`(365 * ${year} + ${leapDays} + ${inYear} - 719468)`
  })
}

/** Clamps to the years for which the computation is valid; both ends are far outside the range of datetime. */
function bounded(month: Sql): Sql {
  return once(
    month,
    (m) => sql`multiIf(${m} < 2, toInt128(2), ${m} > 119999, toInt128(119999), ${m})`,
  )
}
