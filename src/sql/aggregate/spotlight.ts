import { list, type Sql, sql, text } from '../sql.js'
import { convert, json } from '../type/convert.js'
import { jsonArray, jsonNumber } from '../type/json-array.js'
import { nonNullable, nullable, type Value } from '../value.js'
import { hasValue } from './row.js'

/** With fewer values than this on one side, no significance is reported. */
const FEWEST = 6
/** A numeric field with at most this many distinct values is compared by value. */
const FEW_VALUES = 20
/** The maximum number of values listed for a field. */
const LISTED = 10

/**
 * Compares the distribution of each field between the rows for which the predicate is true and the others.
 * `fields` alternates names and values. `p_value` is the p-value of a chi-square test of the values, or of a
 * Kolmogorov-Smirnov test of numbers; `delta_score` is half the sum of the differences of the shares, or the
 * largest difference of the cumulative shares; `effect_size` is Cohen's w, or d.
 */
export function spotlight(test: Value, fields: readonly Value[]): Value {
  const isSelected = sql`ifNull(${test.filter ?? test.sql}, false)`
  const result = fields.flatMap((name, i) => {
    const field = fields[i + 1]
    return i % 2 === 0 && field ? [ofField(name, field, isSelected)] : []
  })
  const places = list(result.map((_, i) => sql`${i}`))
  const sorted = sql`arraySort((result, i) -> (negate(result.1), i), [${list(result)}], [${places}])`
  return nullable('dynamic', jsonArray(sql`arrayMap(result -> result.2, ${sorted})`))
}

/** Returns a tuple of a field's score and the object that describes it. */
function ofField(name: Value, field: Value, isSelected: Sql): Sql {
  const dimension = json(name.sql)
  const byValue = ofValues(dimension, field, isSelected)
  if (field.type !== 'int' && field.type !== 'real' && field.type !== 'timespan') return byValue
  const byNumber = ofNumbers(dimension, convert(field, 'real'), isSelected)
  return sql`if(uniqExact(${field.sql}) > ${FEW_VALUES}, ${byNumber}, ${byValue})`
}

/** Compares the frequency of each value on both sides. */
function ofValues(dimension: Sql, field: Value, isSelected: Sql): Sql {
  const key = convert(field, 'dynamic')
  const isPresent = hasValue(key)
  const counts = sql`sumMapIf([${nonNullable(key)}], [toInt64(${isSelected})], [toInt64(NOT ${isSelected})], ${isPresent})`
  const share = (count: Sql, total: Sql) => sql`(${count} / greatest(${total}, 1))`
  const [inside, outside] = [share(sql`x`, sql`nx`), share(sql`y`, sql`ny`)]
  const delta = sql`(arraySum((x, y) -> abs(${inside} - ${outside}), xs, ys) / 2)`
  const expected = (total: Sql) => sql`((x + y) * ${total} / (nx + ny))`
  const off = (count: Sql, total: Sql) =>
    sql`pow(${count} - ${expected(total)}, 2) / ${expected(total)}`
  const square = sql`arraySum((x, y) -> ${off(sql`x`, sql`nx`)} + ${off(sql`y`, sql`ny`)}, xs, ys)`
  const ratio = sql`((${inside} - ${outside}) / greatest(${inside}, ${outside}))`
  const difference = sql`concat('{"value":', k, ',"comparison_count":', toString(x), ',"baseline_count":', toString(y), ',"frequency_ratio":', ifNull(${jsonNumber(ratio)}, 'null'), '}')`
  const all = sql`arrayZip(ks, arrayMap((x, y) -> abs(${inside} - ${outside}), xs, ys), arrayMap((k, x, y) -> ${difference}, ks, xs, ys))`
  const most = sql`arraySlice(arraySort(d -> (negate(d.2), d.1), ${all}), 1, ${LISTED})`
  const result = sql`(if(known, ${delta}, -1.), ${objectOf(dimension, {
    p_value: sql`if(enough, ${jsonNumber(significance(square))}, NULL)`,
    delta_score: sql`if(known, ${jsonNumber(delta)}, NULL)`,
    effect_size: sql`if(known, ${jsonNumber(sql`sqrt(${square} / (nx + ny))`)}, NULL)`,
    median_relative_change: sql`NULL`,
    comparison_count: sql`toString(nx)`,
    baseline_count: sql`toString(ny)`,
    differences: jsonArray(sql`arrayMap(d -> d.3, ${most})`),
  })})`
  const totals = sql`[arraySum(xs)], [arraySum(ys)]`
  return sql`arrayMap((ks, xs, ys) -> arrayMap((nx, ny) -> ${withRules(result)}, ${totals})[1], [(${counts}).1], [(${counts}).2], [(${counts}).3])[1]`
}

