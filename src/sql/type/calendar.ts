import type { TimeUnit } from '../../apl/syntax/time-part.js'
import { DAY, HOUR, MILLISECOND, SECOND } from '../../wire/time/units.js'
import { type Sql, sql } from '../sql.js'
import { once, type Value } from '../value.js'
import { nanoseconds } from './convert.js'

// Dates are computed arithmetically where the engine's own functions silently saturate at 1970, 2149 or 2299; its parts of dates
// are right for all datetimes. Integers have 128 bits only where 64 can overflow: the engine divides integers of 128 bits far more slowly.

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
const FIRST_SUNDAY = 3n

/** A unit of which functions return the start and the end. */
export type Span = 'day' | 'week' | 'month' | 'year'

/** The number of days that precede a datetime in its unit. */
const DAYS_BEFORE: Readonly<Record<Exclude<Span, 'day'>, (time: Sql) => Sql>> = {
  week: (t) => sql`toDayOfWeek(${t}, 2)`,
  month: (t) => sql`(toDayOfMonth(${t}) - 1)`,
  year: (t) => sql`(toDayOfYear(${t}) - 1)`,
}

/** Nanoseconds since 1970, as a 128-bit integer. */
export function wide(time: Sql): Sql {
  return sql`toInt128(${nanoseconds(time)})`
}

/** Returns the first nanosecond of the unit that contains a datetime, shifted by `units`, as a 128-bit integer. */
export function start(unit: Span, time: Sql, units?: Value): Sql {
  if (units === undefined) {
    const before = unit === 'day' ? sql`` : sql` - ${DAYS_BEFORE[unit](time)} * ${DAY}`
    return sql`(${wide(time)} - ${timeOfDay(time)}${before})`
  }
  switch (unit) {
    case 'day':
    case 'week':
      return sql`(${start(unit, time)} + toInt128(${units.sql}) * ${LENGTHS[unit]!})`
    case 'month':
      return startOfMonth(later(monthOf(time), units, 1n))
    case 'year':
      return startOfMonth(later(sql`toYear(${time}) * 12`, units, 12n))
    default:
      return unit satisfies never
  }
}

/** Adds months, keeping the time of day; the day is clamped to the end of a shorter month. */
export function monthsLater(time: Sql, amount: Value, months: bigint): Sql {
  return once(later(monthOf(time), amount, months), (month) => {
    const [first, next] = [firstDay(month), firstDay(sql`(${month} + 1)`)]
    const day = sql`least(toDayOfMonth(${time}), ${next} - ${first})`
    return sql`(toInt128(${first} + ${day} - 1) * ${DAY} + ${timeOfDay(time)})`
  })
}

/** Returns the number of units since a fixed instant in the past. */
export function count(unit: TimeUnit, time: Sql): Sql {
  const months = MONTHS[unit]
  if (months !== undefined) return sql`toInt64(intDiv(${monthOf(time)}, ${months}))`
  if (unit === 'nanosecond') return wide(time)
  if (unit !== 'week') return flooredQuotient(nanoseconds(time), LENGTHS[unit]!)
  return flooredQuotient(sql`(${count('day', time)} - ${FIRST_SUNDAY})`, 7n)
}

/** Divides and rounds down; unlike a subtraction of the remainder, this never overflows. */
function flooredQuotient(dividend: Sql, length: bigint): Sql {
  const divisor = signed(length)
  return once(dividend, (n) => sql`(intDiv(${n}, ${divisor}) - (${n} % ${divisor} < 0))`)
}

/** A literal with a sign. Next to an unsigned one, such as a large literal, a negative number would be read as a huge one. */
export function signed(integer: bigint): Sql {
  return sql`toInt64(${integer})`
}

function timeOfDay(time: Sql): Sql {
  return sql`positiveModulo(${nanoseconds(time)}, ${signed(DAY)})`
}

/** The number of months since year 0. */
function monthOf(time: Sql): Sql {
  return sql`(toYear(${time}) * 12 + toMonth(${time}) - 1)`
}

/** The largest number of months that leads from every datetime to years for which `firstDay` is valid. */
const FEW_MONTHS = 12_000n

/** Adds an amount of units that consist of months to a number of months since year 0. */
function later(month: Sql, { sql: amount, constant }: Value, months: bigint): Sql {
  if (typeof constant === 'bigint') {
    const added = constant * months
    if (added >= -FEW_MONTHS && added <= FEW_MONTHS) return sql`toInt32(${month} + ${added})`
  }
  return bounded(sql`(${month} + toInt128(${amount}) * ${months})`)
}

function startOfMonth(month: Sql): Sql {
  return sql`(toInt128(${firstDay(month)}) * ${DAY})`
}

/** The first day of a month, in days since 1970. Years are treated as starting in March, after the leap day. */
function firstDay(month: Sql): Sql {
  return once(sql`(${month} - 2)`, (m) => {
    const year = sql`intDiv(${m}, 12)`
    const leapDays = sql`intDiv(${m}, 48) - intDiv(${m}, 1200) + intDiv(${m}, 4800)`
    const inYear = sql`intDiv(153 * (${m} % 12) + 2, 5)`
    return sql`(365 * ${year} + ${leapDays} + ${inYear} - 719468)`
  })
}

/** Clamps to the years for which `firstDay` is valid; both ends are far outside the range of datetime. */
function bounded(month: Sql): Sql {
  return once(month, (m) => sql`toInt32(multiIf(${m} < 2, 2, ${m} > 119998, 119998, ${m}))`)
}
