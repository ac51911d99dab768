import { type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { jsonArray } from '../type/json-array.js'
import { nonNullable, nullable, type Value } from '../value.js'
import { hasValue } from './row.js'

/** Returns bins of equal width from the smallest to the largest value, which belongs to the last bin. */
export function histogram(value: Value, bins: Value): Value {
  const count = BigInt(Number(bins.constant))
  const real = finite(convert(value, 'real'))
  const isPresent = hasValue(real)
  const values = sql`groupArrayIf(${nonNullable(real)}, ${isPresent})`
  const [low, high] = [sql`min(${real.sql})`, sql`max(${real.sql})`]
  const whole = sql`concat('[', ${bin(low, high, sql`count(${real.sql})`)}, ']')`
  const none = sql`count(${real.sql}) = 0`
  const one = sql`${low} = ${high}`
  const cut = binned(values, low, high, count)
  return nullable('dynamic', sql`multiIf(${none}, NULL, ${one}, ${whole}, ${cut})`)
}

/** Infinity and NaN are in no bin: its edges could not be written as JSON. */
function finite({ sql: value }: Value): Value {
  return nullable('real', sql`if(isFinite(${value}), ${value}, NULL)`)
}

function binned(values: Sql, low: Sql, high: Sql, count: bigint): Sql {
  // Aggregates are not allowed inside a lambda, so they are passed as its parameters.
  // The difference of large values is infinite.
  const edge = (i: Sql) =>
    sql`ifNotFinite(lo + (hi - lo) * ${i} / ${count}, lo + hi / ${count} * ${i} - lo / ${count} * ${i})`
  const edges = sql`arrayMap(i -> if(i = ${count}, hi, ${edge(sql`i`)}), range(${count + 1n}))`
  // The engine may also compute this for a single value, where it is NaN.
  const share = sql`ifNotFinite((x / 2 - lo / 2) / (hi / 2 - lo / 2), 0)`
  const guess = sql`least(${count - 1n}, toInt64(floor(${share} * ${count})))`
  // A rounded quotient may be on the other side of the edge that is reported. The engine would copy an array of edges for each value.
  const fixed = sql`(g + if(x < ${edge(sql`g`)}, -1, 0) + if(g < ${count - 1n} AND x >= ${edge(sql`(g + 1)`)}, 1, 0))`
  const places = sql`arraySort(arrayMap((x, g) -> ${fixed}, vs, arrayMap(x -> ${guess}, vs)))`
  // The running count of the last of equal neighbors is the size of the bin.
  const numbered = sql`arrayZip(places, arrayEnumerateUniq(places))`
  const next = sql`arrayPushBack(arrayPopFront(places), -1)`
  const last = sql`arrayFilter((pair, after) -> pair.1 != after, ${numbered}, ${next})`
  const found = sql`arrayMap(places -> ${last}, [${places}])[1]`
  const counts = sql`arrayMap(i -> arrayFirst(pair -> pair.1 = i, found).2, range(${count}))`
  const shown = sql`arrayMap((i, n) -> ${bin(sql`edges[i + 1]`, sql`edges[i + 2]`, sql`n`)}, range(${count}), arrayMap(found -> ${counts}, [${found}])[1])`
  const array = sql`arrayMap(edges -> ${jsonArray(shown)}, [${edges}])[1]`
  return sql`arrayMap((vs, lo, hi) -> ${array}, [${values}], [assumeNotNull(${low})], [assumeNotNull(${high})])[1]`
}

function bin(from: Sql, to: Sql, count: Sql): Sql {
  return sql`concat('{"from":', toString(${from}), ',"to":', toString(${to}), ',"count":', toString(${count}), '}')`
}
