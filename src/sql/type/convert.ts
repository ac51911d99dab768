import type { Type } from '../../apl/type.js'
import { list, type Sql, sql, text } from '../sql.js'
import { constant, derived, nothing, nullable, nullableType, once, type Value } from '../value.js'
import { timespanOfText, timespanText } from './timespan-text.js'

/** Converts a value to another type; null when the conversion is not possible. */
export function convert(value: Value, type: Type): Value {
  if (value.type === type) return value
  if (value.constant === null) return constant(type, null)
  const converted = CONVERSIONS[type](value)
  return isTotal(value.type, type) ? derived(type, converted, [value]) : nullable(type, converted)
}

/** True when every value of one type is also a value of the other. */
function isTotal(from: Type, to: Type): boolean {
  if (to === 'string') return true
  return from !== 'string' && from !== 'dynamic' && from !== 'real' && to !== 'datetime'
}

const CONVERSIONS: Readonly<Record<Type, (value: Value) => Sql>> = {
  bool: asBool,
  int: asInt,
  real: asReal,
  string: asText,
  datetime: asDatetime,
  timespan: asTimespan,
  dynamic: asDynamic,
}

/** The value as a string, like `tostring`, except that null stays null. */
export function asText(value: Value): Sql {
  switch (value.type) {
    case 'string':
      return value.sql
    case 'dynamic':
      return textOfDynamic(value)
    case 'bool':
      return sql`toString(toBool(${value.sql}))`
    case 'int':
    case 'real':
      return sql`toString(${value.sql})`
    case 'datetime':
      return datetimeText(value.sql)
    case 'timespan':
      return once(value.sql, timespanText)
    default:
      return value.type satisfies never
  }
}

/** The content of a JSON string, or the JSON text of any other value; read from the original document when possible. */
function textOfDynamic({ sql: value, json: part, text: known }: Value): Sql {
  if (known !== undefined) return known
  if (!part || part.path.length === 0) return sql`JSONExtractString(${value})`
  return sql`JSONExtract(${list([part.document, ...part.path, nullableType('string')])})`
}

/** The JSON text of a value, as in a response; null stays null. */
export function asDynamic(value: Value): Sql {
  switch (value.type) {
    case 'dynamic':
      return value.sql
    case 'bool':
    case 'int':
      return asText(value)
    case 'real':
      return once(value.sql, (x) => sql`if(isFinite(${x}), toString(${x}), NULL)`)
    default:
      return json(asText(value))
  }
}

/** A string, which can be NULL, as a dynamic value. */
export function dynamicOf(string: Sql): Value {
  return { ...nullable('dynamic', json(string)), text: string }
}

/** A string as a JSON string. */
export function json(value: Sql): Sql {
  // For NULL, toJSONString returns the string `null`, or NULL, depending on the version.
  return sql`nullIf(toJSONString(${value}), 'null')`
}

function asBool(value: Value): Sql {
  switch (value.type) {
    case 'bool':
      return value.sql
    case 'int':
    case 'real':
    case 'timespan':
      return sql`(${value.sql} != 0)`
    case 'datetime':
      return sql`(${nanoseconds(value.sql)} != 0)`
    case 'string':
      return boolOfText(value.sql)
    case 'dynamic':
      return once(
        value.sql,
        (d) =>
          sql`coalesce(${boolOfText(asText({ sql: d, type: 'dynamic', nullable: true }))}, toFloat64OrNull(${d}) != 0)`,
      )
    default:
      return value.type satisfies never
  }
}

function boolOfText(value: Sql): Sql {
  const yes = sql`('1', 't', 'T', 'TRUE', 'true', 'True')`
  const no = sql`('0', 'f', 'F', 'FALSE', 'false', 'False')`
  return once(value, (s) => sql`multiIf(${s} IN ${yes}, true, ${s} IN ${no}, false, NULL)`)
}

function asInt(value: Value): Sql {
  switch (value.type) {
    case 'int':
    case 'timespan':
      return value.sql
    case 'bool':
      return sql`toInt64(${value.sql})`
    case 'real':
      return truncated(value.sql)
    case 'datetime':
      return nanoseconds(value.sql)
    case 'string':
      return sql`toInt64OrNull(${value.sql})`
    case 'dynamic':
      return once(value.sql, intOfDynamic)
    default:
      return value.type satisfies never
  }
}

