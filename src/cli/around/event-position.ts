import { columnOf, type Table } from '../../wire/http/tabular-result.js'
import { parseTimestamp } from '../../wire/time/timestamp.js'
import { UsageError } from '../error/usage-error.js'

/** `_time`: the event time. `_sysTime`: the time of arrival. */
export type TimeField = '_time' | '_sysTime'

export type Order = readonly [first: TimeField, second: TimeField]

/** A position in the order of events by two of their times, in nanoseconds since 1970. */
export interface EventPosition {
  readonly first: bigint
  readonly second: bigint
}

export function isBefore(one: EventPosition, other: EventPosition): boolean {
  return one.first < other.first || (one.first === other.first && one.second < other.second)
}

/** True when two positions are equal, as for events with the same times. */
export function isSame(one: EventPosition, other: EventPosition): boolean {
  return one.first === other.first && one.second === other.second
}

export function withRows(table: Table, rows: readonly number[]): Table {
  return { ...table, columns: table.columns.map((cells) => rows.map((row) => cells[row]!)) }
}

export function positionsOf(table: Table, [first, second]: Order): readonly EventPosition[] {
  const seconds = timesOf(table, second)
  return timesOf(table, first).map((time, row) => ({ first: time, second: seconds[row]! }))
}

/** Returns the times in a column, in nanoseconds since 1970. Throws a `UsageError` when it is missing. */
export function timesOf(table: Table, name: TimeField): readonly bigint[] {
  const cells = columnOf(table, name)
  if (cells === undefined) throw missingTimes()
  return cells.map((cell) => {
    const time = parseTimestamp(cell.slice(1, -1))
    if (time === undefined) throw missingTimes()
    return time
  })
}

export const EVENTS_OMITTED =
  'More events have the same times than the service returns at once. Some of them are not shown.'

/** Returns the error for a query without the times by which events are told apart. */
export function missingTimes(): UsageError {
  return new UsageError(
    'Events are told apart by `_time` and `_sysTime`, so the query must keep both, with their types. `--columns` selects columns, and `evq query` runs queries that combine events.',
  )
}
