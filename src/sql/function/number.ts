import { raw, type Sql, sql } from '../sql.js'
import { binned, fitted } from '../type/arithmetic.js'
import { isNull, negated, predicate } from '../type/compare.js'
import { convert, truncated } from '../type/convert.js'
import { extremeOf } from '../type/dynamic-order.js'
import { constant, derived, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

export const NUMBER_SQL = {
  abs: ([value]) => absolute(value!),
  bin: ([value, size], { type }) => binned(value!, size!, type),
  // A checked query contains `bin` instead.
  bin_auto: ([time]) => time!,
  ceiling: ([value]) => rounded(value!, (x) => sql`ceil(${x})`),
  floor: ([value]) => rounded(value!, (x) => sql`floor(${x})`),
  isfinite: ([value]) => test(value!, 'isFinite'),
  isinf: ([value]) => test(value!, 'isInfinite'),
  isint: ([value]) => isWhole(value!),
  isnan: ([value]) => test(value!, 'isNaN'),
  max_of: (values, { type }) => extremeOf('greatest', values, type),
  min_of: (values, { type }) => extremeOf('least', values, type),
  rand: random,
  round: ([value, precision]) => roundedTo(convert(value!, 'real'), precision),
  sign: ([value]) => {
    const real = convert(value!, 'real').sql
    return nullable(
      'int',
      once(real, (x) => sql`toInt64(multiIf(${x} > 0, 1, ${x} < 0, -1, ${x} = 0, 0, NULL))`),
    )
  },
} satisfies Record<string, FunctionRow>

function absolute(value: Value): Value {
  if (value.type === 'real') return derived('real', sql`abs(${value.sql})`, [value])
  return derived(value.type, fitted(sql`abs(toInt128(${value.sql}))`, value.nullable), [value])
}

/** Rounds a real number to an integer; null outside 64 bits. */
function rounded(value: Value, to: (value: Sql) => Sql): Value {
  if (value.type !== 'real') return { ...value, type: 'int' }
  return nullable('int', truncated(to(value.sql)))
}

/** Rounds halves away from zero; the engine's own `round` rounds them to even. */
function roundedTo(value: Value, precision: Value | undefined): Value {
  const whole = (x: Sql) => sql`(trunc(${x}) + if(abs(${x} - trunc(${x})) >= 0.5, sign(${x}), 0))`
  if (!precision) return derived('real', once(value.sql, whole), [value])
  const unit = sql`pow(10., ${precision.sql})`
  const rounded = (x: Sql) => {
    const scaled = sql`(${x} * ${unit})`
    // A number this large has no such decimals, and its multiple could overflow to infinity.
    return sql`if(abs(${scaled}) < 9007199254740992, ${once(scaled, whole)} / ${unit}, ${x})`
  }
  return derived('real', once(value.sql, rounded), [value, precision])
}

/** A test of a real number; false for null. */
function test(value: Value, name: 'isFinite' | 'isInfinite' | 'isNaN'): Value {
  const real = convert(value, 'real')
  return predicate(sql`${raw(name)}(${real.sql})`, [real])
}

function isWhole(value: Value): Value {
  switch (value.type) {
    case 'int':
      return negated(isNull(value))
    case 'real':
      return predicate(isIntegral(value.sql), [value])
    case 'dynamic': {
      const whole = (d: Sql) =>
        sql`(isNotNull(toInt64OrNull(${d})) OR ifNull(${isIntegral(sql`toFloat64OrNull(${d})`)}, false))`
      return predicate(once(value.sql, whole), [value])
    }
    default:
      return constant('bool', false)
  }
}

function isIntegral(x: Sql): Sql {
  return sql`(isFinite(${x}) AND ${x} = trunc(${x}))`
}

/** True for SQL with another value each time that it is computed. */
export function isRandom({ text }: Sql): boolean {
  return /\brand\w*\(/.test(text)
}

/** The last argument distinguishes calls: the engine would merge two identical calls. */
function random(values: readonly Value[]): Value {
  const [seed, range] = [values.at(-1)!.sql, values.length > 1 ? values[0] : undefined]
  if (!range) return { sql: sql`randCanonical(${seed})`, type: 'real', nullable: false }
  const whole = sql`toInt64(bitShiftRight(rand64(${seed}), 1))`
  return nullable(
    'int',
    once(range.sql, (n) => sql`moduloOrNull(${whole}, if(${n} > 0, ${n}, NULL))`),
  )
}
