import type { Type } from '../apl/type.js'
import { type Sql, sql } from './sql.js'
import { nanoseconds } from './type/convert.js'
import { nullable, once, type Value } from './value.js'

/** Returns the value, or null when it is empty, zero, not a number or false. */
export function valid(value: Value): Value {
  return nullable(
    value.type,
    once(value.sql, (v) => sql`if(${TESTS[value.type](v)}, ${v}, NULL)`),
  )
}

const TESTS: Readonly<Record<Type, (value: Sql) => Sql>> = {
  bool: (v) => v,
  int: (v) => sql`${v} != 0`,
  real: (v) => sql`${v} != 0 AND isFinite(${v})`,
  string: (v) => sql`${v} != ''`,
  datetime: (v) => sql`${nanoseconds(v)} != 0`,
  timespan: (v) => sql`${v} != 0`,
  dynamic: (v) =>
    sql`multiIf(match(${v}, '^[[{]'), JSONLength(${v}) > 0, ${v} IN ('""', 'false'), false, ifNull(toFloat64OrNull(${v}) != 0, true))`,
}
