import type { Type } from '../../apl/type.js'
import { joined, type Sql, sql } from '../sql.js'
import { nullable, type Value } from '../value.js'

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
  const parts = values.map((value) =>
    value.nullable ? sql`ifNull(${value.sql}, ${STAND_INS[value.type]})` : value.sql,
  )
  const result = body(...parts)
  const missing = values.filter((value) => value.nullable)
  if (missing.length === 0) return { sql: result, type, nullable: false }
  const tests = missing.map((value) => sql`isNull(${value.sql})`)
  return nullable(type, sql`if(${joined(tests, ' OR ')}, NULL, ${result})`)
}

/** The same where `body` may give null by itself. */
export function presentOrNull(
  type: Type,
  values: readonly Value[],
  body: (...values: readonly Sql[]) => Sql,
): Value {
  return { ...present(type, values, body), nullable: true }
}
