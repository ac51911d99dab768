import type { Type } from '../../apl/type.js'
import { joined, type Sql, sql } from '../sql.js'
import { once, standIn, type Value } from '../value.js'

/**
 * Applies `body` to values that are not null, and returns null when one of them is: the engine has no
 * nullable arrays, so values that pass through arrays must not be null.
 */
export function present(
  type: Type,
  values: readonly Value[],
  body: (...values: readonly Sql[]) => Sql,
): Value {
  const isNullable = values.some((value) => value.nullable)
  const whole = bound(values, (names) => {
    const parts = names.map((name, i) => {
      const { nullable, type, constant } = values[i]!
      if (nullable) return sql`ifNull(${name}, ${standIn(type)})`
      // A value that is never null can still have a nullable type.
      return constant === undefined ? sql`assumeNotNull(${name})` : name
    })
    const missing = names.filter((_, i) => values[i]!.nullable).map((name) => sql`isNull(${name})`)
    const result = body(...parts)
    return isNullable ? sql`if(${joined(missing, ' OR ')}, NULL, ${result})` : result
  })
  return { sql: whole, type, nullable: isNullable }
}

/** Binds each value once, however often it is used; literals stay literals, since the engine requires constants. */
function bound(values: readonly Value[], body: (names: readonly Sql[]) => Sql): Sql {
  const [value, ...rest] = values
  if (value === undefined) return body([])
  const others = (name: Sql) => bound(rest, (names) => body([name, ...names]))
  return value.constant === undefined ? once(value.sql, others) : others(value.sql)
}

/** Same as `present`, for a `body` that can return null. */
export function presentOrNull(
  type: Type,
  values: readonly Value[],
  body: (...values: readonly Sql[]) => Sql,
): Value {
  return { ...present(type, values, body), nullable: true }
}
