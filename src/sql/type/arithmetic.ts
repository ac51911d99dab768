import type { Type } from '../../apl/type.js'
import { raw, type Sql, sql, text } from '../sql.js'
import {
  derived,
  constant as literal,
  nullable,
  nullableType,
  once,
  onceEach,
  typeName,
  type Value,
} from '../value.js'
import { convert, instant, nanoseconds } from './convert.js'

/** Narrows an integer to 64 bits; the query fails when it does not fit. */
export function fitted(value: Sql, isNullable: boolean): Sql {
  return sql`accurateCast(${value}, ${isNullable ? nullableType('int') : text(typeName('int'))})`
}

/** `+`, `-` and `*`, without wrapping at 64 bits. */
export function sum(sign: '+' | '-' | '*', a: Value, b: Value, type: Type): Value {
  if (type === 'real') return derived(type, signed(sign, real(a), real(b)), [real(a), real(b)])
  const isTime = type === 'datetime'
  if (!isTime && (a.type === 'real' || b.type === 'real')) return scaled(sign, a, b, type)
  const [x, y] = [whole(a), whole(b)]
  const wide = signed(sign, { ...x, sql: sql`toInt128(${x.sql})` }, y)
  const exact = fitted(wide, x.nullable || y.nullable)
  return derived(type, isTime ? instant(exact) : exact, [x, y])
}

function scaled(sign: '+' | '-' | '*', a: Value, b: Value, type: Type): Value {
  const product = signed(sign, real(a), real(b))
  return derived(type, fitted(sql`round(${product})`, a.nullable || b.nullable), [real(a), real(b)])
}

/** `/`: null for division by zero; integer division truncates. */
export function quotient(a: Value, b: Value, type: Type): Value {
  if (type === 'real') {
    if (a.type === 'timespan' && b.type === 'timespan') return timespanRatio(a, b)
    const [x, y] = [real(a), real(b)]
    if (isNonZero(b)) return derived(type, sql`(${x.sql} / ${y.sql})`, [x, y])
    return nullable(type, sql`divideOrNull(${x.sql}, ${y.sql})`)
  }
  if (a.type === 'real' || b.type === 'real') {
    const ratio = sql`divideOrNull(${real(a).sql}, ${real(b).sql})`
    return nullable(type, fitted(sql`trunc(${ratio})`, true))
  }
  const [x, y] = [whole(a), whole(b)]
  if (isNonZero(b)) return derived(type, sql`intDiv(${x.sql}, ${y.sql})`, [x, y])
  // The smallest number divided by -1 is outside 64 bits.
  return nullable(type, fitted(sql`intDivOrNull(toInt128(${x.sql}), ${y.sql})`, true))
}

/** Divides nanoseconds. After 104 days, there are more than a double holds exactly. */
function timespanRatio(a: Value, b: Value): Value {
  const [x, y] = [whole(a), whole(b)]
  const divisor = isNonZero(b) ? y.sql : sql`nullIf(${y.sql}, 0)`
  const ratio = onceEach(
    [x.sql, divisor],
    ([n, m]) =>
      sql`if(abs(${n!}) < ${2n ** 53n}, ${n!} / ${m!}, toFloat64(intDiv(toInt128(${n!}), ${m!})) + (toInt128(${n!}) % ${m!}) / ${m!})`,
  )
  return isNonZero(b) ? derived('real', ratio, [x, y]) : nullable('real', ratio)
}

/** `%`: has the sign of the dividend; null for zero. */
export function remainder(a: Value, b: Value, type: Type): Value {
  if (type === 'real') {
    // For reals, the engine subtracts a multiple whose factor is a double, which is inexact beyond 2^53.
    const remainderOf = ([n, m]: readonly Sql[]) => sql`coalesce(
      toFloat64(moduloOrNull(accurateCastOrNull(${n!}, 'Int128'), accurateCastOrNull(${m!}, 'Int128'))),
      moduloOrNull(${n!}, ${m!}))`
    return nullable(type, onceEach([real(a).sql, real(b).sql], remainderOf))
  }
  const [x, y] = [whole(a), whole(b)]
  if (isNonZero(b)) return derived(type, sql`(${x.sql} % ${y.sql})`, [x, y])
  return nullable(type, sql`toInt64(moduloOrNull(toInt128(${x.sql}), ${y.sql}))`)
}

export function opposite(value: Value, type: Type): Value {
  // Subtracting from zero avoids negative zero.
  if (type === 'real') return derived(type, sql`(0 - ${real(value).sql})`, [real(value)])
  const x = whole(value)
  return derived(type, fitted(sql`negate(toInt128(${x.sql}))`, x.nullable), [x])
}

/** `bin(value, size)`: rounds down to a multiple of the size. */
export function binned(value: Value, size: Value, type: Type): Value {
  if (type === 'real') return realBin(real(value), real(size))
  if (type === 'dynamic') return mixedBin(value, size)
  const [x, y] = [whole(value), whole(size)]
  const bin = isNonZero(size)
    ? derived(type, down(x.sql, sql`toInt64(${y.sql})`, type), [x, y])
    : nullable(type, down(x.sql, sql`nullIf(toInt64(${y.sql}), 0)`, type))
  if (type !== 'datetime') return bin
  return { ...bin, sql: instant(bin.sql) }
}

function down(value: Sql, size: Sql, type: Type): Sql {
  return once(value, (x) => {
    // Datetimes are far from the 64-bit limits.
    if (type === 'datetime') return floored(x, size)
    return fitted(floored(sql`toInt128(${x})`, size), true)
  })
}

/** The size determines the type that a dynamic value is converted to: integers stay integers with an integral size. */
function mixedBin(value: Value, size: Value): Value {
  if (size.type === 'timespan') {
    return convert(binned(convert(value, 'datetime'), size, 'datetime'), 'dynamic')
  }
  const inReals = convert(binned(value, size, 'real'), 'dynamic')
  if (size.type !== 'int') return inReals
  const isWhole = sql`isNotNull(toInt64OrNull(${value.sql}))`
  const inWhole = nullable('int', sql`toInt64OrNull(${value.sql})`)
  const exact = convert(binned(inWhole, size, 'int'), 'dynamic')
  return nullable('dynamic', sql`if(${isWhole}, ${exact.sql}, ${inReals.sql})`)
}

/** The largest multiple that is not greater. The size must be signed, or a negative number is read as a huge one. */
function floored(value: Sql, size: Sql): Sql {
  return sql`(${value} - positiveModulo(${value}, ${size}))`
}

function realBin(value: Value, size: Value): Value {
  const multiple = (by: Sql) => sql`(floor(${value.sql} / ${by}) * ${by})`
  if (isNonZero(size)) return derived('real', multiple(size.sql), [value, size])
  return nullable('real', once(sql`nullIf(toFloat64(${size.sql}), 0)`, multiple))
}

function real(value: Value): Value {
  const { constant } = value
  if (typeof constant === 'bigint') return literal('real', Number(constant))
  return convert(value, 'real')
}

/** The value as an integer: nanoseconds for times. */
function whole(value: Value): Value {
  if (value.type === 'datetime') return derived('int', nanoseconds(value.sql), [value])
  return value.type === 'timespan' ? { ...value, type: 'int' } : convert(value, 'int')
}

/** A literal that is a safe divisor. */
function isNonZero({ constant }: Value): boolean {
  return (typeof constant === 'bigint' || typeof constant === 'number') && constant > 0
}

function signed(sign: '+' | '-' | '*', a: Value, b: Value): Sql {
  return sql`(${a.sql} ${raw(sign)} ${b.sql})`
}
