import { joined, type Sql, sql, text } from '../../sql/sql.js'
import { ENGINE_TIME, LAST_TIME, type TimeForm } from '../../wire/event/event-time.js'
import type { FieldPath } from '../../wire/json/field-path.js'
import type { TimeFormat } from '../../wire/time/time-format.js'
import { isPlainKey } from '../catalog/extraction.js'
import { timeByPattern } from './pattern-sql.js'

/** A field that may contain the time of an event. */
interface TimeValue {
  readonly path: FieldPath
  readonly value: Sql
}

/** The format of times: as given by the client, or the formats seen in addition to those that the engine reads by itself. */
interface TimeReading {
  readonly format?: TimeFormat
  readonly forms: ReadonlySet<TimeForm>
}

const NULLABLE_TIME = text("Nullable(DateTime64(9, 'UTC'))")
const NEVER = sql`CAST(NULL, ${NULLABLE_TIME})`

/** Returns the time of an event: the first value that is not null, or the time of arrival; null when it can't be parsed. */
export function timeOfEvent(
  values: readonly TimeValue[],
  arrivedAt: Sql,
  reading: TimeReading,
): Sql {
  return values.reduceRight(
    (otherwise, { path, value }, i) =>
      sql`if(isNull(${value}), ${otherwise}, ${timeOfValue({ path, value }, reading, `time${i}_`)})`,
    timeOfArrival(arrivedAt),
  )
}

/** Returns the same for strings that the engine reads by itself. */
export function timeOfText(values: readonly Sql[], arrivedAt: Sql): Sql {
  return values.reduceRight(
    (otherwise, value) =>
      sql`if(isNull(${value}), ${otherwise}, parseDateTime64BestEffortOrNull(${value}, 9, 'UTC'))`,
    timeOfArrival(arrivedAt),
  )
}

function timeOfArrival(arrivedAt: Sql): Sql {
  return sql`CAST(fromUnixTimestamp64Nano(${arrivedAt}, 'UTC'), ${NULLABLE_TIME})`
}

function timeOfValue(found: TimeValue, { format, forms }: TimeReading, name: string): Sql {
  const { value } = found
  const written = sql`ifNull(CAST(${value}, 'Nullable(String)'), '')`
  // A number with a fraction is a double here and may have lost digits.
  const isDouble = sql`isNotNull(dynamicElement(${value}, 'Float64'))`
  const exact = sql`if(${isDouble}, '', ${written})`
  if (format !== undefined) {
    const time = formatTime(exact, format.reads, name)
    return time === undefined ? NEVER : fromNanoseconds(time)
  }
  const own = sql`if(match(${exact}, ${text(ENGINE_TIME)}), parseDateTime64BestEffortOrNull(${exact}, 9, 'UTC'), NULL)`
  const others = [...forms].flatMap((form, i) => {
    const time =
      form === 'fraction'
        ? fractionTime(found, { exact, isDouble })
        : formatTime(exact, form, `${name}${i}`)
    return time === undefined ? [] : [fromNanoseconds(time)]
  })
  return others.length === 0 ? own : sql`coalesce(${joined([own, ...others], ', ')})`
}

function fromNanoseconds(time: Sql): Sql {
  return sql`fromUnixTimestamp64Nano(${time}, 'UTC')`
}

function formatTime(written: Sql, reads: TimeFormat['reads'], name: string): Sql | undefined {
  return typeof reads === 'number' ? unixTime(written, reads) : timeByPattern(written, reads, name)
}

function unixTime(written: Sql, power: number): Sql {
  const number = sql`toInt64OrZero(${written})`
  const unit = 10n ** BigInt(power)
  const holds = sql`match(${written}, '^[0-9]{1,19}$') AND ${number} BETWEEN 1 AND ${LAST_TIME / unit}`
  return sql`if(${holds}, ${number} * ${unit}, NULL)`
}

// Seconds, milliseconds and microseconds of present times are prefixes of the same 19 digits of nanoseconds.
const FRACTION = '([1-8](?:[0-9]{9}|[0-9]{12}|[0-9]{15}))(?:[.]([0-9]+))?'

/**
 * Parses a number with a fraction, or an integer that the engine turned into a double because other lines have fractions.
 * The digits of a double are read from the line, after the only occurrence of its key.
 */
function fractionTime(
  { path, value }: TimeValue,
  { exact, isDouble }: { readonly exact: Sql; readonly isDouble: Sql },
): Sql | undefined {
  const key = path.at(-1) ?? ''
  if (!isPlainKey(key) || key.includes('"')) return undefined
  const quoted = text(`"${key}"`)
  const behind = sql`substring(line, position(line, ${quoted}) + length(${quoted}), 64)`
  const inLine = sql`extract(${behind}, '^[ \\t]*:[ \\t]*([0-9]+(?:[.][0-9]+)?)[ \\t]*[,}]')`
  const isIt = sql`countSubstrings(line, ${quoted}) = 1 AND toFloat64OrZero(${inLine}) = dynamicElement(${value}, 'Float64')`
  const digits = sql`if(${isDouble}, if(${isIt}, ${inLine}, ''), ${exact})`
  const whole = sql`replaceRegexpOne(${digits}, ${text(`^${FRACTION}$`)}, '\\\\1\\\\2')`
  const nanoseconds = sql`toInt64OrZero(rightPad(substring(${whole}, 1, 19), 19, '0'))`
  return sql`if(match(${digits}, ${text(`^${FRACTION}$`)}), ${nanoseconds}, NULL)`
}
