import type { Type } from '../../apl/type.js'
import { joined, raw, type Sql, sql, text } from '../sql.js'
import { once, type Value } from '../value.js'
import { asText, convert } from './convert.js'

/** The comparisons that the engine is asked for; `!=` is made of `=`. */
type Sign = '=' | '<' | '<=' | '>' | '>='

/** A predicate that is never null: where `test` is, it is false. */
export function predicate(test: Sql, parts: readonly Value[]): Value {
  const exact = parts.some((part) => part.nullable) ? sql`ifNull(${test}, false)` : test
  return { sql: exact, type: 'bool', nullable: false, filter: test }
}

/** The opposite of a predicate: true also where a value that it looks at is null. */
export function negated(value: Value): Value {
  return { sql: sql`(NOT ${value.sql})`, type: 'bool', nullable: value.nullable }
}

/** `a == b`: two nulls are equal, null and a value are not. */
export function equal(a: Value, b: Value): Value {
  if (a.constant === null) return isNull(b)
  if (b.constant === null) return isNull(a)
  const test = comparison('=', a, b)
  if (!a.nullable || !b.nullable) return predicate(test, [a, b])
  return predicate(sql`(${test} OR (isNull(${a.sql}) AND isNull(${b.sql})))`, [a, b])
}

/** `a != b`: true also where one of them is null. */
export function unequal(a: Value, b: Value): Value {
  const literal = a.constant !== undefined || b.constant !== undefined
  if (!a.nullable && !b.nullable && a.type === b.type) {
    return predicate(sql`(${a.sql} != ${b.sql})`, [])
  }
  if (literal && a.type === b.type && a.constant !== null && b.constant !== null) {
    return { sql: sql`ifNull(${a.sql} != ${b.sql}, true)`, type: 'bool', nullable: false }
  }
  return negated(equal(a, b))
}

/** `a < b` and its kin: false where one of them is null. */
export function ordered(sign: Sign, a: Value, b: Value): Value {
  return predicate(comparison(sign, a, b), [a, b])
}

/** Whether a value is null. */
export function isNull(value: Value): Value {
  const test = value.nullable ? sql`isNull(${value.sql})` : sql`false`
  return { sql: test, type: 'bool', nullable: false }
}

/** Null only where a value is null; false where the two have nothing in common. */
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

/** A text, or a dynamic value, with a value of a known type: it is read as that type. */
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

/** Whole numbers are compared as such: a double would take 2^53 + 1 for 2^53. */
function numeric(sign: Sign, a: Value, b: Value): Sql {
  // Only beside a literal is a number in a text a number.
  const digits = a.type === 'dynamic' && b.constant === undefined ? a.sql : asText(a)
  return once(digits, (d) => {
    const real = compared(sign, sql`toFloat64OrNull(${d})`, b.sql)
    if (b.type === 'real') return found(real)
    const whole = compared(sign, sql`toInt128OrNull(${d})`, b.sql)
    return sql`coalesce(${whole}, ${real}, false)`
  })
}

/** Two values whose types show only now: numbers with numbers, texts with texts. */
function dynamics(sign: Sign, a: Sql, b: Sql): Sql {
  return once(a, (x) =>
    once(b, (y) => {
      const numbers = compared(sign, sql`toFloat64OrNull(${x})`, sql`toFloat64OrNull(${y})`)
      if (sign === '=') return sql`(${compared('=', x, y)} OR ifNull(${numbers}, false))`
      const texts = compared(sign, sql`JSONExtractString(${x})`, sql`JSONExtractString(${y})`)
      const both = sql`(startsWith(${x}, '"') AND startsWith(${y}, '"'))`
      return sql`coalesce(${numbers}, if(${both}, ${texts}, false), false)`
    }),
  )
}

/** `value in (…)`: whether it equals one of them. */
export function member(value: Value, items: readonly Value[]): Value {
  const inList = items.filter((item) => isPlain(value.type, item))
  const others = items.filter((item) => !isPlain(value.type, item))
  const tests = others.map((item) =>
    item.type === 'dynamic' ? within(value, item) : equal(value, item),
  )
  if (inList.length > 0) tests.unshift(listed(value, inList))
  if (tests.length === 0) return { sql: sql`false`, type: 'bool', nullable: false }
  if (tests.length === 1) return tests[0]!
  return {
    sql: sql`(${joined(
      tests.map((test) => test.sql),
      ' OR ',
    )})`,
    type: 'bool',
    nullable: false,
  }
}

/** Whether a value equals a dynamic one, or an element of it when that is an array. */
function within(value: Value, item: Value): Value {
  if (item.constant === null) return isNull(value)
  const inside = anyElement(item, (element) => equal(value, element))
  return predicate(sql`(${equal(value, item).sql} OR ${inside})`, [])
}

/** Whether the test is true of an element of a dynamic array, or of an element of an array in it. */
export function anyElement(array: Value, test: (element: Value) => Value): Sql {
  const element: Value = { sql: sql`element`, type: 'dynamic', nullable: false }
  return sql`arrayExists(element -> ${test(element).sql}, ${once(array.sql, flattened)})`
}

// Texts, or stretches without brackets, commas and spaces; where there is an object these are not its parts.
const SCALARS = text(String.raw`"(?:[^"\\]|\\.)*"|[^\[\],\s"]+`)
const NESTED = text(String.raw`^\s*\[.*\[`)

function flattened(json: Sql): Sql {
  const own = sql`JSONExtractArrayRaw(ifNull(${json}, ''))`
  const isNested = sql`match(${json}, ${NESTED}) AND position(${json}, '{') = 0`
  return sql`if(ifNull(${isNested}, false), extractAll(ifNull(${json}, ''), ${SCALARS}), ${own})`
}

/** Literals for which the engine's own IN means the same as `==`. */
function isPlain(type: Type, item: Value): boolean {
  if (item.constant === undefined || item.constant === null) return false
  return type === item.type && type !== 'dynamic' && type !== 'real'
}

function listed(value: Value, items: readonly Value[]): Value {
  const list = joined(
    items.map((item) => item.sql),
    ', ',
  )
  return predicate(sql`(${value.sql} IN (${list}))`, [value])
}
