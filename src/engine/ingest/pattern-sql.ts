import { list, raw, type Sql, sql, text } from '../../sql/sql.js'
import {
  MONTHS,
  type TimePart,
  type TimePattern,
  ZONE_HOURS,
} from '../../wire/time/time-pattern.js'

// The engine's own parsers of times accept more than they should. Here it only calculates with the groups of a regular
// expression.

/** A value calculated from parts of a time, and the condition under which it is valid. */
interface Calculation {
  readonly value: Sql
  readonly holds: Sql
}

/**
 * Returns an expression for a time in nanoseconds since 1970. It is null when the string does not match the pattern, or
 * when only JavaScript can tell. Undefined for patterns that the engine does not support. `name` must be
 * a unique alias.
 */
export function timeByPattern(written: Sql, pattern: TimePattern, name: string): Sql | undefined {
  const { re2, parts } = pattern
  const isOnce = new Set(parts).size === parts.length
  if (re2 === undefined || !isOnce) return undefined
  const groups = raw(name)
  const part = (wanted: TimePart): Sql | undefined => {
    const at = parts.indexOf(wanted)
    return at === -1 ? undefined : sql`${groups}[${at + 1}]`
  }
  const day = dayOf(part)
  const clock = clockOf(part)
  const east = eastOf(part)
  if (day === undefined || east === undefined) return undefined
  const fraction = part('fraction')
  const digits = fraction && sql` + toInt64(rightPad(substring(${fraction}, 1, 9), 9, '0'))`
  const nanoseconds = sql`(${day.value} * 86400 + ${clock.value} - ${east.value}) * 1000000000${digits ?? sql``}`
  const holds = sql`${day.holds} AND ${clock.holds} AND ${east.holds}`
  const found = sql`(extractGroups(${written}, ${text(re2)}) AS ${groups})`
  return sql`if(notEmpty(${found}) AND ${holds}, ${nanoseconds}, NULL)`
}

type Part = (wanted: TimePart) => Sql | undefined

const ALWAYS = sql`1`

function dayOf(part: Part): Calculation | undefined {
  const year = yearOf(part)
  const dayOfYear = part('day-of-year')
  const name = part('month-name')
  if (dayOfYear !== undefined) {
    if (name ?? part('month') ?? part('day')) return undefined
    const date = sql`makeDate32(${year}, ${number(dayOfYear)})`
    const holds = sql`toYear(${date}) = ${year} AND toDayOfYear(${date}) = ${number(dayOfYear)}`
    return { value: sql`toInt64(${date})`, holds: sql`${inRange(year)} AND ${holds}` }
  }
  const month = name === undefined ? number(part('month') ?? text('1')) : monthOf(name)
  const day = number(part('day') ?? text('1'))
  const date = sql`makeDate32(${year}, ${month}, ${day})`
  // An invalid date becomes another one.
  const holds = sql`toYYYYMMDD(${date}) = ${year} * 10000 + ${month} * 100 + ${day}`
  return { value: sql`toInt64(${date})`, holds: sql`${inRange(year)} AND ${holds}` }
}

function yearOf(part: Part): Sql {
  const short = part('short-year')
  if (short === undefined) return number(part('year') ?? text(''))
  return sql`(${number(short)} + if(${number(short)} >= 69, 1900, 2000))`
}

/** At both ends of the range of 64 bits, validity depends on the zone. */
function inRange(year: Sql): Sql {
  return sql`${year} BETWEEN 1901 AND 2261`
}

function monthOf(name: Sql): Sql {
  const numbers = MONTHS.map((_, i) => sql`${i + 1}`)
  return sql`transform(lower(substring(${name}, 1, 3)), [${list(MONTHS.map(text))}], [${list(numbers)}], 0)`
}

function clockOf(part: Part): Calculation {
  const minute = number(part('minute') ?? text(''))
  const second = number(part('second') ?? text(''))
  const inHalf = part('half-hour')
  const written = number(inHalf ?? part('hour') ?? text(''))
  const half = part('half')
  const hour =
    half === undefined
      ? written
      : sql`multiIf(lower(${half}) = 'pm' AND ${written} < 12, ${written} + 12, lower(${half}) = 'am' AND ${written} = 12, 0, ${written})`
  return {
    value: sql`(${hour} * 3600 + ${minute} * 60 + ${second})`,
    holds: sql`${written} <= ${inHalf === undefined ? 23 : 12} AND ${minute} < 60 AND ${second} < 60`,
  }
}

function eastOf(part: Part): Calculation | undefined {
  const sign = part('offset-sign')
  const zone = part('zone')
  if (sign !== undefined) {
    const [hour, minute, second] = (['offset-hour', 'offset-minute', 'offset-second'] as const).map(
      (one) => number(part(one) ?? text('')),
    ) as [Sql, Sql, Sql]
    const seconds = sql`(${hour} * 3600 + ${minute} * 60 + ${second})`
    return {
      value: sql`if(${sign} = '-', -${seconds}, ${seconds})`,
      holds: sql`${hour} <= 24 AND ${minute} <= 60 AND ${second} <= 60`,
    }
  }
  if (zone === undefined) return { value: sql`0`, holds: ALWAYS }
  const names = list(Object.keys(ZONE_HOURS).map(text))
  const hours = list(Object.values(ZONE_HOURS).map((hour) => sql`${hour}`))
  return {
    value: sql`(transform(${zone}, [${names}], [${hours}], 0) * 3600)`,
    holds: sql`${zone} IN (${names})`,
  }
}

/** Converts the digits of a group to a number; 0 for a group that did not participate. */
function number(digits: Sql): Sql {
  return sql`toInt64OrZero(${digits})`
}
