import type { Table, TabularResult } from '../../../wire/http/tabular-result.js'
import { RESULT_ROWS } from '../../../wire/limits.js'
import { parseTimestamp } from '../../../wire/time/timestamp.js'
import { UsageError } from '../../error/usage-error.js'
import { eventsFrom, type Order, type TimeField } from './apl.js'
import { type EventPosition, isSame, type SeenEvents } from './seen.js'

/** The initial and the maximum page size; it grows while there are more events. */
const PAGE_SIZE = 5_000

const MAX_PAGE_SIZE = RESULT_ROWS

/** No service limits a response to fewer rows than this. */
const MIN_PAGE_LIMIT = 100

interface PollOptions {
  readonly apl: string
  readonly order: Order
  /** An additional condition. */
  readonly condition: string
  readonly from: EventPosition | undefined
  readonly seen: SeenEvents
  /** True when these events are not polled again, so they need not be remembered. */
  readonly isFinal?: boolean
  ask(apl: string, limit: number): Promise<TabularResult>
  /** Called when events had to be omitted. */
  note(text: string): void
}

/** Reads the current events page by page. Yields the new ones and returns the position of the last. */
export async function* poll(
  options: PollOptions,
): AsyncGenerator<Table, EventPosition | undefined> {
  const { seen, order } = options
  let { from } = options
  let mostRows = 0
  for (let limit = PAGE_SIZE; ; ) {
    const result = await options.ask(eventsFrom(options.apl, { ...options, from, limit }), limit)
    const [table] = result.tables
    const rows = table?.columns[0]?.length ?? 0
    if (table === undefined || rows === 0) return from
    const places = positionsOf(table, order)
    const fresh = seen.addNew(table, places)
    if (fresh.length > 0) yield withRows(table, fresh)
    const last = places[rows - 1]!
    const stands = from !== undefined && isSame(last, from)
    from = last
    if (options.isFinal) seen.forget(last)
    // A service may limit a response to fewer rows than requested, and then reports more matches.
    if (rows < limit && result.status.rowsMatched <= rows) return from
    mostRows = Math.max(mostRows, rows)
    if (!stands) limit = Math.min(2 * limit, MAX_PAGE_SIZE)
    else if (rows >= limit && limit < MAX_PAGE_SIZE) limit = MAX_PAGE_SIZE
    else {
      // Some services report more matches than there are rows; their responses are shorter than this.
      if (fresh.length > 0 || rows >= Math.max(mostRows, MIN_PAGE_LIMIT))
        options.note(EVENTS_OMITTED)
      from = { first: last.first, second: last.second + 1n }
    }
  }
}

const EVENTS_OMITTED =
  'More events have the same times than the service returns at once. Some of them are not shown.'

/** Returns a table with some of its rows. */
export function withRows(table: Table, rows: readonly number[]): Table {
  return { ...table, columns: table.columns.map((cells) => rows.map((row) => cells[row]!)) }
}

/** Returns the positions of the events in a table. */
export function positionsOf(table: Table, [first, second]: Order): readonly EventPosition[] {
  const seconds = timesOf(table, second)
  return timesOf(table, first).map((time, row) => ({ first: time, second: seconds[row]! }))
}

/** Returns the times in a column, in nanoseconds since 1970. Throws a `UsageError` when it is missing. */
export function timesOf({ fields, columns }: Table, name: TimeField): readonly bigint[] {
  const cells = columns[fields.findIndex((field) => field.name === name)]
  if (cells === undefined) throw missingTimes()
  return cells.map((cell) => {
    const time = parseTimestamp(cell.slice(1, -1))
    if (time === undefined) throw missingTimes()
    return time
  })
}

/** Returns the error for a query without `_time` or `_sysTime`, whose new events can't be recognized. */
export function missingTimes(): UsageError {
  return new UsageError(
    '`evq tail` needs the `_time` and `_sysTime` of events, so the query must keep them. Select columns with `--columns`.',
  )
}
