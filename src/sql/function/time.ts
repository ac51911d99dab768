import {
  normalizedPart,
  partNamed,
  TIME_PARTS,
  TIME_UNITS,
  type TimePart,
  type TimeUnit,
} from '../../apl/syntax/time-part.js'
import { FIRST_TIME } from '../../wire/event/event-time.js'
import { list, type Sql, sql, text } from '../sql.js'
import { fitted, sum } from '../type/arithmetic.js'
import { count, LENGTHS, MONTHS, monthsLater, type Span, start, wide } from '../type/calendar.js'
import { convert, instant } from '../type/convert.js'
import { constant, derived, nothing, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

export const TIME_SQL = {
  ago: ([span], { now }) => offset(now, span!, '-'),
  datetime_add: ([unit, amount, time]) => moved(unit!, amount!, time!),
  datetime_diff: ([unit, later, earlier]) => difference(unit!, later!, earlier!),
  datetime_part: ([name, time]) => namedPart(name!, time!),
  dayofmonth: ([time]) => part(time!, PARTS.day),
  dayofweek: ([time]) => part(time!, (t) => sql`toDayOfWeek(${t}, 2)`),
  dayofyear: ([time]) => part(time!, PARTS.dayOfYear),
  endofday: endOf('day'),
  endofmonth: endOf('month'),
  endofweek: endOf('week'),
  endofyear: endOf('year'),
  getmonth: ([time]) => part(time!, PARTS.month),
  getyear: ([time]) => part(time!, PARTS.year),
  hourofday: ([time]) => part(time!, PARTS.hour),
  now: ([span], { now }) => (span ? offset(now, span, '+') : constant('datetime', now)),
  startofday: startOf('day'),
  startofmonth: startOf('month'),
  startofweek: startOf('week'),
  startofyear: startOf('year'),
  unixtime_microseconds_todatetime: ([n]) => since1970(n!, 1_000n),
  unixtime_milliseconds_todatetime: ([n]) => since1970(n!, 1_000_000n),
  unixtime_nanoseconds_todatetime: ([n]) => since1970(n!, 1n),
  unixtime_seconds_todatetime: ([n]) => since1970(n!, 1_000_000_000n),
  week_of_year: ([time]) => part(time!, PARTS.week_of_year),
} satisfies Record<string, FunctionRow>

const PARTS: Readonly<Record<TimePart, (time: Sql) => Sql>> = {
  year: (t) => sql`toYear(${t})`,
  quarter: (t) => sql`toQuarter(${t})`,
  month: (t) => sql`toMonth(${t})`,
  week_of_year: (t) => sql`toISOWeek(${t})`,
  day: (t) => sql`toDayOfMonth(${t})`,
  dayOfYear: (t) => sql`toDayOfYear(${t})`,
  hour: (t) => sql`toHour(${t})`,
  minute: (t) => sql`toMinute(${t})`,
  second: (t) => sql`toSecond(${t})`,
  millisecond: (t) => sql`toMillisecond(${t})`,
  microsecond: (t) => sql`toMicrosecond(${t})`,
  nanosecond: (t) => sql`toNanosecond(${t})`,
}

function offset(now: bigint, span: Value, sign: '+' | '-'): Value {
  if (typeof span.constant === 'bigint') {
    return constant('datetime', sign === '+' ? now + span.constant : now - span.constant)
  }
  return sum(sign, constant('datetime', now), span, 'datetime')
}

function part(time: Value, of: (time: Sql) => Sql): Value {
  return derived('int', sql`toInt64(${of(time.sql)})`, [time])
}

function startOf(unit: Span): FunctionRow {
  return (values) => {
    const [time, units] = values
    const first = once(time!.sql, (t) => start(unit, t, units))
    return at(first, values)
  }
}

/** The last nanosecond of the unit. */
function endOf(unit: Span): FunctionRow {
  return (values) => {
    const [time, units] = values
    const next = units ? following(units) : constant('int', 1n)
    return at(sql`(${once(time!.sql, (t) => start(unit, t, next))} - 1)`, values)
  }
}

function following({ constant: units, ...value }: Value): Value {
  if (typeof units === 'bigint') return constant('int', units + 1n)
  return { ...value, sql: sql`(toInt128(${value.sql}) + 1)` }
}

/** The datetime of a number of nanoseconds; the query fails when it is out of range. */
function at(nanosecond: Sql, from: readonly Value[]): Value {
  if (!from.some((value) => value.nullable)) {
    return derived('datetime', instant(fitted(nanosecond, false)), from)
  }
  // For a null result the computed number is arbitrary and must not make the query fail.
  const present = (n: Sql) =>
    sql`if(isNull(${n}), ${nothing('datetime')}, ${instant(fitted(sql`ifNull(${n}, 0)`, false))})`
  return nullable('datetime', once(nanosecond, present))
}

function moved(unit: Value, amount: Value, time: Value): Value {
  const by = (name: TimeUnit) =>
    once(time.sql, (t) => {
      const months = MONTHS[name]
      if (months !== undefined) return monthsLater(t, amount, months)
      return sql`(${wide(t)} + toInt128(${amount.sql}) * ${LENGTHS[name]!})`
    })
  const known = constantPart(unit, TIME_UNITS)
  if (known) return at(by(known), [amount, time])
  return at(choice(unit, TIME_UNITS, by), [unit, amount, time, constant('int', null)])
}

function difference(unit: Value, later: Value, earlier: Value): Value {
  const between = (name: TimeUnit) => {
    const units = sql`(${count(name, later.sql)} - ${count(name, earlier.sql)})`
    return name === 'nanosecond' ? fitted(units, true) : units
  }
  const known = constantPart(unit, TIME_UNITS)
  if (known) return derived('int', between(known), [later, earlier])
  return nullable('int', choice(unit, TIME_UNITS, between))
}

function namedPart(name: Value, time: Value): Value {
  const known = constantPart(name, TIME_PARTS)
  if (known) return part(time, PARTS[known])
  const each = (one: TimePart) => sql`toInt64(${PARTS[one](time.sql)})`
  return nullable('int', choice(name, TIME_PARTS, each))
}

function constantPart<T extends string>(name: Value, parts: readonly T[]): T | undefined {
  return typeof name.constant === 'string' ? partNamed(name.constant, parts) : undefined
}

/** Selects a function by a name that is known per row only; null for an unknown name. */
function choice<T extends string>(name: Value, parts: readonly T[], of: (part: T) => Sql): Sql {
  return once(sql`replaceAll(lower(${name.sql}), '_', '')`, (n) => {
    const branches = parts.map((part) => sql`${n} = ${text(normalizedPart(part))}, ${of(part)}`)
    return sql`multiIf(${list(branches)}, NULL)`
  })
}

function since1970(amount: Value, unit: bigint): Value {
  const whole = sql`accurateCastOrNull(toInt128(${convert(amount, 'int').sql}) * ${unit}, 'Int64')`
  const isDatetime = (n: Sql) =>
    sql`if(${n} >= ${FIRST_TIME}, ${instant(n)}, ${nothing('datetime')})`
  return nullable('datetime', once(whole, isDatetime))
}
