import { type Sql, sql, text } from '../sql/sql.js'
import { ENGINE_TIME } from '../wire/event-time.js'

const NULLABLE_TIME = text("Nullable(DateTime64(9, 'UTC'))")

/** The time of each event: the first of these values that is there, or when it arrived; null where it can't be read. */
export function timeOfEvent(values: readonly Sql[], arrivedAt: Sql): Sql {
  return values.reduceRight(
    (otherwise, value) => sql`if(isNull(${value}), ${otherwise}, ${timeOfValue(value)})`,
    sql`CAST(fromUnixTimestamp64Nano(${arrivedAt}, 'UTC'), ${NULLABLE_TIME})`,
  )
}

function timeOfValue(value: Sql): Sql {
  const written = sql`CAST(${value}, 'Nullable(String)')`
  // A number with a fraction is a double here, and may have lost digits.
  const readable = sql`match(ifNull(${written}, ''), ${text(ENGINE_TIME)}) AND isNull(dynamicElement(${value}, 'Float64'))`
  return sql`if(${readable}, parseDateTime64BestEffortOrNull(${written}, 9, 'UTC'), NULL)`
}
