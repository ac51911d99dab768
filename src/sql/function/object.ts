import { list, type Sql, sql } from '../sql.js'
import { predicate } from '../type/compare.js'
import { asText, json } from '../type/convert.js'
import { element, jsonArray, jsonObject, overArrays } from '../type/json-array.js'
import { nullable, once, onceEach, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

export const OBJECT_SQL = {
  bag_has_key: ([object, key]) => {
    const has = (d: Sql) => sql`(startsWith(${d}, '{') AND JSONHas(${d}, ifNull(${key!.sql}, '')))`
    const test = once(object!.sql, has)
    return predicate(key!.nullable ? sql`(isNotNull(${key!.sql}) AND ${test})` : test, [object!])
  },
  bag_keys: ([object]) => {
    const keys = (d: Sql) =>
      jsonArray(sql`arrayMap(key -> ${json(sql`key`)}, JSONExtractKeys(${d}))`)
    return nullable(
      'dynamic',
      once(
        object!.sql,
        (d) => sql`if(startsWith(${d}, '{'), ${keys(sql`ifNull(${d}, '')`)}, NULL)`,
      ),
    )
  },
  bag_pack: packed,
  bag_zip: (arrays) =>
    overArrays('dynamic', arrays, [], ([keys, values]) => {
      const length = sql`least(length(${keys!}), length(${values!}))`
      const written = sql`arrayMap(key -> if(startsWith(key, '"'), key, toJSONString(key)), arraySlice(${keys!}, 1, ${length}))`
      return object(written, sql`arraySlice(${values!}, 1, ${length})`)
    }),
  pack_dictionary: packed,
} satisfies Record<string, FunctionRow>

/** Alternating keys and values. */
function packed(values: readonly Value[]): Value {
  const pairs = values.flatMap((key, i) => (i % 2 === 0 ? [[key, values[i + 1]!] as const] : []))
  return { sql: membersOf(pairs), type: 'dynamic', nullable: false }
}

function membersOf(pairs: readonly (readonly [Value, Value])[]): Sql {
  const known = new Map<string, Sql>()
  for (const [key, value] of pairs) {
    // Only literal keys are known to be distinct.
    if (typeof key.constant !== 'string') return objectOf(pairs)
    known.set(key.constant, element(value))
  }
  return jsonObject([...known])
}

function objectOf(pairs: readonly (readonly [Value, Value])[]): Sql {
  const keys = pairs.map(([key]) => json(sql`ifNull(${asText(key)}, '')`))
  const values = pairs.map(([, value]) => element(value))
  return object(
    sql`[${list(keys.map((key) => sql`assumeNotNull(${key})`))}]`,
    sql`[${list(values)}]`,
  )
}

/** Builds an object from JSON string keys and values; the last value of a duplicate key wins. */
function object(keys: Sql, values: Sql): Sql {
  return onceEach([keys, values], ([k, v]) => {
    const left = sql`arrayReverse(arrayEnumerateUniq(arrayReverse(${k!})))`
    const members = sql`arrayMap((key, value) -> concat(key, ':', value), ${k!}, ${v!})`
    const last = sql`arrayFilter((member, left) -> left = 1, ${members}, ${left})`
    return sql`concat('{', arrayStringConcat(${last}, ','), '}')`
  })
}
