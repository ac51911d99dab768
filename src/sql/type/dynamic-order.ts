import type { Type } from '../../apl/type.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { nullable, once, type Value } from '../value.js'
import { convert } from './convert.js'

/**
 * The sort keys for values of any type: numbers by size, then strings, then the rest by
 * its JSON, including booleans.
 */
export function orderKeys(value: Value): readonly Sql[] {
  if (value.type !== 'dynamic') return [value.sql]
  const d = value.sql
  const real = sql`toFloat64OrNull(${d})`
  return [
    sql`multiIf(isNull(${d}), NULL, isNotNull(${real}), 0, startsWith(${d}, '"'), 1, 2)`,
    real,
    // Large integers that differ can be equal as doubles.
    sql`coalesce(toInt128OrNull(${d}), accurateCastOrNull(${real}, 'Int128'), toInt128(0))`,
    // Parsing a number as JSON would take most of the time.
    sql`if(isNotNull(${real}), '', JSONExtractString(${d}))`,
  ]
}

/** Returns the order of `orderKeys` as a single key that is never null. */
export function orderTuple(value: Value): Sql {
  const [rank, real, whole, text] = orderKeys(value)
  return sql`(ifNull(${rank!}, 3), ifNull(${real!}, 0), ${whole!}, ifNull(${text!}, ''))`
}

/** The largest or smallest value, ignoring nulls. */
export function extremeOf(name: 'greatest' | 'least', values: readonly Value[], type: Type): Value {
  const converted = values.map((value) => convert(value, type))
  if (type !== 'dynamic') {
    return nullable(type, sql`${raw(name)}(${list(converted.map((value) => value.sql))})`)
  }
  const all = sql`[${list(converted.map((value) => sql`toNullable(${value.sql})`))}]`
  const present = sql`arrayFilter(item -> isNotNull(item), ${all})`
  const key = orderTuple({ sql: sql`item`, type, nullable: true })
  const sorted = sql`${raw(name === 'least' ? 'arraySort' : 'arrayReverseSort')}(item -> ${key}, ${present})`
  // An index beyond the end of an array yields null, since its elements are nullable.
  return nullable(
    type,
    once(sorted, (array) => sql`arrayElement(${array}, 1)`),
  )
}
