import { type Sql, sql, text } from '../sql/sql.js'
import { ENGINE_TIME } from './event-time.js'
import type { Extraction } from './extraction.js'
import type { FieldPath } from './field-path.js'

/** Where an event may hold its time: the key as it is, or the place that a dotted name means. */
export function timePaths(timestampField: string): readonly FieldPath[] {
  const nested = timestampField.split('.')
  return nested.length === 1 || nested.includes('')
    ? [[timestampField]]
    : [[timestampField], nested]
}

/** The time of each event, `arrivedAt` where it has none, null where it can't be read here. */
export function timeOfEvent(options: {
  readonly timestampField: string
  readonly extraction: Extraction
  readonly arrivedAt: Sql
}): Sql {
  const arrived = sql`CAST(fromUnixTimestamp64Nano(${options.arrivedAt}, 'UTC'), ${NULLABLE_TIME})`
  return timePaths(options.timestampField)
    .map((path) => options.extraction.read(path))
    .reduceRight(
      (otherwise, found) => sql`if(isNull(${found}), ${otherwise}, ${timeOfValue(found)})`,
      arrived,
    )
}

const NULLABLE_TIME = text("Nullable(DateTime64(9, 'UTC'))")
const FIRST_TIME = sql`toDateTime64('1900-01-01 00:00:00', 9, 'UTC')`

function timeOfValue(dynamic: Sql): Sql {
  const string = sql`dynamicElement(${dynamic}, 'String')`
  const parsed = sql`parseDateTime64BestEffortOrNull(${string}, 9, 'UTC')`
  const int = sql`dynamicElement(${dynamic}, 'Int64')`
  return sql`multiIf(
    isNotNull(${string}), if(match(assumeNotNull(${string}), ${text(ENGINE_TIME)}) AND ${parsed} >= ${FIRST_TIME}, ${parsed}, NULL),
    isNotNull(${int}), ${timeOfInteger(int)}, NULL)`
}

/** A Unix time in the unit that brings it near our time; the same ranges as for texts. */
function timeOfInteger(int: Sql): Sql {
  const nanoseconds = sql`multiIf(
    ${int} BETWEEN -2208988800 AND 9223372036, ${int} * 1000000000,
    ${int} BETWEEN 100000000000 AND 9223372036854 OR ${int} BETWEEN -2208988800000 AND -100000000000, ${int} * 1000000,
    ${int} BETWEEN 100000000000000 AND 9223372036854775 OR ${int} BETWEEN -2208988800000000 AND -100000000000000, ${int} * 1000,
    ${int} >= 100000000000000000 OR ${int} BETWEEN -2208988800000000000 AND -100000000000000000, ${int}, NULL)`
  return sql`fromUnixTimestamp64Nano(${nanoseconds}, 'UTC')`
}
