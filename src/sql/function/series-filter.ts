import { raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { elements, jsonArray, jsonNumber as number } from '../type/json-array.js'
import { nullable, type Value } from '../value.js'

/** The maximum length of a series to transform: the work is quadratic in the length. */
const MAX_TRANSFORMED = 4_096

/** `series_fir`: each element and the preceding ones, weighted. */
export function finiteResponse(array: Value, kernel: Value): Value {
  // As in Kusto, a filter without negative weights is normalized to a moving average.
  const scale = sql`if(arrayExists(w -> w < 0, ws) OR arraySum(ws) = 0, 1., arraySum(ws))`
  const body = sql`arrayMap(s -> s / ${scale}, ${weighted(sql`xs`, sql`ws`)})`
  return ofSeries({ xs: array, ws: kernel }, shownArray(body))
}

/** `series_iir`: the result of a finite filter minus weighted earlier results. */
export function infiniteResponse(array: Value, numerators: Value, denominators: Value): Value {
  const before = sql`arrayResize(arrayReverse(acc), length(ds) - 1, 0.)`
  const next = sql`(u - arraySum((w, y) -> w * y, arrayPopFront(ds), ${before})) / ds[1]`
  const body = sql`arrayFold((acc, u) -> arrayPushBack(acc, ${next}), ${weighted(sql`xs`, sql`ws`)}, emptyArrayFloat64())`
  const response = sql`if(empty(ds), emptyArrayFloat64(), ${body})`
  return ofSeries({ xs: array, ws: numerators, ds: denominators }, shownArray(response))
}

/** Each element times the first weight, plus the preceding one times the second, and so on. */
function weighted(all: Sql, weights: Sql): Sql {
  const zeros = sql`arrayWithConstant(length(${all}), 0.)`
  const step = sql`arrayMap((s, x) -> s + w * x, acc, arrayShiftRight(${all}, j, 0.))`
  return sql`arrayFold((acc, w, j) -> ${step}, ${weights}, range(length(${weights})), ${zeros})`
}

/** `series_fft` and `series_ifft`, by definition. */
export function transform(
  real: Value,
  imaginary: Value | undefined,
  way: 'forward' | 'inverse',
): Value {
  // The angle is reduced to the first turn, where it is exact.
  const angle = sql`(2 * pi() * ((k * n) % length(xs)) / length(xs))`
  const sign = way === 'forward' ? sql`` : sql`-`
  const re = sql`arraySum((x, y, n) -> x * cos(${angle}) + (${sign}y) * sin(${angle}), xs, ws, range(length(xs)))`
  const im = sql`arraySum((x, y, n) -> y * cos(${angle}) - (${sign}x) * sin(${angle}), xs, ws, range(length(xs)))`
  const size = way === 'forward' ? sql`1` : sql`length(xs)`
  const part = (sum: Sql) => shownArray(sql`arrayMap(k -> ${sum} / ${size}, range(length(xs)))`)
  const both = jsonArray(sql`[${part(re)}, ${part(im)}]`)
  const tooLong = sql`throwIf(length(xs) > ${MAX_TRANSFORMED}, 'series too long')`
  const body = sql`if(length(xs) != length(ws) OR ${tooLong} = 1, NULL, ${both})`
  if (imaginary !== undefined) return ofSeries({ xs: real, ws: imaginary }, body)
  const zeros = sql`arrayMap(ws -> ${body}, [arrayWithConstant(length(xs), 0.)])[1]`
  return ofSeries({ xs: real }, zeros)
}

function shownArray(numbers: Sql): Sql {
  return jsonArray(sql`arrayMap(x -> ${number(sql`x`)}, ${numbers})`)
}

/** Computes a result of named arrays that contain only numbers; null for other values. */
function ofSeries(arrays: Readonly<Record<string, Value>>, body: Sql): Value {
  let result = body
  for (const [name, array] of Object.entries(arrays).toReversed()) {
    // Bound before it is used twice: aggregates are not allowed inside a lambda.
    const inner = sql`arrayMap(${raw(name)} -> ${result}, [arrayMap(x -> assumeNotNull(x), ns)])[1]`
    const known = sql`arrayMap(ns -> if(has(ns, NULL), NULL, ${inner}), [arrayMap(x -> toFloat64OrNull(x), ${elements(sql`d`)})])[1]`
    const text = convert(array, 'dynamic').sql
    result = sql`arrayMap(d -> if(startsWith(d, '['), ${known}, NULL), [toNullable(${text})])[1]`
  }
  return nullable('dynamic', result)
}
