import type { Type } from '../../apl/type.js'
import { joinedBy, list, raw, type Sql, sql, text } from '../sql.js'
import { byHeld, derived, documentOf, nullable, once, type Value } from '../value.js'
import { asText, convert } from './convert.js'

/** The comparison operators that the engine evaluates; `!=` is derived from `=`. */
type Sign = '=' | '<' | '<=' | '>' | '>='

/** A predicate that is never null: false where `test` is null. */
export function predicate(test: Sql, parts: readonly Value[]): Value {
  const exact = parts.some((part) => part.nullable) ? sql`ifNull(${test}, false)` : test
  return { sql: exact, type: 'bool', nullable: false, filter: test }
}

/** Negates a predicate: also true where a value that it uses is null. */
export function negated(value: Value): Value {
  return { sql: sql`(NOT ${value.sql})`, type: 'bool', nullable: value.nullable }
}

/** `a == b`: null equals null, and nothing else. */
export function equal(a: Value, b: Value): Value {
  if (a.constant === null) return isNull(b)
  if (b.constant === null) return isNull(a)
  const test = comparison('=', a, b)
  if (!a.nullable || !b.nullable) return predicate(test, [a, b])
  return predicate(sql`(${test} OR (isNull(${a.sql}) AND isNull(${b.sql})))`, [a, b])
}

/** `a != b`: also true when exactly one of them is null. */
export function unequal(a: Value, b: Value): Value {
  return negated(equal(a, b))
}

/** `a < b` and its variants: false when an operand is null. */
export function ordered(sign: Sign, a: Value, b: Value): Value {
  return predicate(comparison(sign, a, b), [a, b])
}

export function isNull(value: Value): Value {
  const tested = value.type === 'dynamic' ? documentOf(value) : value.sql
  const test = value.nullable ? sql`isNull(${tested})` : sql`false`
  return { sql: test, type: 'bool', nullable: false }
}

/** Null only when an operand is null; false when the types are not comparable. */
function comparison(sign: Sign, a: Value, b: Value): Sql {
  if (a.type === 'dynamic' && b.type === 'dynamic') return dynamics(sign, a.sql, b.sql)
  if (a.type === 'dynamic' || (a.type === 'string' && b.type !== 'dynamic' && a.type !== b.type)) {
    return loose(sign, a, b)
  }
  if (b.type === 'dynamic' || (b.type === 'string' && a.type !== b.type)) {
    return loose(FLIPPED[sign], b, a)
  }
  return compared(sign, a.sql, b.sql)
}

const FLIPPED: Readonly<Record<Sign, Sign>> = {
  '=': '=',
  '<': '>',
  '<=': '>=',
  '>': '<',
  '>=': '<=',
}

function compared(sign: Sign, a: Sql, b: Sql): Sql {
  return sql`(${a} ${raw(sign)} ${b})`
}

/** Compares a string or dynamic value with a value of a known type: it is converted to that type. */
function loose(sign: Sign, a: Value, b: Value): Sql {
  switch (b.type) {
    case 'int':
    case 'real':
      return numeric(sign, a, b)
    case 'bool':
      return found(compared(sign, asText(a), sql`toString(toBool(${b.sql}))`))
    case 'string':
      return found(compared(sign, asText(a), b.sql))
    case 'datetime':
    case 'timespan':
      return found(compared(sign, convert(a, b.type).sql, b.sql))
    case 'dynamic':
      return dynamics(sign, a.sql, b.sql)
    default:
      return b.type satisfies never
  }
}

function found(test: Sql): Sql {
  return sql`ifNull(${test}, false)`
}

/** Integers are compared as such: as a double, 2^53 + 1 would equal 2^53. */
function numeric(sign: Sign, a: Value, b: Value): Sql {
  if (a.held !== undefined && b.constant !== undefined) {
    return byHeld(a, (one) => comparison(sign, one, b))
  }
  // A number inside a string counts as a number only when compared with a literal.
  const digits = a.type === 'dynamic' && b.constant === undefined ? a.sql : asText(a)
  return once(digits, (d) => {
    const real = compared(sign, sql`toFloat64OrNull(${d})`, b.sql)
    const whole = compared(sign, sql`toInt128OrNull(${d})`, b.sql)
    return sql`coalesce(${whole}, ${real}, false)`
  })
}

