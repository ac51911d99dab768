import type { Type } from '../../apl/type.js'
import { joined, type Sql, sql } from '../sql.js'
import { once, type Value } from '../value.js'

const STAND_INS: Readonly<Record<Type, Sql>> = {
  bool: sql`false`,
  int: sql`0`,
  real: sql`0.`,
  string: sql`''`,
  datetime: sql`fromUnixTimestamp64Nano(0, 'UTC')`,
  timespan: sql`0`,
  dynamic: sql`''`,
}

/**
 * What `body` makes of values none of which is null, and null where one is: the engine has no array
 * that may be null, so what goes through arrays must not see any.
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
      if (nullable) return sql`ifNull(${name}, ${STAND_INS[type]})`
      // What is never null may still be of a type that could be.
      return constant === undefined ? sql`assumeNotNull(${name})` : name
    })
    const missing = names.filter((_, i) => values[i]!.nullable).map((name) => sql`isNull(${name})`)
    const result = body(...parts)
    return isNullable ? sql`if(${joined(missing, ' OR ')}, NULL, ${result})` : result
  })
  return { sql: whole, type, nullable: isNullable }
}

/** Each value computed once, however often it is used; what is written out must stay so for the engine. */
function bound(values: readonly Value[], body: (names: readonly Sql[]) => Sql): Sql {
  const [value, ...rest] = values
  if (value === undefined) return body([])
  const others = (name: Sql) => bound(rest, (names) => body([name, ...names]))
  return value.constant === undefined ? once(value.sql, others) : others(value.sql)
}

/** The same where `body` may give null by itself. */
export function presentOrNull(
  type: Type,
  values: readonly Value[],
  body: (...values: readonly Sql[]) => Sql,
): Value {
  return { ...present(type, values, body), nullable: true }
}
