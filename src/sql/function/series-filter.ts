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
  const body = sql`arrayMap(s -> s / ${scale}, ${WEIGHTED})`
  return ofSeries({ xs: array, ws: kernel }, shownArray(body))
}

/** `series_iir`: the result of a finite filter minus weighted earlier results. */
export function infiniteResponse(array: Value, numerators: Value, denominators: Value): Value {
  const before = sql`arrayResize(arrayReverse(acc), length(ds) - 1, 0.)`
  const next = sql`(u - arraySum((w, y) -> w * y, arrayPopFront(ds), ${before})) / ds[1]`
  const body = sql`arrayFold((acc, u) -> arrayPushBack(acc, ${next}), ${WEIGHTED}, emptyArrayFloat64())`
  const response = sql`if(empty(ds), emptyArrayFloat64(), ${body})`
  return ofSeries({ xs: array, ws: numerators, ds: denominators }, shownArray(response))
}

// A lambda gets a copy of each array that it uses for each element: arrays are parts of the state of a fold instead.

/** Each element of `xs` times the first weight of `ws`, plus the preceding one times the second, and so on. */
const WEIGHTED = sql`arrayFold((acc, w) -> (arrayMap((s, x) -> s + w * x, acc.1, acc.2), arrayShiftRight(acc.2, 1, 0.)), ws, (arrayWithConstant(length(xs), 0.), xs)).1`

/** `series_fft` and `series_ifft`, by definition. */
export function transform(
  real: Value,
  imaginary: Value | undefined,
  way: 'forward' | 'inverse',
): Value {
  // The angle is reduced to the first turn, where it is exact.
  const angle = sql`(2 * pi() * ((k * n) % length(xs)) / length(xs))`
  const sign = way === 'forward' ? sql`` : sql`-`
  const re = sql`x * cos(${angle}) + (${sign}y) * sin(${angle})`
  const im = sql`y * cos(${angle}) - (${sign}x) * sin(${angle})`
  const sums = sql`arrayMap((sum, k) -> (sum.1 + ${re}, sum.2 + ${im}), acc.1, acc.2)`
  const places = sql`range(length(xs))`
  const start = sql`(arrayMap(k -> (0., 0.), ${places}), ${places})`
  const found = sql`arrayFold((acc, x, y, n) -> (${sums}, acc.2), xs, ws, ${places}, ${start}).1`
  const size = way === 'forward' ? sql`1` : sql`length(xs)`
  const part = (one: Sql) => shownArray(sql`arrayMap(sum -> ${one} / ${size}, sums)`)
  const parts = jsonArray(sql`[${part(sql`sum.1`)}, ${part(sql`sum.2`)}]`)
  const both = sql`arrayMap(sums -> ${parts}, [${found}])[1]`
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
