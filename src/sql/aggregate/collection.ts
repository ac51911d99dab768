import type { AggregateName } from '../../apl/aggregate/aggregates.js'
import {
  LIST_LIMIT,
  PHRASE_LIMIT,
  SET_IF_LIMIT,
  SET_LIMIT,
} from '../../apl/aggregate/collection.js'
import type { Type } from '../../apl/type.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { convert, json } from '../type/convert.js'
import { orderTuple } from '../type/dynamic-order.js'
import { jsonArray } from '../type/json-array.js'
import { nonNullable, nullable, type Value } from '../value.js'
import { histogram } from './histogram.js'
import { type AggregateCall, type AggregateRow, hasValue, only } from './row.js'
import { spotlight } from './spotlight.js'

export const COLLECTION_SQL = {
  histogram: ([value, bins]) => histogram(value!, bins!),
  histogramif: ([value, bins, test]) => histogram(only(value!, test!), bins!),
  make_list: ([value, limit], call) => listOf(value!, limitOf(limit, LIST_LIMIT), call),
  make_list_if: ([value, test, limit], call) =>
    listOf(only(value!, test!), limitOf(limit, LIST_LIMIT), call),
  make_set: ([value, limit], call) => setOf(value!, limitOf(limit, SET_LIMIT), call),
  make_set_if: ([value, test, limit], call) =>
    setOf(only(value!, test!), limitOf(limit, SET_IF_LIMIT), call),
  phrases: ([value, limit]) => phrases(value!, limitOf(limit, PHRASE_LIMIT)),
  spotlight: ([test, ...fields]) => spotlight(test!, fields),
  topk: ([value, count]) => mostFrequent(value!, limitOf(count, 0n)),
  topkif: ([value, count, test]) => mostFrequent(only(value!, test!), limitOf(count, 0n)),
} satisfies Record<string, AggregateRow>

function limitOf(limit: Value | undefined, usual: bigint): bigint {
  return typeof limit?.constant === 'bigint' ? limit.constant : usual
}

function listOf(value: Value, limit: bigint, { position }: AggregateCall): Value {
  const isPresent = hasValue(value)
  if (position === undefined) {
    const values = sql`groupArrayIf(${limit})(${nonNullable(value)}, ${isPresent})`
    return arrayOf(values, value.type)
  }
  // Two arrays of plain values are collected faster than one of tuples.
  const [values, places] = [nonNullable(value), position].map(
    (item) => sql`groupArrayIf(${item!}, ${isPresent})`,
  )
  const sorted = sql`arraySort((item, place) -> place, ${values!}, ${places!})`
  return arrayOf(sql`arraySlice(${sorted}, 1, ${limit})`, value.type)
}

/** Returns distinct values in the order of their first occurrence; sorted when rows have no order. */
function setOf(value: Value, limit: bigint, { position }: AggregateCall): Value {
  const key = keyOf(value)
  const [keys, places] = byKey('minMapIf', key, position ?? sql`0`)
  const order = position === undefined ? sql`item` : sql`place`
  const sorted = sql`arraySort((item, place) -> ${order}, ${keys}, ${places})`
  return arrayOf(sql`arraySlice(${sorted}, 1, ${limit})`, key.type)
}

/** Returns the most frequent values: exactly, unlike the engine's `topK`, which drops values that are rare at first. */
function mostFrequent(value: Value, count: bigint): Value {
  const key = keyOf(value)
  const pairs = sql`arrayZip(${list(byKey('sumMapIf', key, sql`toInt64(1)`))})`
  const item: Value = { sql: sql`(pair.1)`, type: key.type, nullable: false }
  const order = key.type === 'dynamic' ? orderTuple(item) : item.sql
  const sorted = sql`arraySlice(arraySort(pair -> (negate(pair.2), ${order}), ${pairs}), 1, ${count})`
  return countedValues(sorted, item, sql`pair.2`)
}

/** The value that `topk` or `topkif` counts, and how many values it returns; undefined for other aggregations. */
export function countedBy(name: AggregateName, [value, count, test]: readonly Value[]) {
  if (name !== 'topk' && name !== 'topkif') return undefined
  return { key: keyOf(test ? only(value!, test) : value!), most: limitOf(count, 0n) }
}

