import type { Type } from '../../apl/type.js'
import { HOUR } from '../../wire/time/units.js'
import { joined, type Sql, sql } from '../sql.js'
import { asDynamic, convert, instant, nanoseconds } from '../type/convert.js'
import { jsonArray } from '../type/json-array.js'
import { constant, nullable, onceEach, type Value } from '../value.js'

/** The maximum number of elements; longer ranges are truncated. */
const MAX = 1_048_576n

/** `range(start, stop, step?)`: both ends are included. Null without a step, or without a finite start. */
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
  const tests = [...given, isStep, ...(type === 'real' ? areFinite(values) : [])]
  return nullable('dynamic', sql`if(${joined(tests, ' AND ')}, ${items}, NULL)`)
}

function typeOf([start, ...others]: readonly (Type | undefined)[]): Type {
  if (start === 'datetime' || start === 'timespan') return start
  return start === 'int' && others.every((type) => type !== 'real') ? 'int' : 'real'
}

/** Tests a start and a step, which must be finite, and a stop, which may be infinite. */
function areFinite(values: readonly Value[]): readonly Sql[] {
  const [start, stop, step] = values.map((value) => convert(value, 'real').sql)
  return [sql`isFinite(${start!})`, sql`isFinite(${step!})`, sql`NOT isNaN(${stop!})`]
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
  const isNone = type === 'real' ? sql`(${isAway} OR isNaN(${steps}))` : isAway
  return sql`toUInt64(if(${isNone}, 0, least(${steps}, ${MAX - 1n}) + 1))`
}

/** Returns an element as JSON text; null when it is infinite. */
function element(value: Sql, type: Type): Sql {
  if (type === 'int') return sql`toString(${value})`
  const nanos = sql`toInt64(${value})`
  const of = type === 'real' ? value : type === 'datetime' ? instant(nanos) : nanos
  return asDynamic({ sql: of, type, nullable: false })
}
