import { type Sql, sql, text } from '../sql/sql.js'
import { ENGINE_TIME, FIRST_TIME, LAST_TIME } from './event-time.js'
import type { FieldPath } from './field-path.js'

/** Where an event may hold its time: the key as it is, or the place that a dotted name means. */
export function timePaths(timestampField: string): readonly FieldPath[] {
  const nested = timestampField.split('.')
  return nested.length === 1 || nested.includes('')
    ? [[timestampField]]
    : [[timestampField], nested]
}

const NULLABLE_TIME = text("Nullable(DateTime64(9, 'UTC'))")

/** The time of each event: the first of these values that is there, or when it arrived; null where it can't be read. */
export function timeOfEvent(values: readonly Sql[], arrivedAt: Sql): Sql {
  return values.reduceRight(
    (otherwise, value) => sql`if(isNull(${value}), ${otherwise}, ${timeOfValue(value)})`,
    sql`CAST(fromUnixTimestamp64Nano(${arrivedAt}, 'UTC'), ${NULLABLE_TIME})`,
  )
}

function timeOfValue(value: Sql): Sql {
  const string = sql`dynamicElement(${value}, 'String')`
  const parsed = sql`parseDateTime64BestEffortOrNull(${string}, 9, 'UTC')`
  return sql`ifNull(if(match(ifNull(${string}, ''), ${text(ENGINE_TIME)}), ${parsed}, NULL), ${timeOfInteger(value)})`
}

/** A Unix time in the unit that brings it near our time, as \`parseEventTime\` does it for the others. */
function timeOfInteger(value: Sql): Sql {
  const int = sql`dynamicElement(${value}, 'Int64')`
  const size = sql`abs(${int})`
  const unit = sql`multiIf(${size} < 100000000000, 1000000000, ${size} < 100000000000000, 1000000, ${size} < 100000000000000000, 1000, 1)`
  const nanoseconds = sql`toInt128(${int}) * ${unit}`
  return sql`if(${nanoseconds} BETWEEN ${FIRST_TIME} AND ${LAST_TIME}, fromUnixTimestamp64Nano(toInt64(${nanoseconds}), 'UTC'), NULL)`
}