/** The upper tail probability of the chi-square distribution, as a finite sum; degrees of freedom are the number of values minus 1. */
function significance(square: Sql): Sql {
  const even = sql`arraySum(i -> exp(if(i = 0, 0., i * log(h)) - h - lgamma(i + 1)), range(toUInt64(intDiv(f, 2))))`
  const odd = sql`(erfc(sqrt(h)) + arraySum(i -> exp((i + 0.5) * log(h) - h - lgamma(i + 1.5)), range(toUInt64(intDiv(f, 2)))))`
  const chance = sql`multiIf(f <= 0 OR h <= 0, 1., f % 2 = 0, ${even}, ${odd})`
  return sql`arrayMap((h, f) -> ${chance}, [${square} / 2], [toInt64(length(ks)) - 1])[1]`
}

/** Compares numeric distributions. */
function ofNumbers(dimension: Sql, field: Value, isSelected: Sql): Sql {
  const isPresent = hasValue(field)
  const side = (test: Sql) => sql`groupArrayIf(${nonNullable(field)}, ${isPresent} AND ${test})`
  const distance = sql`least(toFloat64(ks.1), 1.)`
  const mean = (values: Sql) => sql`arrayAvg(${values})`
  const spread = (values: Sql, n: Sql) =>
    sql`((${n} - 1) * if(${n} > 1, arrayReduce('varSampStable', ${values}), 0.))`
  const pooled = sql`sqrt((${spread(sql`xs`, sql`nx`)} + ${spread(sql`ys`, sql`ny`)}) / (nx + ny - 2))`
  const middle = (values: Sql) => sql`arrayReduce('medianExact', ${values})`
  const larger = sql`greatest(abs(${middle(sql`xs`)}), abs(${middle(sql`ys`)}))`
  const change = sql`if(${larger} = 0, 0., (${middle(sql`xs`)} - ${middle(sql`ys`)}) / ${larger})`
  const box = (values: Sql) =>
    jsonArray(
      sql`arrayMap(x -> ${jsonNumber(sql`x`)}, arrayReduce('quantilesExact(0, 0.25, 0.5, 0.75, 1)', ${values}))`,
    )
  const result = sql`(if(known, ${distance}, -1.), ${objectOf(dimension, {
    p_value: sql`if(enough, ${jsonNumber(sql`toFloat64(ks.2)`)}, NULL)`,
    delta_score: sql`if(known, ${jsonNumber(distance)}, NULL)`,
    effect_size: sql`if(known, ${jsonNumber(sql`abs(${mean(sql`xs`)} - ${mean(sql`ys`)}) / ${pooled}`)}, NULL)`,
    median_relative_change: sql`if(known, ${jsonNumber(sql`greatest(-1., least(1., ${change}))`)}, NULL)`,
    comparison_count: sql`toString(nx)`,
    baseline_count: sql`toString(ny)`,
    comparison: sql`if(nx > 0, ${box(sql`xs`)}, NULL)`,
    baseline: sql`if(ny > 0, ${box(sql`ys`)}, NULL)`,
  })})`
  // The test fails when a side is empty; dummy numbers avoid that, and their result is not used.
  const sides = sql`arrayConcat(arrayMap(x -> 1, xs), arrayMap(y -> 0, ys))`
  const tested = sql`arrayReduce('kolmogorovSmirnovTest(\\'two-sided\\')', if(known, arrayConcat(xs, ys), [0., 1.]), if(known, ${sides}, [0, 1]))`
  const inner = sql`arrayMap(ks -> ${result}, [${tested}])[1]`
  const lengths = sql`[toInt64(length(xs))], [toInt64(length(ys))]`
  return sql`arrayMap((xs, ys) -> arrayMap((nx, ny) -> ${withRules(inner)}, ${lengths})[1], [${side(isSelected)}], [${side(sql`NOT ${isSelected}`)}])[1]`
}

/** Binds `known`, true when both sides have values, and `enough`, true when both have at least `FEWEST`. */
function withRules(result: Sql): Sql {
  return sql`arrayMap((known, enough) -> ${result}, [nx > 0 AND ny > 0], [nx >= ${FEWEST} AND ny >= ${FEWEST}])[1]`
}

function objectOf(dimension: Sql, members: Readonly<Record<string, Sql>>): Sql {
  const written = Object.entries(members).map(
    ([name, value]) => sql`concat(',"', ${text(name)}, '":', ifNull(${value}, 'null'))`,
  )
  return sql`concat('{"dimension":', ${dimension}, ${list(written)}, '}')`
}