function intOfDynamic(d: Sql): Sql {
  return sql`multiIf(startsWith(${d}, '"'), toInt64OrNull(JSONExtractString(${d})), ${d} = 'true', 1, ${d} = 'false', 0, coalesce(toInt64OrNull(${d}), ${truncated(sql`toFloat64OrNull(${d})`)}))`
}

/** Truncates a real number to an integer; null outside 64 bits. */
export function truncated(value: Sql): Sql {
  return sql`accurateCastOrNull(trunc(${value}), 'Int64')`
}

function asReal(value: Value): Sql {
  switch (value.type) {
    case 'real':
      return value.sql
    case 'int':
    case 'timespan':
    case 'bool':
      return sql`toFloat64(${value.sql})`
    case 'datetime':
      return sql`toFloat64(${nanoseconds(value.sql)})`
    case 'string':
      return sql`toFloat64OrNull(${value.sql})`
    case 'dynamic':
      return sql`toFloat64OrNull(${textOfDynamic(value)})`
    default:
      return value.type satisfies never
  }
}

function asDatetime(value: Value): Sql {
  switch (value.type) {
    case 'datetime':
      return value.sql
    case 'int':
    case 'timespan':
      return sql`fromUnixTimestamp64Nano(${value.sql}, 'UTC')`
    case 'real':
      return sql`fromUnixTimestamp64Nano(${truncated(value.sql)}, 'UTC')`
    case 'string':
      return once(value.sql, datetimeOfText)
    case 'dynamic':
      return once(
        value.sql,
        (d) =>
          sql`if(startsWith(${d}, '"'), ${once(sql`JSONExtractString(${d})`, datetimeOfText)}, fromUnixTimestamp64Nano(${intOfDynamic(d)}, 'UTC'))`,
      )
    case 'bool':
      return nothing('datetime')
    default:
      return value.type satisfies never
  }
}

// The best-effort parser accepts hours above 23 and minutes above 59 and carries them over.
const NO_CLOCK = text('(?:^|[^0-9:])(?:2[4-9]|[3-9][0-9]):|:[6-9][0-9](?:[^0-9]|$)')

function datetimeOfText(s: Sql): Sql {
  const parsed = sql`parseDateTime64BestEffortOrNull(${s}, 9, 'UTC')`
  const instant = once(parsed, (t) => sql`if(toYear(${t}) >= 1900, ${t}, NULL)`)
  // The best-effort parser accepts `12` as a day of the current month; anything shorter than a date is invalid.
  return sql`if(length(${s}) >= 8 AND NOT match(${s}, ${NO_CLOCK}), ${instant}, NULL)`
}

function asTimespan(value: Value): Sql {
  switch (value.type) {
    case 'timespan':
      return value.sql
    case 'string':
      return once(value.sql, timespanOfText)
    case 'dynamic':
      return once(
        value.sql,
        (d) =>
          sql`if(startsWith(${d}, '"'), ${once(sql`JSONExtractString(${d})`, timespanOfText)}, ${intOfDynamic(d)})`,
      )
    default:
      return asInt(value)
  }
}

/** Nanoseconds since 1970. */
export function nanoseconds(value: Sql): Sql {
  return sql`toUnixTimestamp64Nano(${value})`
}

/** RFC 3339, without trailing zeros in the fraction. */
function datetimeText(value: Sql): Sql {
  const trimmed = sql`trimRight(trimRight(toString(${value}), '0'), '.')`
  return sql`concat(replaceOne(${trimmed}, ' ', 'T'), 'Z')`
}

/** `tostring`: null becomes the empty string. */
export function shown(value: Value): Value {
  const written = asText(value)
  return {
    sql: value.nullable ? sql`ifNull(${written}, '')` : written,
    type: 'string',
    nullable: false,
  }
}

/** Returns the value as a string in lower case. */
export function folded(value: Value): Value {
  const written = convert(value, 'string')
  return { ...written, sql: sql`lowerUTF8(${written.sql})` }
}
