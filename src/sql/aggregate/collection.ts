import type { AggregateName } from '../../apl/aggregate/aggregates.js'
import {
  LIST_LIMIT,
  PHRASE_LIMIT,
  SET_IF_LIMIT,
  SET_LIMIT,
} from '../../apl/aggregate/collection.js'
import type { Type } from '../../apl/type.js'
import { list, raw, type Sql, sql } from '../sql.js'
import { groupingKey } from '../type/compare.js'
import { convert, json } from '../type/convert.js'
import { orderTuple } from '../type/dynamic-order.js'
import { jsonArray } from '../type/json-array.js'
import { nonNullable, nullable, type Value } from '../value.js'
import { histogram } from './histogram.js'
import { type AggregateCall, type AggregateRow, type Group, hasValue, only } from './row.js'
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
  if (position === undefined) {
    const values = sql`groupArrayIf(${limit})(${nonNullable(value)}, ${hasValue(value)})`
    return arrayOf(values, value.type)
  }
  return collected(value, position, { limit, position })
}

/** Returns the values in the first places. */
function collected(value: Value, place: Sql, listed: Omit<Listed, 'type'>): Value {
  // Two arrays of plain values are collected faster than one of tuples.
  const [values, places] = [nonNullable(value), place].map(
    (item) => sql`groupArrayIf(${item!}, ${hasValue(value)})`,
  )
  return firstOf(values!, places!, { ...listed, type: value.type })
}

/** Returns distinct values in the order of their first occurrence; sorted when rows have no order. */
function setOf(value: Value, limit: bigint, { position }: AggregateCall): Value {
  const key = keyOf(value)
  const [keys, places] = byKey('minMapIf', key, position ?? sql`0`)
  return firstOf(keys, places, { limit, type: key.type, position })
}

interface Listed extends Pick<Group, 'position'> {
  readonly type: Type
  /** The maximum number of values. */
  readonly limit: bigint
}

