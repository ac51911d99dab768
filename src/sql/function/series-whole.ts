import { type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { elements, isArray, jsonArray, jsonNumber as number, numbers } from '../type/json-array.js'
import { documentOf, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'
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

function present(all: Sql): Sql {
  return sql`arrayMap(x -> assumeNotNull(x), arrayFilter(x -> isNotNull(x), ${all}))`
}

function ofNumbers(array: Value, body: (numbers: Sql) => Sql): Value {
  const finite = (d: Sql) =>
    once(
      body(present(numbers(d))),
      (n) => sql`if(${isArray(d)} AND isFinite(${n}), ${n} + 0., NULL)`,
    )
  return nullable('real', once(documentOf(convert(array, 'dynamic')), finite))
}

/** Computes a result of the pairs in which both elements are numbers; `same` yields null for arrays of different lengths. */
function ofPairs(
  left: Value,
  right: Value,
  result: { readonly same: Sql } | { readonly any: Sql },
): Value {
  const [a, b] = [left, right].map((side) => documentOf(convert(side, 'dynamic')))
  const reals = (value: Sql) => sql`arrayMap(x -> toFloat64OrNull(x), ${elements(value)})`
  const both = sql`arrayFilter(p -> isNotNull(p.1) AND isNotNull(p.2), arrayZip(arrayResize(${reals(sql`l`)}, n), arrayResize(${reals(sql`r`)}, n)))`
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
  const place = (extreme: Sql) => sql`indexOf(rs, ${extreme})`
  const spread = (name: Sql) => sql`if(length(xs) > 1, arrayReduce(${name}, xs), NULL)`
  return nullable(
    'dynamic',
    once(documentOf(convert(array, 'dynamic')), (d) => {
      // An integer of more than 53 bits has digits that the double has not.
      const item = (at: Sql) =>
        sql`if(abs(rs[${at}]) < 9007199254740992, toString(rs[${at}]), JSONExtractRaw(assumeNotNull(${d}), ${at}))`
      const [least, most] = [place(sql`arrayMin(xs)`), place(sql`arrayMax(xs)`)]
      const values = sql`${item(least)}, toString(${least} - 1), ${item(most)}, toString(${most} - 1), ${number(sql`arrayAvg(xs)`)}, ${number(spread(sql`'varSampStable'`))}, ${number(spread(sql`'stddevSampStable'`))}`
      const body = sql`if(empty(xs), NULL, ${shape(values)})`
      const found = sql`arrayMap(rs -> arrayMap(xs -> ${body}, [${present(sql`rs`)}])[1], [${numbers(d)}])[1]`
      return sql`if(${isArray(d)}, ${found}, NULL)`
    }),
  )
}

const STATISTICS = sql`['min', 'min_idx', 'max', 'max_idx', 'avg', 'variance', 'stdev']`

function objectOf(values: Sql): Sql {
  const members = sql`arrayMap((name, value) -> concat('"', name, '":', ifNull(value, 'null')), ${STATISTICS}, [${values}])`
  return sql`concat('{', arrayStringConcat(${members}, ','), '}')`
}
