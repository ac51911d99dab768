import { type Sql, sql } from '../sql.js'
import { canonicalJson } from '../type/canonical-json.js'
import { asDynamic, convert, realOfJson, shown } from '../type/convert.js'
import { typedPart } from '../type/json-path.js'
import { byHeld, nullable, once, type Value } from '../value.js'
import { toDynamic } from './parse.js'
import { presentOrNull } from './present.js'
import type { FunctionRow } from './row.js'

export const CONVERSION_SQL = {
  dynamic_to_json: ([value]) => canonicalJson(value!),
  toarray: ([value]) => toArray(value!),
  tobool: ([value]) => convert(value!, 'bool'),
  todatetime: ([value]) => convert(value!, 'datetime'),
  todouble: ([value]) => asNumber(value!),
  todynamic: toDynamic,
  tohex: hexadecimal,
  toint: ([value]) => convert(value!, 'int'),
  tostring: ([value]) => shown(value!),
  totimespan: ([value]) => convert(value!, 'timespan'),
} satisfies Record<string, FunctionRow>

function asNumber(value: Value): Value {
  const { type, isString, text, json, held } = value
  if (held !== undefined) {
    return nullable(
      'real',
      byHeld(value, (one) => asNumber(one).sql),
    )
  }
  if (type !== 'dynamic' || isString) return convert(value, 'real')
  if (text !== undefined) return nullable('real', numberOf(value))
  const ofPart = (document: Sql) => numberOf(typedPart({ ...json!, document }, 'dynamic'))
  return nullable('real', json ? once(json.document, ofPart) : once(value.sql, realOfJson))
}

/** The number of a dynamic value for `todouble`: in other contexts, true is not a number. */
function numberOf(value: Value): Sql {
  const { sql: number } = convert(value, 'real')
  // The engine reads the JSON text only for rows without a number.
  const truth = sql`transform(${value.sql}, ['false', 'true'], [0., 1.], NULL)`
  return sql`if(isNotNull(${number}), ${number}, ${truth})`
}

/** `toarray(value)`: null yields an empty array. */
function toArray(value: Value): Value {
  const members = (d: Sql) => sql`arrayMap(m -> m.2, JSONExtractKeysAndValuesRaw(${d}))`
  const array = (d: Sql) => {
    const values = sql`concat('[', arrayStringConcat(${members(d)}, ','), ']')`
    return sql`multiIf(startsWith(${d}, '['), ${d}, startsWith(${d}, '{'), ${values}, ${d} = '', '[]', concat('[', ${d}, ']'))`
  }
  const whole = sql`ifNull(${asDynamic(value)}, '')`
  return { sql: once(whole, array), type: 'dynamic', nullable: false }
}

/** `tohex(value, minLength?)`: a negative number as the 16 digits of its two's complement. */
function hexadecimal([value, ...length]: readonly Value[]): Value {
  const number = convert(value!, 'int')
  return presentOrNull('string', [number, ...length], (n, least) => {
    // The engine's `hex` prints whole bytes: zero has two digits, and other numbers can have a leading zero.
    const digits = sql`if(${n!} = 0, '0', lower(trimLeft(hex(toInt64(${n!})), '0')))`
    if (!least) return digits
    return once(digits, (d) => {
      const size = sql`toUInt64(greatest(length(${d}), greatest(0, least(${least}, 1024))))`
      return sql`leftPad(${d}, ${size}, '0')`
    })
  })
}
