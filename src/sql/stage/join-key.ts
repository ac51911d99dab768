import { type Sql, sql } from '../sql.js'
import { groupingKey } from '../type/compare.js'
import { asText, convert } from '../type/convert.js'
import { once, standIn, type Value } from '../value.js'

/** Converts two values to keys that the engine considers equal exactly when `==` does. */
export function keyPair(a: Value, b: Value): readonly [Value, Value] {
  if (a.type === b.type && a.type !== 'dynamic') return [groupingKey(a), groupingKey(b)]
  if (b.type === 'dynamic' && a.type !== 'dynamic') {
    const [other, own] = keyPair(b, a)
    return [own, other]
  }
  if (a.type === 'dynamic') {
    switch (b.type) {
      case 'string':
        return [convert(a, 'string'), b]
      case 'bool':
        return [convert(a, 'string'), convert(b, 'string')]
      case 'datetime':
      case 'timespan':
        return [convert(a, b.type), b]
      default:
        break
    }
  }
  return [spelled(a), spelled(b)]
}

/** A string that is the same for equal values, such as `5` and `5.0`, and never the same for a number and a string. */
function spelled(value: Value): Value {
  return { sql: spelling(value), type: 'string', nullable: value.nullable }
}

function spelling(value: Value): Sql {
  switch (value.type) {
    case 'dynamic':
      return once(value.sql, spelledDynamic)
    case 'real':
      return once(value.sql, spelledReal)
    default:
      return asText(value)
  }
}

function spelledDynamic(d: Sql): Sql {
  const real = sql`toFloat64OrNull(${d})`
  return sql`multiIf(startsWith(${d}, '"'), ${d}, isNotNull(toInt128OrNull(${d})), toString(toInt128OrNull(${d})), isNotNull(${real}), ${spelledReal(real)}, ${d})`
}

function spelledReal(x: Sql): Sql {
  // An integral double of this size is exactly a 64-bit integer.
  return sql`if(${x} = trunc(${x}) AND abs(${x}) < 9e18, toString(toInt64(${x})), toString(${x}))`
}

/** Represents two keys of the same type by values that are never null, so that null equals null only. */
export function nullSafe(a: Value, b: Value): readonly [readonly Sql[], readonly Sql[]] {
  if (!a.nullable && !b.nullable) return [[a.sql], [b.sql]]
  return [neverNull(a), neverNull(b)]
}

function neverNull({ sql: key, type }: Value): readonly Sql[] {
  // The engine finds a string in half of the time that it needs for a string and a number.
  if (type === 'string') return [sql`ifNull(concat(${key}, '.'), '')`]
  return [sql`ifNull(${key}, ${standIn(type)})`, sql`isNull(${key})`]
}
