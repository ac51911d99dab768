import type { ComputedColumn } from '../../apl/check/checked.js'
import type { TimeRange } from '../../apl/environment.js'
import { BY_AGE, type Group, IN_ORDER } from '../aggregate/row.js'
import type { OperatorContext } from '../compile-context.js'
import { type ColumnUse, named, type OrderKey, orderBy, type Rows, subquery } from '../rows.js'
import { raw, type Sql, sql } from '../sql.js'
import { wide } from '../type/calendar.js'
import { nanoseconds } from '../type/convert.js'
import { nothing } from '../value.js'
import { aggregatesIn } from '../walk.js'
import { timeBin } from './summarize.js'

/** The keys and aggregates of a grouping. */
interface Groups {
  readonly by: readonly ComputedColumn[]
  readonly aggregates: readonly Pick<ComputedColumn, 'value'>[]
}

/** Returns the properties that the aggregations need, and numbers the rows if an aggregation needs their order. */
export function withGroup(
  operator: Groups,
  rows: Rows,
  context: OperatorContext,
): { readonly rows: Rows; readonly group: Group } {
  const used = new Set(operator.aggregates.flatMap(({ value }) => aggregatesIn(value)))
  const rate = { seconds: used.has('rate') ? secondsOf(operator, rows, context) : undefined }
  const isOrdered = IN_ORDER.some((name) => used.has(name))
  const isAged = BY_AGE.some((name) => used.has(name))
  const isNumbered = isOrdered || (isAged && ageOf(rows) === undefined)
  const { rows: ready, position } = isNumbered ? numbered(rows, context) : { rows }
  if (position === undefined && !isAged) return { rows: ready, group: rate }
  const age = ageOf(ready)
  const time = age && timeOf(ready.order)?.sql
  return { rows: ready, group: { ...rate, position, age: age ?? position, time } }
}

/** The length of the time bin; without one, of the requested time range; without that, of the events' time span. */
function secondsOf({ by }: Groups, { order }: Rows, { range, now }: OperatorContext): Sql {
  const bin = by.flatMap(timeBin)[0]?.size ?? lengthOf(range, now)
  if (bin !== undefined) return sql`(toInt64(${bin}) / 1e9)`
  const time = timeOf(order)
  if (time === undefined) return nothing('real')
  // Over all groups: the span of a single group would inflate the rate of rare events.
  const edge = (name: 'max' | 'min') => {
    const own = sql`${raw(name)}(${nanoseconds(time.sql)})`
    return sql`(${raw(name)}(${own}) OVER ())`
  }
  return sql`((${edge('max')} - ${edge('min')}) / 1e9)`
}

function lengthOf({ start, end }: TimeRange, now: bigint): bigint | undefined {
  return start === undefined ? undefined : (end ?? now) - start
}

/**
 * Numbers the rows in the current order, if they have one. Events in time order need no window function: their time and sequence
 * number serve as the number.
 */
function numbered(rows: Rows, use: ColumnUse): { readonly rows: Rows; readonly position?: Sql } {
  const [first, second, third] = rows.order
  if (first === undefined) return { rows }
  const age = ageOf(rows)
  const isPlain = first.instant && second?.arrival && third === undefined
  if (age !== undefined && isPlain && first.direction === second.direction) {
    return { rows, position: first.direction === 'asc' ? age : sql`negate(${age})` }
  }
  const name = raw(`h${rows.hidden}`)
  const number = sql`row_number() OVER (${orderBy(rows.order)})`
  const extra = [named(number, name)]
  return { rows: subquery({ ...rows, hidden: rows.hidden + 1 }, use, extra), position: name }
}

/** A number for each event that increases with its time and, at equal times, its arrival. */
function ageOf({ order }: Rows): Sql | undefined {
  const [time, arrival] = [timeOf(order), order.find((key) => key.arrival)]
  if (!time || !arrival) return undefined
  const instant = wide(time.sql)
  return sql`(bitShiftLeft(${instant}, 64) + ${arrival.sql})`
}

/** The time key, while the rows are events. */
function timeOf(order: readonly OrderKey[]): OrderKey | undefined {
  return order.find((key) => key.instant)
}
