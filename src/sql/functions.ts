import type { FunctionName } from '../apl/functions.js'
import type { Type } from '../apl/type.js'
import { binned, fitted, floored, instant, sum } from './arithmetic.js'
import { isNull, negated } from './compare.js'
import { asText, convert, json, nanoseconds, truncated } from './convert.js'
import { extremeOf } from './dynamic-order.js'
import { list, type Sql, sql } from './sql.js'
import { indexOf, replaceRegex, split, substring, trim } from './text-functions.js'
import { constant, derived, nullable, once, type Value } from './value.js'

/** What a call knows beside its arguments. */
export interface Call {
  /** The type that the result is to have. */
  readonly type: Type
  /** The instant of the query. */
  readonly now: bigint
}

/** What a function makes of its arguments, each of a type that its signature accepts. */
export type FunctionRow = (values: readonly Value[], call: Call) => Value

const DAY = 86_400_000_000_000n

/** What each function is in SQL. That the arguments are there was checked when the query was. */
export const FUNCTIONS_SQL: Readonly<Record<FunctionName, FunctionRow>> = {
  // Strings
  coalesce: (values, { type }) => firstOf(values, type),
  extract: ([regex, group, source]) => {
    const found = sql`regexpExtract(${source!.sql}, ${regex!.sql}, ${group!.sql})`
    return nullable('string', sql`if(match(${source!.sql}, ${regex!.sql}), ${found}, NULL)`)
  },
  indexof: (values) => indexOf(values),
  isempty: ([value]) => isEmpty(value!),
  isnotempty: ([value]) => negated(isEmpty(value!)),
  isnull: ([value]) => isNull(value!),
  isnotnull: ([value]) => negated(isNull(value!)),
  parse_json: ([source]) => nullable('dynamic', once(source!.sql, parsed)),
  replace_regex: ([regex, rewrite, source]) => replaceRegex(regex!, rewrite!, source!),
  replace_string: (values) => {
    const [lookup, rewrite, source] = values.map((value) => value.sql)
    return derived('string', sql`replaceAll(${source!}, ${lookup!}, ${rewrite!})`, values)
  },
  split: ([source, delimiter]) => split(source!, delimiter!),
  strcat: (values) => {
    const texts = values.map((value) => shown(value).sql)
    return { sql: sql`concat(${list(texts)})`, type: 'string', nullable: false }
  },
  strlen: ([source]) => derived('int', sql`toInt64(lengthUTF8(${source!.sql}))`, [source!]),
  substring: (values) => substring(values),
  tolower: ([source]) => derived('string', sql`lowerUTF8(${source!.sql})`, [source!]),
  toupper: ([source]) => derived('string', sql`upperUTF8(${source!.sql})`, [source!]),
  trim: ([cutset, source]) => trim(cutset!, source!),

  // Conversions
  tobool: ([value]) => convert(value!, 'bool'),
  todatetime: ([value]) => convert(value!, 'datetime'),
  todouble: ([value]) => asNumber(value!),
  toint: ([value]) => convert(value!, 'int'),
  tostring: ([value]) => shown(value!),
  totimespan: ([value]) => convert(value!, 'timespan'),

  // Time
  ago: ([span], { now }) => offset(now, span!, '-'),
  dayofweek: ([time]) => part(time!, (t) => sql`toDayOfWeek(${t}, 2)`),
  getmonth: ([time]) => part(time!, (t) => sql`toMonth(${t})`),
  getyear: ([time]) => part(time!, (t) => sql`toYear(${t})`),
  hourofday: ([time]) => part(time!, (t) => sql`toHour(${t})`),
  now: ([span], { now }) => (span ? offset(now, span, '+') : constant('datetime', now)),
  startofday: ([time, days]) => startOfDay(time!, days),

  // Numbers
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

  // Choice
  case: (values, { type }) => {
    const branches = values.map((value, i) =>
      i % 2 === 1 || i === values.length - 1
        ? convert(value, type).sql
        : convert(value, 'bool').sql,
    )
    return nullable(type, sql`multiIf(${list(branches)})`)
  },
  iff: ([condition, then, otherwise], { type }) => {
    const [a, b] = [convert(then!, type), convert(otherwise!, type)]
    const test = condition!.filter ?? condition!.sql
    return derived(type, sql`if(${test}, ${a.sql}, ${b.sql})`, [a, b])
  },

  // Arrays
  array_length: ([array]) => {
    const length = (d: Sql) => sql`if(startsWith(${d}, '['), toInt64(JSONLength(${d})), NULL)`
    return nullable('int', once(array!.sql, length))
  },
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

/** As `tostring` shows a value: null is the empty text. */
function shown(value: Value): Value {
  const written = asText(value)
  return {
    sql: value.nullable ? sql`ifNull(${written}, '')` : written,
    type: 'string',
    nullable: false,
  }
}

function firstOf(values: readonly Value[], type: Type): Value {
  const candidates = values.map((value) => {
    const converted = convert(value, type).sql
    return type === 'string' ? sql`nullIf(${converted}, '')` : converted
  })
  return nullable(type, sql`coalesce(${list(candidates)})`)
}

function isEmpty(value: Value): Value {
  if (value.type !== 'string' && value.type !== 'dynamic') return isNull(value)
  const empty = value.type === 'string' ? sql`''` : sql`'""'`
  return {
    sql: sql`ifNull(${value.sql} = ${empty}, true)`,
    type: 'bool',
    nullable: false,
  }
}

/** A JSON text in the one form that dynamic values have; what is no JSON is a string. */
function parsed(source: Sql): Sql {
  const value = sql`nullIf(JSONExtractRaw(${source}), 'null')`
  return sql`if(isValidJSON(${source}), ${value}, ${json(source)})`
}

function offset(now: bigint, span: Value, sign: '+' | '-'): Value {
  if (typeof span.constant === 'bigint') {
    return constant('datetime', sign === '+' ? now + span.constant : now - span.constant)
  }
  return sum(sign, constant('datetime', now), span, 'datetime')
}

function part(time: Value, of: (time: Sql) => Sql): Value {
  return derived('int', sql`toInt64(${of(time.sql)})`, [time])
}

function startOfDay(time: Value, days: Value | undefined): Value {
  const start = once(nanoseconds(time.sql), (n) => floored(n, sql`toInt64(${DAY})`))
  if (!days) return derived('datetime', instant(start), [time])
  const moved = fitted(sql`toInt128(${start}) + toInt128(${days.sql}) * ${DAY}`, true)
  return nullable('datetime', instant(moved))
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