/** Compares two dynamic values by their types at run time: numbers with numbers, strings with strings. */
function dynamics(sign: Sign, a: Sql, b: Sql): Sql {
  return once(a, (x) =>
    once(b, (y) => {
      const whole = compared(sign, sql`toInt128OrNull(${x})`, sql`toInt128OrNull(${y})`)
      const real = compared(sign, sql`toFloat64OrNull(${x})`, sql`toFloat64OrNull(${y})`)
      if (sign === '=') return sql`(${compared('=', x, y)} OR coalesce(${whole}, ${real}, false))`
      const texts = compared(sign, sql`JSONExtractString(${x})`, sql`JSONExtractString(${y})`)
      const both = sql`(startsWith(${x}, '"') AND startsWith(${y}, '"'))`
      return sql`coalesce(${whole}, ${real}, if(${both}, ${texts}, false), false)`
    }),
  )
}

/** `value in (…)`: true when the value equals one of the list. */
export function member(value: Value, items: readonly Value[]): Value {
  if (value.held !== undefined && items.every((item) => isConverted(value, item))) {
    return predicate(
      byHeld(value, (one) => member(one, items).sql),
      [],
    )
  }
  const inList = items.filter((item) => isPlain(value.type, item))
  const converted = items.filter((item) => isConverted(value, item))
  const texts = converted.filter(({ type }) => type === 'string')
  const numbers = converted.filter(({ type }) => type === 'int')
  const others = items.filter((item) => !isPlain(value.type, item) && !isConverted(value, item))
  const tests = others.map((item) =>
    item.type === 'dynamic' ? containedIn(value, item) : equal(value, item),
  )
  if (numbers.length > 0) tests.unshift(numberListed(value, numbers))
  if (texts.length > 0) tests.unshift(listed(nullable('string', asText(value)), texts))
  if (inList.length > 0) tests.unshift(listed(value, inList))
  if (tests.length === 0) return { sql: sql`false`, type: 'bool', nullable: false }
  if (tests.length === 1) return tests[0]!
  const found = tests.map((test) => test.sql)
  return derived('bool', joinedBy('OR', found), [])
}

/** True when a value equals a dynamic one, or an element of it when that is an array. */
function containedIn(value: Value, item: Value): Value {
  if (item.constant === null) return isNull(value)
  const inside = anyElement(item, (element) => equal(value, element))
  return predicate(sql`(${equal(value, item).sql} OR ${inside})`, [])
}

/** True when the test holds for an element of a dynamic array, or an element of an array in it. */
export function anyElement(array: Value, test: (element: Value) => Value): Sql {
  const element: Value = { sql: sql`element`, type: 'dynamic', nullable: false }
  return sql`arrayExists(element -> ${test(element).sql}, ${once(array.sql, flattened)})`
}

// Strings, or runs without brackets, commas and spaces; members of objects do not match.
const SCALARS = text(String.raw`"(?:[^"\\]|\\.)*"|[^\[\],\s"]+`)
const NESTED = text(String.raw`^\s*\[.*\[`)

function flattened(json: Sql): Sql {
  const own = sql`JSONExtractArrayRaw(ifNull(${json}, ''))`
  const isNested = sql`match(${json}, ${NESTED}) AND position(${json}, '{') = 0`
  return sql`if(ifNull(${isNested}, false), extractAll(ifNull(${json}, ''), ${SCALARS}), ${own})`
}

/** Literals for which the engine's own IN is equivalent to `==`. */
function isPlain(type: Type, item: Value): boolean {
  if (item.constant === undefined || item.constant === null) return false
  return type === item.type && type !== 'dynamic' && type !== 'real'
}

/** True for a string or an integer of the list when the value is converted to its type. */
function isConverted({ type }: Value, item: Value): boolean {
  if (item.constant === undefined || item.constant === null || item.type === type) return false
  const isText = type === 'dynamic' || type === 'string'
  return isText && (item.type === 'string' || item.type === 'int')
}

/** Compares integers as such, as `numeric` does; the engine's IN is false for null. */
function numberListed(value: Value, items: readonly Value[]): Value {
  const literals = list(items.map((item) => item.sql))
  const test = once(asText(value), (d) => {
    const [whole, real] = [sql`toInt128OrNull(${d})`, sql`toFloat64OrNull(${d})`]
    return sql`if(isNull(${whole}), ${real} IN (${literals}), ${whole} IN (${literals}))`
  })
  return predicate(found(test), [])
}

function listed(value: Value, items: readonly Value[]): Value {
  const literals = list(items.map((item) => item.sql))
  return predicate(sql`(${value.sql} IN (${literals}))`, [value])
}

/** Returns a key for grouping: -0 equals 0, but the engine groups and joins by the bits of real numbers. */
export function groupingKey(value: Value): Value {
  return value.type === 'real' ? derived('real', sql`(${value.sql} + 0.)`, [value]) : value
}
