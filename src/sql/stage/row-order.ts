import { type ColumnUse, named, type OrderKey, orderBy, type Rows, subquery } from '../rows.js'
import { raw, type Sql, sql } from '../sql.js'

/** The rows with a number for each that grows in the order at hand, where they have one. */
interface NumberedRows {
  readonly rows: Rows
  readonly position?: Sql
}

/** Numbers the rows, by the time and arrival of events where that is their order: those are numbers. */
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

/** A number for each event that grows with its time and, within one instant, its arrival. */
export function ageOf({ order }: Rows): Sql | undefined {
  const [time, arrival] = [timeOf(order), order.find((key) => key.arrival)]
  if (!time || !arrival) return undefined
  const instant = sql`toInt128(toUnixTimestamp64Nano(${time.sql}))`
  return sql`(bitShiftLeft(${instant}, 64) + ${arrival.sql})`
}

/** The time of the events, while the rows are events. */
export function timeOf(order: readonly OrderKey[]): OrderKey | undefined {
  return order.find((key) => key.instant)
}
