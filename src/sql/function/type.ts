import type { Type } from '../../apl/type.js'
import { type Sql, sql, text } from '../sql.js'
import { isNull, negated } from '../type/compare.js'
import { constant, documentOf, once, type Value } from '../value.js'
import { present } from './present.js'
import { type FunctionRow, plain } from './row.js'

export const TYPE_SQL = {
  gettype: ([value]) => typeOf(value!),
  isascii: plain('bool', (s) => sql`isASCII(${s})`),
  isbool: ([value]) => isOf(value!, ['bool'], (d) => sql`${d} IN ('true', 'false')`),
  iscc: (values) => present('bool', values, (s) => numbered(s!, CARDS)),
  isempty: ([value]) => isEmpty(value!),
  isimei: (values) => present('bool', values, (s) => numbered(s!, '^[0-9]{15}$')),
  ismap: ([value]) => isOf(value!, [], (d) => sql`startsWith(${d}, '{')`),
  isnotempty: ([value]) => negated(isEmpty(value!)),
  isnotnull: ([value]) => negated(isNull(value!)),
  isnull: ([value]) => isNull(value!),
  isreal: ([value]) => isNumber(value!),
  isstring: ([value]) => isOf(value!, ['string'], (d) => sql`startsWith(${d}, '"')`),
  isutf8: plain('bool', (s) => sql`isValidUTF8(${s})`),
} satisfies Record<string, FunctionRow>

function typeOf(value: Value): Value {
  const { type } = value
  if (type !== 'dynamic') return constant('string', type === 'int' ? 'long' : type)
  const word = once(
    sql`ifNull(${value.sql}, 'null')`,
    (d) =>
      sql`multiIf(${d} = 'null', 'null', startsWith(${d}, '"'), 'string', startsWith(${d}, '['), 'array', startsWith(${d}, '{'), 'dictionary', ${d} IN ('true', 'false'), 'bool', isNotNull(toInt64OrNull(${d})), 'long', 'real')`,
  )
  return { sql: word, type: 'string', nullable: false }
}

/** True when the value has one of these types; false for null. */
function isOf(value: Value, types: readonly Type[], test: (dynamic: Sql) => Sql): Value {
  if (types.includes(value.type)) return negated(isNull(value))
  if (value.type !== 'dynamic') return { sql: sql`false`, type: 'bool', nullable: false }
  const found = once(sql`ifNull(${value.sql}, '')`, test)
  return { sql: sql`(${found})`, type: 'bool', nullable: false }
}

function isNumber(value: Value): Value {
  if (value.type !== 'real') return isOf(value, ['int'], (d) => sql`match(${d}, '^-?[0-9]')`)
  return { sql: sql`ifNull(isFinite(${value.sql}), false)`, type: 'bool', nullable: false }
}

function isEmpty(value: Value): Value {
  if (value.type !== 'string' && value.type !== 'dynamic') return isNull(value)
  const test = value.type === 'string' ? sql`${value.sql} = ''` : sql`${documentOf(value)} = '""'`
  return { sql: sql`ifNull(${test}, true)`, type: 'bool', nullable: false }
}

// Visa, Mastercard, American Express, Discover, Diners Club, JCB, UnionPay and Maestro, by prefix.
const CARDS = [
  '^(?:4[0-9]{12}(?:[0-9]{3}){0,2}',
  '5[1-5][0-9]{14}',
  '2(?:22[1-9]|2[3-9][0-9]|[3-6][0-9]{2}|7[01][0-9]|720)[0-9]{12}',
  '3[47][0-9]{13}',
  '6(?:011|4[4-9][0-9]|5[0-9]{2})[0-9]{12,15}',
  '3(?:0[0-59]|[689][0-9])[0-9]{11,16}',
  '(?:2131|1800)[0-9]{11}',
  '35[0-9]{14,17}',
  '62[0-9]{14,17}',
  '(?:5[0678]|6[0-9])[0-9]{10,17})$',
].join('|')

/** True when the digits match one of the patterns and pass the Luhn check. */
function numbered(source: Sql, form: string): Sql {
  const digits = sql`arrayReverse(arrayMap(c -> toUInt8OrZero(c), extractAll(${source}, '[0-9]')))`
  const doubled = sql`if(d * 2 > 9, d * 2 - 9, d * 2)`
  const sum = once(digits, (all) => {
    return sql`arraySum((d, i) -> if(i % 2 = 1, d, ${doubled}), ${all}, arrayEnumerate(${all}))`
  })
  return sql`(match(${source}, ${text(form)}) AND ${sum} % 10 = 0)`
}
