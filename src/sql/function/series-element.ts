import { raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { elements, isArray, jsonArray, jsonNumber as number } from '../type/json-array.js'
import { documentOf, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

// Elements are JSON texts, so that integers stay exact and moved elements are unchanged.

export const SERIES_ELEMENT_SQL = {
  series_abs: each((x) => sql`if(${isNumber(x)}, trimLeft(${x}, '-'), NULL)`),
  series_acos: each(real((x) => sql`if(abs(${x}) <= 1, acos(${x}), NULL)`)),
  series_asin: each(real((x) => sql`if(abs(${x}) <= 1, asin(${x}), NULL)`)),
  series_atan: each(real((x) => sql`atan(${x})`)),
  series_ceiling: each((x) => keepWhole(x, (n) => sql`ceil(${n})`)),
  series_cos: each(real((x) => sql`cos(${x})`)),
  series_exp: each(real((x) => sql`exp(${x})`)),
  series_floor: each((x) => keepWhole(x, (n) => sql`floor(${n})`)),
  series_log: each(real((x) => sql`if(${x} > 0, log(${x}), NULL)`)),
  series_sign: each(real((x) => sql`sign(${x})`)),
  series_sin: each(real((x) => sql`sin(${x})`)),
  series_tan: each(real((x) => sql`tan(${x})`)),

  series_add: pairs('shortest', arithmetic('+')),
  series_divide: pairs('shortest', (x, y) => number(sql`(${toReal(x)} / ${toReal(y)})`)),
  series_multiply: pairs('longest', arithmetic('*')),
  series_pow: pairs('longest', (x, y) => number(sql`pow(${toReal(x)}, ${toReal(y)})`)),
  series_subtract: pairs('longest', arithmetic('-')),
  series_max: pairs('longest', (x, y) => chosen(compared('>=', x, y), x, y)),
  series_min: pairs('longest', (x, y) => chosen(compared('<=', x, y), x, y)),

  series_equals: pairs('same', shown('=')),
  series_greater: pairs('same', shown('>')),
  series_greater_equals: pairs('same', shown('>=')),
  series_less: pairs('same', shown('<')),
  series_less_equals: pairs('same', shown('<=')),
  series_not_equals: pairs('same', shown('!=')),

  series_fill_backward: filled(backward),
  series_fill_const: ([array, value]) => {
    const given = convert(value!, 'dynamic')
    return ofArray(array!, (all) => {
      const body = jsonArray(sql`arrayMap(x -> if(x = 'null', v, x), ${all})`)
      return sql`arrayMap(v -> ${body}, [toNullable(${given.sql})])[1]`
    })
  },
  series_fill_forward: filled((all) => backward(forward(all))),
  series_fill_linear: filled(linear),
} satisfies Record<string, FunctionRow>

/** Returns the JSON text of an array; null for a non-array. */
function ofArray(array: Value, body: (all: Sql) => Sql): Value {
  const text = (d: Sql) => sql`if(${isArray(d)}, ${body(elements(d))}, NULL)`
  return nullable('dynamic', once(documentOf(convert(array, 'dynamic')), text))
}

function each(body: (element: Sql) => Sql): FunctionRow {
  return ([array]) =>
    ofArray(array!, (all) => jsonArray(sql`arrayMap(x -> ${body(sql`x`)}, ${all})`))
}

function filled(body: (all: Sql) => Sql): FunctionRow {
  return ([array]) => ofArray(array!, (all) => jsonArray(body(all)))
}

function real(body: (value: Sql) => Sql): (element: Sql) => Sql {
  return (element) => {
    const result = sql`arrayMap(r -> ${body(sql`r`)}, [${toReal(element)}])[1]`
    return number(result)
  }
}

function toReal(element: Sql): Sql {
  return sql`toFloat64OrNull(${element})`
}

function isNumber(element: Sql): Sql {
  return sql`isNotNull(${toReal(element)})`
}

/** Integers are their own rounding. */
function keepWhole(element: Sql, rounded: (value: Sql) => Sql): Sql {
  return sql`if(isNotNull(toInt128OrNull(${element})), ${element}, ${number(rounded(toReal(element)))})`
}

/** Exact for integers. */
function arithmetic(sign: '+' | '-' | '*'): (x: Sql, y: Sql) => Sql {
  return (x, y) => {
    const whole = sql`(toInt128OrNull(${x}) ${raw(sign)} toInt128OrNull(${y}))`
    return sql`coalesce(toString(${whole}), ${number(sql`(${toReal(x)} ${raw(sign)} ${toReal(y)})`)})`
  }
}

type Sign = '=' | '!=' | '<' | '<=' | '>' | '>='

/** Null when an operand is not a number. */
function compared(sign: Sign, x: Sql, y: Sql): Sql {
  const whole = sql`(toInt128OrNull(${x}) ${raw(sign)} toInt128OrNull(${y}))`
  return sql`coalesce(${whole}, (${toReal(x)} ${raw(sign)} ${toReal(y)}))`
}

function shown(sign: Sign): (x: Sql, y: Sql) => Sql {
  return (x, y) => sql`toString(toBool(${compared(sign, x, y)}))`
}

function chosen(test: Sql, x: Sql, y: Sql): Sql {
  return sql`multiIf(isNull(${test}), NULL, ${test}, ${x}, ${y})`
}

/** The behavior for arrays of different lengths: `same` returns null. */
type Lengths = 'shortest' | 'longest' | 'same'

/** Applies a function to the elements of two arrays; a scalar operand is repeated. */
function pairs(lengths: Lengths, body: (x: Sql, y: Sql) => Sql): FunctionRow {
  return ([left, right]) => {
    const [a, b] = [convert(left!, 'dynamic').sql, convert(right!, 'dynamic').sql]
    const [l, r] = [sql`l`, sql`r`]
    const fits = (value: Sql) => sql`(${isArray(value)} OR ${isNumber(value)})`
    const spread = (value: Sql, own: Sql, other: Sql) =>
      sql`if(${isArray(value)}, ${own}, arrayWithConstant(length(${other}), ifNull(${value}, '')))`
    const isKnown = sql`(${isArray(l)} OR ${isArray(r)}) AND ${fits(l)} AND ${fits(r)}`
    const isSame = lengths === 'same' ? sql` AND length(xs) = length(ys)` : sql``
    const answer = sql`if(${isKnown}${isSame}, ${jsonArray(zipped(lengths, body))}, NULL)`
    // Within the condition, the engine would read the elements of an array again for each use.
    const text = sql`arrayMap((xs, ys) -> ${answer}, [${spread(l, sql`a`, sql`b`)}], [${spread(r, sql`b`, sql`a`)}])[1]`
    return nullable(
      'dynamic',
      sql`arrayMap((l, r, a, b) -> ${text}, [toNullable(${a})], [toNullable(${b})], [${elements(a)}], [${elements(b)}])[1]`,
    )
  }
}

function zipped(lengths: Lengths, body: (x: Sql, y: Sql) => Sql): Sql {
  const length = sql`${raw(lengths === 'shortest' ? 'least' : 'greatest')}(length(xs), length(ys))`
  return sql`arrayMap((x, y) -> ${body(sql`x`, sql`y`)}, arrayResize(xs, ${length}, 'null'), arrayResize(ys, ${length}, 'null'))`
}

function forward(all: Sql): Sql {
  return sql`arrayFill(x -> x != 'null', ${all})`
}

function backward(all: Sql): Sql {
  return sql`arrayReverseFill(x -> x != 'null', ${all})`
}

/** Interpolates linearly between the neighbors; at the ends, the only neighbor is used. */
function linear(all: Sql): Sql {
  const places = sql`arrayMap((x, i) -> if(x = 'null', 0, i), es, arrayEnumerate(es))`
  const before = sql`arrayFill(i -> i != 0, ${places})`
  const after = sql`arrayReverseFill(i -> i != 0, ${places})`
  const step = sql`(toFloat64OrNull(q) - toFloat64OrNull(p)) * (toInt64(i) - toInt64(m)) / (toInt64(n) - toInt64(m))`
  const between = number(sql`(toFloat64OrNull(p) + ${step})`)
  const value = sql`multiIf(x != 'null', x, m = 0, q, n = 0, p, ${between})`
  const lists = sql`es, ${forward(sql`es`)}, ${backward(sql`es`)}, arrayEnumerate(es), ${before}, ${after}`
  return sql`arrayMap(es -> arrayMap((x, p, q, i, m, n) -> ${value}, ${lists}), [${all}])[1]`
}
