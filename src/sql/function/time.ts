import type { TIME_FUNCTIONS } from '../../apl/function/time.js'
import { fitted, floored, instant, sum } from '../arithmetic.js'
import { nanoseconds } from '../convert.js'
import { type Sql, sql } from '../sql.js'
import { constant, derived, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

const DAY = 86_400_000_000_000n

/** Functions on instants and timespans, in SQL. */
export const TIME_SQL: Readonly<Record<keyof typeof TIME_FUNCTIONS, FunctionRow>> = {
  ago: ([span], { now }) => offset(now, span!, '-'),
  dayofweek: ([time]) => part(time!, (t) => sql`toDayOfWeek(${t}, 2)`),
  getmonth: ([time]) => part(time!, (t) => sql`toMonth(${t})`),
  getyear: ([time]) => part(time!, (t) => sql`toYear(${t})`),
  hourofday: ([time]) => part(time!, (t) => sql`toHour(${t})`),
  now: ([span], { now }) => (span ? offset(now, span, '+') : constant('datetime', now)),
  startofday: ([time, days]) => startOfDay(time!, days),
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

function startOfDay(time: Value, days: Value | undefined): Value {
  const start = once(nanoseconds(time.sql), (n) => floored(n, sql`toInt64(${DAY})`))
  if (!days) return derived('datetime', instant(start), [time])
  const moved = fitted(sql`toInt128(${start}) + toInt128(${days.sql}) * ${DAY}`, true)
  return nullable('datetime', instant(moved))
}
