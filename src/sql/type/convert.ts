import type { Type } from '../../apl/type.js'
import { list, type Sql, sql, text } from '../sql.js'
import {
  bind,
  byHeld,
  constant,
  derived,
  isColumn,
  nothing,
  nullable,
  nullableType,
  once,
  type Value,
} from '../value.js'
import { timespanOfText, timespanText } from './timespan-text.js'

/** Converts a value to another type; null when the conversion is not possible. */
export function convert(value: Value, type: Type): Value {
  if (value.type === type) return value
  if (value.constant === null) return constant(type, null)
  if (value.held !== undefined && (type === 'int' || type === 'real')) {
    return nullable(
      type,
      byHeld(value, (one) => convert(one, type).sql),
    )
  }
  if (value.isString && type !== 'string') return convert(nullable('string', asText(value)), type)
  const converted = CONVERSIONS[type][value.type](value)
  return isTotal(value.type, type) ? derived(type, converted, [value]) : nullable(type, converted)
}

/** True when every value of one type is also a value of the other. */
function isTotal(from: Type, to: Type): boolean {
  if (to === 'string') return true
  return from !== 'string' && from !== 'dynamic' && from !== 'real' && to !== 'datetime'
}

type Conversions = Readonly<Record<Type, (value: Value) => Sql>>

const TO_BOOL: Conversions = {
  bool: same,
  int: isNotZero,
  real: isNotZero,
  timespan: isNotZero,
  datetime: ({ sql: time }) => sql`(${nanoseconds(time)} != 0)`,
  string: ({ sql: string }) => boolOfText(string),
  dynamic: ({ sql: dynamic }) =>
    once(dynamic, (d) => {
      const ofText = boolOfText(asText(nullable('dynamic', d)))
      return sql`coalesce(${ofText}, toFloat64OrNull(${d}) != 0)`
    }),
}

const TO_INT: Conversions = {
  int: same,
  timespan: same,
  bool: ({ sql: bool }) => sql`toInt64(${bool})`,
  real: ({ sql: real }) => truncated(real),
  datetime: ({ sql: time }) => nanoseconds(time),
  string: ({ sql: string }) => sql`toInt64OrNull(${string})`,
  dynamic: ({ sql: dynamic }) => once(dynamic, intOfDynamic),
}

const TO_REAL: Conversions = {
  real: same,
  int: inFloat,
  timespan: inFloat,
  bool: inFloat,
  datetime: ({ sql: time }) => sql`toFloat64(${nanoseconds(time)})`,
  string: ({ sql: string }) => sql`toFloat64OrNull(${string})`,
  dynamic: (dynamic) => sql`toFloat64OrNull(${textOfDynamic(dynamic)})`,
}

const TO_STRING: Conversions = {
  string: same,
  dynamic: textOfDynamic,
  bool: ({ sql: bool }) => sql`toString(toBool(${bool}))`,
  int: ({ sql: int }) => sql`toString(${int})`,
  real: ({ sql: real }) => sql`toString(${real})`,
  datetime: ({ sql: time }) => datetimeText(time),
  timespan: ({ sql: timespan }) => once(timespan, timespanText),
}

const TO_DATETIME: Conversions = {
  datetime: same,
  int: ({ sql: int }) => instant(int),
  timespan: ({ sql: timespan }) => instant(timespan),
  real: ({ sql: real }) => instant(truncated(real)),
  string: ({ sql: string }) => once(string, datetimeOfText),
  dynamic: ({ sql: dynamic }) =>
    once(dynamic, (d) => {
      const number = sql`if(${d} IN ('true', 'false'), NULL, ${intOfDynamic(d)})`
      return ofDynamic(d, datetimeOfText, instant(number))
    }),
  bool: () => nothing('datetime'),
}

const TO_TIMESPAN: Conversions = {
  ...TO_INT,
  string: ({ sql: string }) => once(string, timespanOfText),
  dynamic: ({ sql: dynamic }) =>
    once(dynamic, (d) => ofDynamic(d, timespanOfText, intOfDynamic(d))),
}

const TO_DYNAMIC: Conversions = {
  dynamic: same,
  bool: asText,
  int: asText,
  real: ({ sql: real }) => once(real, (x) => sql`if(isFinite(${x}), toString(${x}), NULL)`),
  // `toJSONString` keeps the dictionary of its argument, and the engine's JSON functions do not accept a dictionary.
  string: (string) => sql`CAST(${json(asText(string))}, 'Nullable(String)')`,
  datetime: (time) => json(asText(time)),
  timespan: (timespan) => json(asText(timespan)),
}

const CONVERSIONS: Readonly<Record<Type, Conversions>> = {
  bool: TO_BOOL,
  int: TO_INT,
  real: TO_REAL,
  string: TO_STRING,
  datetime: TO_DATETIME,
  timespan: TO_TIMESPAN,
  dynamic: TO_DYNAMIC,
}