/** Returns the most frequent values from rows that each have a different value and its count. */
export function mostFrequentOf(key: Value, count: Sql, most: bigint): Value {
  const own: Value = { ...key, sql: nonNullable(key), nullable: false }
  const order = key.type === 'dynamic' ? [orderTuple(own)] : []
  const row = sql`tuple(${list([sql`negate(${count})`, ...order, own.sql])})`
  const sorted = sql`groupArraySortedIf(${most})(${row}, ${hasValue(key)})`
  const item: Value = { ...own, sql: sql`tupleElement(pair, ${order.length + 2})` }
  return countedValues(sorted, item, sql`negate(pair.1)`)
}

/** Renders an array of elements `pair`, each of which has a value and its count. */
function countedValues(pairs: Sql, item: Value, count: Sql): Value {
  const object = sql`concat('{"key":', ${convert(item, 'dynamic').sql}, ',"count":', toString(${count}), ',"error":0}')`
  return nullable('dynamic', jsonArray(sql`arrayMap(pair -> ${object}, ${pairs})`))
}

/** Aggregates numbers by key; returns the array of keys and the array of numbers, in any order. */
function byKey(name: 'minMapIf' | 'sumMapIf', key: Value, number: Sql): readonly [Sql, Sql] {
  // A value that is never null can still have a nullable type, which no key of a map can have.
  const one = sql`assumeNotNull(${key.sql})`
  const isPresent = hasValue(key)
  // The engine has no maps with real keys; its aggregates over arrays accept them, but are slower.
  if (key.type === 'real') {
    const found = sql`${raw(name)}([${one}], [${number}], ${isPresent})`
    return [sql`(${found}).1`, sql`(${found}).2`]
  }
  const found = sql`${raw(name)}(map(${one}, ${number}), ${isPresent})`
  return [sql`mapKeys(${found})`, sql`mapValues(${found})`]
}

/** Returns a value that can be the key of a map. */
function keyOf(value: Value): Value {
  const isPlain = value.type !== 'bool' && value.type !== 'datetime'
  return isPlain ? value : convert(value, 'dynamic')
}

function arrayOf(values: Sql, type: Type): Value {
  const item = convert({ sql: sql`item`, type, nullable: false }, 'dynamic')
  return nullable('dynamic', jsonArray(sql`arrayMap(item -> ${item.sql}, ${values})`))
}

const LENGTHS: readonly number[] = [2, 3, 4]

/** Returns the most frequent word sequences. APL does not document the exact rule. */
function phrases(value: Value, limit: bigint): Value {
  const words = sql`extractAll(lowerUTF8(ifNull(${value.sql}, '')), '[\\\\p{L}\\\\p{N}]+')`
  const runs = LENGTHS.map(
    (n) =>
      sql`if(length(ws) >= ${n}, arrayShingles(arrayResize(ws, greatest(length(ws), ${n})), ${n}), [])`,
  )
  const all = sql`arrayMap(run -> arrayStringConcat(run, ' '), arrayConcat(${list(runs)}))`
  const inText = sql`arrayMap(ws -> ${all}, [${words}])[1]`
  // Counting a map takes half of the time of adding arrays up.
  const counts = sql`countMap(mapFromArrays(${inText}, ${inText}))`
  // A sequence of four words contains five shorter ones.
  const most = limit * 6n
  const least = sql`arrayMin(arraySlice(arrayPartialReverseSort(${most}, ns), 1, ${most}))`
  const frequent = sql`arrayMap(l -> arrayFilter(p -> p.2 >= l, arrayZip(ws, ns)), [${least}])[1]`
  const longFirst = sql`arraySort(p -> (negate(p.2), negate(countSubstrings(p.1, ' ')), p.1), ${frequent})`
  const candidates = sql`arraySlice(${longFirst}, 1, ${most})`
  const shown = sql`arrayMap(p -> ${json(sql`p.1`)}, arraySlice(arrayFilter(p -> NOT ${isInLonger()}, ps), 1, ${limit}))`
  const array = sql`arrayMap(ps -> ${jsonArray(shown)}, [${candidates}])[1]`
  return nullable(
    'dynamic',
    sql`arrayMap((ws, ns) -> ${array}, [mapKeys(${counts})], [mapValues(${counts})])[1]`,
  )
}

/** True when the phrase `p` is exactly as frequent as a longer phrase that contains it. */
function isInLonger(): Sql {
  const spaced = (phrase: Sql) => sql`concat(' ', ${phrase}, ' ')`
  const holds = sql`position(${spaced(sql`q.1`)}, ${spaced(sql`p.1`)}) > 0`
  return sql`arrayExists(q -> q.2 = p.2 AND q.1 != p.1 AND ${holds}, ps)`
}
