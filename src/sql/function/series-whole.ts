import { type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { elements, jsonArray, jsonNumber as number } from '../type/json-array.js'
import { documentOf, nullable, type Value } from '../value.js'
import type { FunctionRow } from './row.js'
import { ofArray } from './series-element.js'
import { finiteResponse, infiniteResponse, transform } from './series-filter.js'

export const SERIES_WHOLE_SQL = {
  series_cosine_similarity: ([a, b]) => {
    const product = sql`arraySum((x, y) -> x * y, xs, ys)`
    const squares = sql`(arraySum(x -> x * x, xs) * arraySum(y -> y * y, ys))`
    return ofPairs(a!, b!, { same: sql`${product} / sqrt(${squares})` })
  },
  series_dot_product: ([a, b]) => ofPairs(a!, b!, { any: sql`arraySum((x, y) -> x * y, xs, ys)` }),
  series_fft: ([re, im]) => transform(re!, im, 'forward'),
  series_fir: ([array, kernel]) => finiteResponse(array!, kernel!),
  series_ifft: ([re, im]) => transform(re!, im, 'inverse'),
  series_iir: ([array, numerators, denominators]) =>
    infiniteResponse(array!, numerators!, denominators!),
  series_magnitude: ([array]) => ofNumbers(array!, (xs) => sql`sqrt(arraySum(x -> x * x, ${xs}))`),
  series_pearson_correlation: ([a, b]) =>
    ofPairs(a!, b!, { same: sql`arrayReduce('corrStable', xs, ys)` }),
  series_stats: ([array]) => stats(array!, (values) => jsonArray(sql`[${values}]`)),
  series_stats_dynamic: ([array]) => stats(array!, objectOf),
  series_sum: ([array]) => ofNumbers(array!, (xs) => sql`arraySum(${xs})`),
} satisfies Record<string, FunctionRow>

function numbersOf(all: Sql): Sql {
  const numbers = sql`arrayMap(x -> toFloat64OrNull(x), ${all})`
  return sql`arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), ${numbers}))`
}

function ofNumbers(array: Value, body: (numbers: Sql) => Sql): Value {
  const text = ofArray(array, (all) => number(body(numbersOf(all))))
  return convert(text, 'real')
}

/** Computes a result of the pairs in which both elements are numbers; `same` yields null for arrays of different lengths. */
function ofPairs(
  left: Value,
  right: Value,
  result: { readonly same: Sql } | { readonly any: Sql },
): Value {
  const [a, b] = [left, right].map((side) => documentOf(convert(side, 'dynamic')))
  const numbers = (value: Sql) => sql`arrayMap(x -> toFloat64OrNull(x), ${elements(value)})`
  const both = sql`arrayFilter(p -> isNotNull(p.1) AND isNotNull(p.2), arrayZip(arrayResize(${numbers(sql`l`)}, n), arrayResize(${numbers(sql`r`)}, n)))`
  const lengths = sql`length(${elements(sql`l`)}), length(${elements(sql`r`)})`
  const value = 'same' in result ? result.same : result.any
  const split = sql`arrayMap(ps -> arrayMap((xs, ys) -> ${value}, [arrayMap(p -> assumeNotNull(p.1), ps)], [arrayMap(p -> assumeNotNull(p.2), ps)])[1], [arrayMap(n -> ${both}, [least(${lengths})])[1]])[1]`
  const areArrays = sql`startsWith(l, '[') AND startsWith(r, '[')`
  const fits = 'same' in result ? sql`${areArrays} AND equals(${lengths})` : areArrays
  const found = sql`arrayMap((l, r) -> if(${fits}, ${split}, NULL), [toNullable(${a!})], [toNullable(${b!})])[1]`
  return nullable('real', sql`arrayMap(v -> if(isFinite(v), v, NULL), [${found}])[1]`)
}

/** The seven statistics as JSON texts, in the order of `series_stats`. */
function stats(array: Value, shape: (values: Sql) => Sql): Value {
  return ofArray(array, (all) => {
    const smallest = sql`arrayMin(xs)`
    const largest = sql`arrayMax(xs)`
    const place = (value: Sql) => sql`indexOf(rs, ${value})`
    const spread = (name: Sql) => sql`if(length(xs) > 1, arrayReduce(${name}, xs), NULL)`
    const values = sql`${sql`es[${place(smallest)}]`}, toString(${place(smallest)} - 1), es[${place(largest)}], toString(${place(largest)} - 1), ${number(sql`arrayAvg(xs)`)}, ${number(spread(sql`'varSampStable'`))}, ${number(spread(sql`'stddevSampStable'`))}`
    const reals = sql`arrayMap(x -> toFloat64OrNull(x), es)`
    const inner = sql`arrayMap((xs, rs) -> if(empty(xs), NULL, ${shape(values)}), [${numbersOf(sql`es`)}], [${reals}])[1]`
    return sql`arrayMap(es -> ${inner}, [${all}])[1]`
  })
}

const STATISTICS = sql`['min', 'min_idx', 'max', 'max_idx', 'avg', 'variance', 'stdev']`

function objectOf(values: Sql): Sql {
  const members = sql`arrayMap((name, value) -> concat('"', name, '":', ifNull(value, 'null')), ${STATISTICS}, [${values}])`
  return sql`concat('{', arrayStringConcat(${members}, ','), '}')`
}
