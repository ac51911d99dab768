import type { TimeUnit } from '../../apl/syntax/time-part.js'
import { type Sql, sql } from '../sql.js'
import { once } from '../value.js'
import { floored } from './arithmetic.js'
import { nanoseconds } from './convert.js'

// Nanoseconds since 1970 are counted in 128 bits here, and dates are reckoned as numbers: the engine's own
// starts and additions stop at 1970, 2149 or 2299 without a word.

const DAY = 86_400_000_000_000n

/** Units that are always equally long. */
export const LENGTHS: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  week: 7n * DAY,
  day: DAY,
  hour: 3_600_000_000_000n,
  minute: 60_000_000_000n,
  second: 1_000_000_000n,
  millisecond: 1_000_000n,
  microsecond: 1_000n,
  nanosecond: 1n,
}

/** The number of months in the units that are made of them. */
export const MONTHS: Readonly<Partial<Record<TimeUnit, bigint>>> = {
  year: 12n,
  quarter: 3n,
  month: 1n,
}

/** A week begins on Sunday; 1970 began on a Thursday. */
const FIRST_SUNDAY = 3n * DAY

/** Nanoseconds since 1970, in 128 bits. */
export function wide(time: Sql): Sql {
  return sql`toInt128(${nanoseconds(time)})`
}

/** The nanosecond at which the unit around an instant began, as many units further as the offset says. */
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

/** Months later at the same time of day; on the last day of a month that is too short. */
export function monthsLater(time: Sql, months: Sql): Sql {
  return once(sql`(${monthOf(time)} + ${months})`, (month) => {
    const [first, next] = [firstDay(month), firstDay(sql`${month} + 1`)]
    const day = sql`least(toInt128(toDayOfMonth(${time})), ${next} - ${first})`
    const timeOfDay = sql`positiveModulo(${wide(time)}, toInt128(${DAY}))`
    return sql`((${first} + ${day} - 1) * ${DAY} + ${timeOfDay})`
  })
}

/** Counts the units that have begun since some instant long ago. */
export function count(unit: TimeUnit, time: Sql): Sql {
  const months = MONTHS[unit]
  if (months !== undefined) return sql`toInt64(intDiv(${monthOf(time)}, ${months}))`
  const length = LENGTHS[unit]!
  const since = unit === 'week' ? sql`(${wide(time)} - ${FIRST_SUNDAY})` : wide(time)
  return sql`intDiv(${floored(since, sql`toInt128(${length})`)}, ${length})`
}

/** The month counted from the year 0. */
function monthOf(time: Sql): Sql {
  return sql`(toInt128(toYear(${time})) * 12 + toMonth(${time}) - 1)`
}

/** The day, from 1970, on which a month begins; the years are taken to begin in March, behind the leap day. */
function firstDay(month: Sql): Sql {
  return once(sql`(${bounded(month)} - 2)`, (m) => {
    const year = sql`intDiv(${m}, 12)`
    const leapDays = sql`intDiv(${m}, 48) - intDiv(${m}, 1200) + intDiv(${m}, 4800)`
    const inYear = sql`intDiv(153 * (${m} % 12) + 2, 5)`
    return sql`(365 * ${year} + ${leapDays} + ${inYear} - 719468)`
  })
}

/** Within the years that the reckoning holds for; both ends are far from what a datetime can be. */
function bounded(month: Sql): Sql {
  return once(
    month,
    (m) => sql`multiIf(${m} < 2, toInt128(2), ${m} > 119999, toInt128(119999), ${m})`,
  )
}
