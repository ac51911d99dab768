import { list, raw, type Sql, sql } from '../sql.js'
import { convert } from '../type/convert.js'
import { constant, derived, nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

export const MATH_SQL = {
  acos: within((x) => sql`abs(${x}) <= 1`, 'acos'),
  asin: within((x) => sql`abs(${x}) <= 1`, 'asin'),
  atan: everywhere('atan'),
  atan2: everywhere('atan2'),
  cos: everywhere('cos'),
  cot: ([angle]) => {
    const { sql: radians } = convert(angle!, 'real')
    return nullable('real', sql`divideOrNull(1., tan(${radians}))`)
  },
  degrees: everywhere('degrees'),
  exp: everywhere('exp'),
  exp10: everywhere('exp10'),
  exp2: everywhere('exp2'),
  gamma: within((x) => sql`(${x} > 0 OR ${x} != floor(${x}))`, 'tgamma'),
  log: within((x) => sql`${x} > 0`, 'log'),
  log10: within((x) => sql`${x} > 0`, 'log10'),
  log2: within((x) => sql`${x} > 0`, 'log2'),
  loggamma: everywhere('lgamma'),
  pi: () => constant('real', Math.PI),
  pow: everywhere('pow'),
  radians: everywhere('radians'),
  sin: everywhere('sin'),
  sqrt: within((x) => sql`${x} >= 0`, 'sqrt'),
  tan: everywhere('tan'),
} satisfies Record<string, FunctionRow>

function everywhere(name: string): FunctionRow {
  return (values) => {
    const numbers = values.map((value) => convert(value, 'real'))
    return derived('real', sql`${raw(name)}(${list(numbers.map((number) => number.sql))})`, numbers)
  }
}

/** Returns null outside the domain of the function. */
function within(isDefined: (x: Sql) => Sql, name: string): FunctionRow {
  return ([value]: readonly Value[]) => {
    const at = (x: Sql) => sql`if(${isDefined(x)}, ${raw(name)}(${x}), NULL)`
    return nullable('real', once(convert(value!, 'real').sql, at))
  }
}
