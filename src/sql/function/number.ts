import type { NUMBER_FUNCTIONS } from '../../apl/function/number.js'
import { binned, fitted } from '../arithmetic.js'
import { convert, truncated } from '../convert.js'
import { extremeOf } from '../dynamic-order.js'
import { type Sql, sql } from '../sql.js'
import { derived, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

/** Functions on numbers, in SQL. */
export const NUMBER_SQL: Readonly<Record<keyof typeof NUMBER_FUNCTIONS, FunctionRow>> = {
  abs: ([value]) => absolute(value!),
  bin: ([value, size], { type }) => binned(value!, size!, type),
  ceiling: ([value]) => rounded(value!, (x) => sql`ceil(${x})`),
  floor: ([value]) => rounded(value!, (x) => sql`floor(${x})`),
  log: ([value]) => {
    const positive = (x: Sql) => sql`if(${x} > 0, log(${x}), NULL)`
    return nullable('real', once(convert(value!, 'real').sql, positive))
  },
  max_of: (values, { type }) => extremeOf('greatest', values, type),
  min_of: (values, { type }) => extremeOf('least', values, type),
  pow: ([base, exponent]) => {
    const [x, y] = [convert(base!, 'real'), convert(exponent!, 'real')]
    return derived('real', sql`pow(${x.sql}, ${y.sql})`, [x, y])
  },
  round: ([value, precision]) => roundedTo(convert(value!, 'real'), precision),
  sqrt: ([value]) => {
    const positive = (x: Sql) => sql`if(${x} >= 0, sqrt(${x}), NULL)`
    return nullable('real', once(convert(value!, 'real').sql, positive))
  },
}

function absolute(value: Value): Value {
  if (value.type === 'real') return derived('real', sql`abs(${value.sql})`, [value])
  return derived(value.type, fitted(sql`abs(toInt128(${value.sql}))`, value.nullable), [value])
}

/** A whole number of a real one, null outside 64 bits. */
function rounded(value: Value, to: (value: Sql) => Sql): Value {
  if (value.type !== 'real') return { ...value, type: 'int' }
  return nullable('int', truncated(to(value.sql)))
}

/** Halves go away from zero; the engine's own `round` takes them to the even neighbour. */
function roundedTo(value: Value, precision: Value | undefined): Value {
  const whole = (x: Sql) => sql`(trunc(${x}) + if(abs(${x} - trunc(${x})) >= 0.5, sign(${x}), 0))`
  if (!precision) return derived('real', once(value.sql, whole), [value])
  const unit = sql`pow(10., ${precision.sql})`
  const parts = [value, precision]
  return derived('real', sql`(${once(sql`(${value.sql} * ${unit})`, whole)} / ${unit})`, parts)
}
