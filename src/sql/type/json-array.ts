import type { Type } from '../../apl/type.js'
import { joined, list, type Sql, sql, text } from '../sql.js'
import { bindRepeated, documentOf, notNull, nullable, once, type Value } from '../value.js'
import { asDynamic } from './convert.js'

/** Renders an array of JSON texts as a JSON array; null becomes JSON's null. */
export function jsonArray(elements: Sql): Sql {
  return sql`concat('[', arrayStringConcat(arrayMap(element -> ifNull(element, 'null'), ${elements}), ','), ']')`
}

/** Renders JSON texts as the members of a JSON object, in this order. */
export function jsonObject(members: readonly (readonly [key: string, value: Sql])[]): Sql {
  if (members.length === 0) return text('{}')
  const pieces = members.flatMap(([key, value], i) => [
    text(`${i === 0 ? '{' : ','}${JSON.stringify(key)}:`),
    value,
  ])
  return sql`concat(${list([...pieces, text('}')])})`
}

/** Returns the JSON text of an object of SQL strings that are never null. */
export function objectOfTexts(members: Readonly<Record<string, Sql>>): Sql {
  return jsonObject(
    Object.entries(members).map(([key, value]) => [key, sql`toJSONString(${value})`]),
  )
}

/** Returns the elements of a dynamic value as JSON texts; an empty array for a non-array. */
export function elements(dynamic: Sql): Sql {
  return sql`JSONExtractArrayRaw(ifNull(${dynamic}, ''))`
}

/** Returns the elements as `tostring` does, except that null stays null: half the work of writing their JSON texts. */
export function texts(dynamic: Sql): Sql {
  return sql`JSONExtract(ifNull(${dynamic}, ''), 'Array(Nullable(String))')`
}

/**
 * Returns the elements as numbers, with null for all others. The engine reads numbers in half of the time that their texts take, but
 * would convert strings and booleans: `others` are the elements of an array that may have them.
 */
export function numbers(dynamic: Sql, others?: Sql): Sql {
  const d = sql`ifNull(${dynamic}, '')`
  const isPlain = sql`position(${d}, '"') = 0 AND position(${d}, 'e') = 0`
  // The engine may compute both branches: one of them has nothing to read.
  const read = sql`arrayMap(x -> toFloat64OrNull(x), JSONExtractArrayRaw(if(${isPlain}, '', ${d})))`
  return sql`if(${isPlain}, JSONExtract(${d}, 'Array(Nullable(Float64))'), ${others ?? read})`
}

/** True for a value that is compared with the texts of elements. */
export function isText({ type, nullable }: Value): boolean {
  return type === 'string' && !nullable
}

/** Encodes a value as an element of an array: null becomes JSON's null. */
export function element(value: Value): Sql {
  const written = asDynamic(value)
  // An infinite number has no JSON representation.
  return value.nullable || value.type === 'real' ? sql`ifNull(${written}, 'null')` : written
}

export function itemValue(element: Sql): Value {
  return nullable('dynamic', sql`nullIf(${element}, 'null')`)
}

/** True when a dynamic value is an array; null when it is null. */
export function isArray(dynamic: Sql): Sql {
  return sql`startsWith(${dynamic}, '[')`
}

/**
 * Applies `body` to the elements of arrays and to other values, integers and strings; null when a value is null, or one of `arrays`
 * is not an array. The engine has no nullable arrays, so `body` gets placeholders then.
 */
export function overArrays(
  type: Type,
  arrays: readonly Value[],
  others: readonly Value[],
  body: (items: readonly Sql[], others: readonly Sql[]) => Sql,
): Value {
  const tests = [
    ...arrays.map((array) => isArray(documentOf(array))),
    ...others.filter((other) => other.nullable).map((other) => sql`isNotNull(${other.sql})`),
  ]
  const result = bindRepeated(
    arrays.map((array) => elements(documentOf(array))),
    (items) => body(items, others.map(notNull)),
  )
  return nullable(type, sql`if(${joined(tests, ' AND ')}, ${result}, NULL)`)
}

/**
 * A key that identifies elements: equal numbers have the same key, however they are written. Strings and
 * other values have one canonical form.
 */
export function keys(items: Sql): Sql {
  const real = sql`toFloat64OrNull(item)`
  const number = sql`coalesce(toString(toInt128OrNull(item)), toString(accurateCastOrNull(${real}, 'Int128')), toString(${real}))`
  return sql`arrayMap(item -> if(startsWith(item, '"'), item, ifNull(${number}, item)), ${items})`
}

/** A real number as JSON text, without negative zero; null for NaN and infinity. */
export function jsonNumber(value: Sql): Sql {
  return once(value, (n) => sql`if(isFinite(${n}), toString(${n} + 0.), NULL)`)
}
