import type { Type } from '../../apl/type.js'
import { joined, type Sql, sql } from '../sql.js'
import { nullable, onceEach, type Value } from '../value.js'
import { asDynamic } from './convert.js'

/** A JSON array of elements that are JSON texts; null is JSON's null. */
export function jsonArray(elements: Sql): Sql {
  return sql`concat('[', arrayStringConcat(arrayMap(element -> ifNull(element, 'null'), ${elements}), ','), ']')`
}

/** The elements of a dynamic value, each as its JSON text; none of what is no array. */
export function elements(dynamic: Sql): Sql {
  return sql`JSONExtractArrayRaw(ifNull(${dynamic}, ''))`
}

/** A value as an element of an array: null is JSON's null. */
export function element(value: Value): Sql {
  const written = asDynamic(value)
  // A real number that is infinite has no JSON text.
  return value.nullable || value.type === 'real' ? sql`ifNull(${written}, 'null')` : written
}

/** An element of an array as a value. */
export function itemValue(element: Sql): Value {
  return nullable('dynamic', sql`nullIf(${element}, 'null')`)
}

/** Whether a dynamic value is an array; null where it is null. */
export function isArray(dynamic: Sql): Sql {
  return sql`startsWith(${dynamic}, '[')`
}

/** The arguments of a function on arrays. */
interface Arrays {
  readonly arrays: readonly Value[]
  /** Whole numbers and texts beside the arrays. */
  readonly others?: readonly Value[]
}

/**
 * What `body` makes of the elements of arrays; null where one of the values is no array or null. The
 * engine has no arrays that may be null, so `body` is given stand-ins then.
 */
export function overArrays(
  type: Type,
  { arrays, others = [] }: Arrays,
  body: (items: readonly Sql[], others: readonly Sql[]) => Sql,
): Value {
  const tests = [
    ...arrays.map((array) => isArray(array.sql)),
    ...others.filter((other) => other.nullable).map((other) => sql`isNotNull(${other.sql})`),
  ]
  const result = onceEach(
    arrays.map((array) => elements(array.sql)),
    (items) => body(items, others.map(standIn)),
  )
  return nullable(type, sql`if(${joined(tests, ' AND ')}, ${result}, NULL)`)
}

function standIn(value: Value): Sql {
  if (!value.nullable) return value.sql
  return value.type === 'string' ? sql`ifNull(${value.sql}, '')` : sql`ifNull(${value.sql}, 0)`
}

/**
 * What tells elements apart: numbers that are equal have one key, however they are written. Texts and
 * the rest are written in one way only.
 */
export function keys(items: Sql): Sql {
  const real = sql`toFloat64OrNull(item)`
  const number = sql`coalesce(toString(toInt128OrNull(item)), toString(accurateCastOrNull(${real}, 'Int128')), toString(${real}))`
  return sql`arrayMap(item -> ifNull(${number}, item), ${items})`
}

/** Puts elements in order: numbers by size, then texts, then the rest by its JSON, null last. */
export function sortKey(item: Sql): Sql {
  const real = sql`toFloat64OrNull(${item})`
  const rank = sql`multiIf(${item} = 'null', 3, isNotNull(${real}), 0, startsWith(${item}, '"'), 1, 2)`
  const whole = sql`coalesce(toInt128OrNull(${item}), accurateCastOrNull(${real}, 'Int128'), toInt128(0))`
  // Large whole numbers are one and the same as doubles.
  return sql`(${rank}, ifNull(${real}, 0.), ${whole}, JSONExtractString(${item}))`
}

/** A real number as JSON text, without a sign of zero; null for what JSON has no number for. */
export function jsonNumber(value: Sql): Sql {
  return sql`arrayMap(n -> if(isFinite(n), toString(n + 0.), NULL), [${value}])[1]`
}
