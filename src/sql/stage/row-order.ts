import { type ColumnUse, named, type OrderKey, orderBy, type Rows, subquery } from '../rows.js'
import { raw, type Sql, sql } from '../sql.js'

/** Rows with an increasing number for each, in the current order; without a number when they have no order. */
interface NumberedRows {
  readonly rows: Rows
  readonly position?: Sql
}

/** Numbers the rows. Events in time order need no window function: their time and sequence number serve as the number. */
export function numbered(rows: Rows, use: ColumnUse): NumberedRows {
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
export function ageOf({ order }: Rows): Sql | undefined {
  const [time, arrival] = [timeOf(order), order.find((key) => key.arrival)]
  if (!time || !arrival) return undefined
  const instant = sql`toInt128(toUnixTimestamp64Nano(${time.sql}))`
  return sql`(bitShiftLeft(${instant}, 64) + ${arrival.sql})`
}

/** The time key, while the rows are events. */
export function timeOf(order: readonly OrderKey[]): OrderKey | undefined {
  return order.find((key) => key.instant)
}
