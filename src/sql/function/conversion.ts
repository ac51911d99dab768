import type { CONVERSION_FUNCTIONS } from '../../apl/function/conversion.js'
import { convert, shown } from '../convert.js'
import { sql } from '../sql.js'
import { nullable, once, type Value } from '../value.js'
import type { FunctionRow } from './row.js'

/** Functions that turn a value of one type into another, in SQL. */
export const CONVERSION_SQL: Readonly<Record<keyof typeof CONVERSION_FUNCTIONS, FunctionRow>> = {
  tobool: ([value]) => convert(value!, 'bool'),
  todatetime: ([value]) => convert(value!, 'datetime'),
  todouble: ([value]) => asNumber(value!),
  toint: ([value]) => convert(value!, 'int'),
  tostring: ([value]) => shown(value!),
  totimespan: ([value]) => convert(value!, 'timespan'),
}

/** As `todouble` reads a value: elsewhere a dynamic true is no number. */
function asNumber(value: Value): Value {
  const number = convert(value, 'real')
  if (value.type !== 'dynamic') return number
  return nullable(
    'real',
    once(value.sql, (d) => sql`multiIf(${d} = 'true', 1., ${d} = 'false', 0., ${number.sql})`),
  )
}
