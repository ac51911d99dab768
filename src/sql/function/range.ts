import type { Type } from '../../apl/type.js'
import { HOUR } from '../../wire/time/units.js'
import { joined, type Sql, sql } from '../sql.js'
import { instant } from '../type/arithmetic.js'
import { asText, convert, json, nanoseconds } from '../type/convert.js'
import { jsonArray } from '../type/json-array.js'
import { constant, nullable, onceEach, type Value } from '../value.js'

/** The maximum number of elements; longer ranges are truncated. */
const MAX = 1_048_576n

/** `range(start, stop, step?)`: both ends are included. */
export function range([start, stop, step]: readonly Value[]): Value {
  const type = typeOf([start!.type, stop!.type, step?.type])
  const isTime = type === 'datetime' || type === 'timespan'
  const by = step ?? (isTime ? constant('timespan', HOUR) : constant('int', 1n))
  const values = [start!, stop!, by]
  const given = values.map((value) => sql`isNotNull(${value.sql})`)
  const numbers = values.map((value) => number(value, type))
  const items = onceEach(numbers, ([from, to, size]) => {
    const at = sql`(${from!} + toInt128(i) * ${size!})`
    const real = sql`(${from!} + i * ${size!})`
    const written = element(type === 'real' ? real : at, type)
    return jsonArray(sql`arrayMap(i -> ${written}, range(${count(from!, to!, size!, type)}))`)
  })
  const isStep = sql`ifNull(${by.sql} != 0, false)`
  return nullable('dynamic', sql`if(${joined([...given, isStep], ' AND ')}, ${items}, NULL)`)
}

function typeOf([start, ...others]: readonly (Type | undefined)[]): Type {
  if (start === 'datetime' || start === 'timespan') return start
  return start === 'int' && others.every((type) => type !== 'real') ? 'int' : 'real'
}

/** Returns the value as a double, or as an integer, which is in nanoseconds for times; never null. */
function number(value: Value, type: Type): Sql {
  if (type === 'real') return sql`ifNull(${convert(value, 'real').sql}, 0.)`
  const whole = value.type === 'datetime' ? nanoseconds(value.sql) : value.sql
  return sql`toInt128(ifNull(${whole}, 0))`
}

/** The number of elements, including the first. */
function count(from: Sql, to: Sql, size: Sql, type: Type): Sql {
  const step = sql`if(${size} = 0, 1, ${size})`
  const isAway = sql`(${to} != ${from} AND (${to} < ${from}) != (${size} < 0))`
  const steps =
    type === 'real'
      ? sql`floor((${to} - ${from}) / ${step})`
      : sql`intDiv(${to} - ${from}, ${step})`
  return sql`toUInt64(if(${isAway}, 0, least(${steps}, ${MAX - 1n}) + 1))`
}

function element(value: Sql, type: Type): Sql {
  if (type === 'datetime') {
    return json(asText({ sql: instant(sql`toInt64(${value})`), type, nullable: false }))
  }
  if (type === 'timespan')
    return json(asText({ sql: sql`toInt64(${value})`, type, nullable: false }))
  return sql`toString(${value})`
}