function same(value: Value): Sql {
  return value.sql
}

function isNotZero({ sql: number }: Value): Sql {
  return sql`(${number} != 0)`
}

function inFloat({ sql: number }: Value): Sql {
  return sql`toFloat64(${number})`
}

/** The value as a string, like `tostring`, except that null stays null. */
export function asText(value: Value): Sql {
  return TO_STRING[value.type](value)
}

/** The JSON text of a value, as in a response; null stays null. */
export function asDynamic(value: Value): Sql {
  return TO_DYNAMIC[value.type](value)
}

/** Reads a dynamic value: a string by its content, anything else as a number. */
function ofDynamic(d: Sql, ofText: (text: Sql) => Sql, ofNumber: Sql): Sql {
  const text = once(sql`JSONExtractString(${d})`, ofText)
  return sql`if(startsWith(${d}, '"'), ${text}, ${ofNumber})`
}

/** The content of a JSON string, or the JSON text of any other value; read from the original document when possible. */
function textOfDynamic({ sql: value, json: part, text: known }: Value): Sql {
  if (known !== undefined) return known
  if (part === undefined || part.path.length === 0) {
    // In a condition, the engine would read a document for each use.
    return (isColumn(value) ? once : bind)(value, contentOf)
  }
  return sql`JSONExtract(${list([part.document, ...part.path, nullableType('string')])})`
}

/** Other values than strings are their own texts, and most strings have no escapes: both need not be parsed. */
function contentOf(json: Sql): Sql {
  const isPlain = sql`position(${json}, ${text('\\')}) = 0`
  return sql`multiIf(NOT startsWith(${json}, '"'), ${json}, ${isPlain}, substring(${json}, 2, length(${json}) - 2), JSONExtractString(${json}))`
}

/** A string, which can be NULL, as a dynamic value. */
export function dynamicOf(string: Sql): Value {
  return { ...nullable('dynamic', json(string)), text: string, isString: true }
}

export function json(value: Sql): Sql {
  // For NULL, toJSONString returns the string `null`, or NULL, depending on the version.
  return sql`nullIf(toJSONString(${value}), 'null')`
}

function boolOfText(value: Sql): Sql {
  const yes = sql`('1', 't', 'T', 'TRUE', 'true', 'True')`
  const no = sql`('0', 'f', 'F', 'FALSE', 'false', 'False')`
  return once(value, (s) => sql`multiIf(${s} IN ${yes}, true, ${s} IN ${no}, false, NULL)`)
}

function intOfDynamic(d: Sql): Sql {
  return sql`multiIf(startsWith(${d}, '"'), toInt64OrNull(JSONExtractString(${d})), ${d} = 'true', 1, ${d} = 'false', 0, coalesce(toInt64OrNull(${d}), ${truncated(sql`toFloat64OrNull(${d})`)}))`
}

/**
 * Returns the number of a JSON text for `todouble`: in other contexts, true is not a number. With `if`, the engine would compute all
 * branches of a condition that the text is computed with.
 */
export function realOfJson(json: Sql): Sql {
  const { sql: number } = convert(nullable('dynamic', json), 'real')
  return sql`multiIf(${json} = 'true', 1., ${json} = 'false', 0., ${number})`
}

/** Truncates a real number to an integer; null outside 64 bits. */
export function truncated(value: Sql): Sql {
  return sql`accurateCastOrNull(trunc(${value}), 'Int64')`
}

// The best-effort parser carries hours above 23 and minutes above 59 over, and a time without a date gets January 1 of this year.
const NO_CLOCK = '(?:^|[^0-9:])(?:2[4-9]|[3-9][0-9]):|:[6-9][0-9](?:[^0-9]|$)'
const NO_DATE = '(?i)^ *[0-9]{1,2}:[0-9:.]*(?: ?[ap]m)?(?: ?(?:z|utc|gmt|[+-][0-9:]+))? *$'
const NO_INSTANT = text(`${NO_CLOCK}|${NO_DATE}`)

function datetimeOfText(s: Sql): Sql {
  const parsed = sql`parseDateTime64BestEffortOrNull(${s}, 9, 'UTC')`
  const instant = once(parsed, (t) => sql`if(toYear(${t}) >= 1900, ${t}, NULL)`)
  // The best-effort parser accepts `12` as a day of the current month; anything shorter than a date is invalid.
  return sql`if(length(${s}) >= 8 AND NOT match(${s}, ${NO_INSTANT}), ${instant}, NULL)`
}

/** The datetime of a number of nanoseconds since 1970. */
export function instant(value: Sql): Sql {
  return sql`fromUnixTimestamp64Nano(${value}, 'UTC')`
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
  return derived('string', value.nullable ? sql`ifNull(${written}, '')` : written, [])
}

export function folded(value: Value): Value {
  const written = convert(value, 'string')
  return { ...written, sql: sql`lowerUTF8(${written.sql})` }
}