/** Returns the values in the first places; sorted when rows have no order. */
function firstOf(values: Sql, places: Sql, { type, limit, position }: Listed): Value {
  const order = position === undefined ? sql`item` : sql`place`
  const sorted = sql`arraySort((item, place) -> ${order}, ${values}, ${places})`
  return arrayOf(sql`arraySlice(${sorted}, 1, ${limit})`, type)
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

/** An aggregation that first groups the rows by a value: the number of each value, and the result from rows with one value each. */
export interface ByValue {
  readonly key: Value
  readonly number: Sql
  readonly found: (key: Sql, number: Sql) => Value
}

/** Returns undefined for other aggregations. */
export function byValue(
  name: AggregateName,
  [value, second, third]: readonly Value[],
  { position }: Group,
): ByValue | undefined {
  switch (name) {
    case 'phrases':
      return phrasesByValue(value!, limitOf(second, PHRASE_LIMIT))
    case 'topk':
    case 'topkif':
      return mostFrequentByValue(third ? only(value!, third) : value!, limitOf(second, 0n))
    case 'make_set':
      return setByValue(value!, limitOf(second, SET_LIMIT), position)
    case 'make_set_if':
      return setByValue(only(value!, second!), limitOf(third, SET_IF_LIMIT), position)
    default:
      return undefined
  }
}

const COUNT = sql`toInt64(count())`

function mostFrequentByValue(value: Value, most: bigint): ByValue {
  const key = keyOf(value)
  const found: ByValue['found'] = (one, count) => mostFrequentOf({ ...key, sql: one }, count, most)
  return { key, number: COUNT, found }
}

/** The number of a value is the place of its first row. */
function setByValue(value: Value, limit: bigint, position: Sql | undefined): ByValue {
  const key = keyOf(value)
  const found: ByValue['found'] = (one, place) =>
    collected({ ...key, sql: one }, place, { limit, position })
  return { key, number: position ? sql`min(${position})` : sql`0`, found }
}

/** Returns the most frequent values from rows that each have a different value and its count. */
function mostFrequentOf(key: Value, count: Sql, most: bigint): Value {
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
  return isPlain ? groupingKey(value) : convert(value, 'dynamic')
}

function arrayOf(values: Sql, type: Type): Value {
  const item = convert({ sql: sql`item`, type, nullable: false }, 'dynamic')
  return nullable('dynamic', jsonArray(sql`arrayMap(item -> ${item.sql}, ${values})`))
}

const LENGTHS: readonly number[] = [2, 3, 4]

/** Returns the most frequent word sequences. APL does not document the exact rule. */
function phrases(value: Value, limit: bigint): Value {
  const inText = sequences(wordsOf(value))
  // Counting a map takes half of the time of adding arrays up.
  const counts = sql`countMap(mapFromArrays(${inText}, ${inText}))`
  const most = limit * CANDIDATES
  const least = sql`arrayMin(arraySlice(arrayPartialReverseSort(${most}, ns), 1, ${most}))`
  const frequent = sql`arrayMap(l -> arrayFilter(p -> p.2 >= l, arrayZip(ws, ns)), [${least}])[1]`
  const sorted = sql`arraySort(arrayMap(p -> ${candidate(sql`p.1`, sql`p.2`)}, ${frequent}))`
  const found = longestOf(sql`arraySlice(${sorted}, 1, ${most})`, limit)
  return nullable(
    'dynamic',
    sql`arrayMap((ws, ns) -> ${found}, [mapKeys(${counts})], [mapValues(${counts})])[1]`,
  )
}

function phrasesByValue(value: Value, limit: bigint): ByValue {
  // A text without phrases has an empty one, so that its group is not lost.
  const one = sql`arrayJoin(emptyArrayToSingle(${sequences(wordsOf(value))}))`
  const found: ByValue['found'] = (phrase, count) => {
    const most = sql`groupArraySortedIf(${limit * CANDIDATES})(${candidate(phrase, count)}, notEmpty(${phrase}))`
    return nullable('dynamic', longestOf(most, limit))
  }
  return { key: { sql: one, type: 'string', nullable: false }, number: COUNT, found }
}

/** A sequence of four words contains five shorter ones. */
const CANDIDATES = 6n

/** Returns a tuple by which frequent and long phrases are first. */
function candidate(phrase: Sql, count: Sql): Sql {
  return sql`(negate(${count}), negate(countSubstrings(${phrase}, ' ')), ${phrase})`
}

/** Renders the candidates except those that are exactly as frequent as a longer one that contains them. */
function longestOf(candidates: Sql, limit: bigint): Sql {
  const words = sql`splitByChar(' ', p.3)`
  const parts = sql`arrayConcat(${sequences(sql`arrayPopBack(${words})`)}, ${sequences(sql`arrayPopFront(${words})`)})`
  const inLonger = sql`arrayDistinct(arrayFlatten(arrayMap(p -> arrayMap(part -> (p.1, part), ${parts}), ps)))`
  const alone = sql`arrayMap(p -> (p.1, p.3), ps)`
  // The occurrences are counted because a search for each candidate takes time and memory that grow with the square of the limit.
  const occurrences = sql`arraySlice(arrayEnumerateUniq(arrayConcat(${inLonger}, ${alone})), negate(length(ps)))`
  const shown = sql`arraySlice(arrayFilter((p, n) -> n = 1, ps, ${occurrences}), 1, ${limit})`
  return sql`arrayMap(ps -> ${jsonArray(sql`arrayMap(p -> ${json(sql`p.3`)}, ${shown})`)}, [${candidates}])[1]`
}

function wordsOf(value: Value): Sql {
  return sql`extractAll(lowerUTF8(ifNull(${value.sql}, '')), '[\\\\p{L}\\\\p{N}]+')`
}

/** Returns the sequences of two to four words. */
function sequences(words: Sql): Sql {
  const runs = LENGTHS.map(
    (n) =>
      sql`if(length(ws) >= ${n}, arrayShingles(arrayResize(ws, greatest(length(ws), ${n})), ${n}), [])`,
  )
  const all = sql`arrayMap(run -> arrayStringConcat(run, ' '), arrayConcat(${list(runs)}))`
  return sql`arrayMap(ws -> ${all}, [${words}])[1]`
}
