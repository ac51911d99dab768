import type { Table, TabularResult } from '../../../wire/http/query.js'
import { parseTimestamp } from '../../../wire/time/timestamp.js'
import { UsageError } from '../../error/usage-error.js'
import { eventsFrom, type Order, type TimeField } from './apl.js'
import { type EventPosition, isSame, type SeenEvents } from './seen.js'

/** How many events are asked for at first, and what that grows to where there are more. */
const PAGE_SIZE = 5_000

const MAX_PAGE_SIZE = 50_000

/** No service holds its answers shorter than this. */
const MIN_PAGE_LIMIT = 100

interface PollOptions {
  readonly apl: string
  readonly order: Order
  /** Which events, besides those of the query itself. */
  readonly condition: string
  readonly from: EventPosition | undefined
  readonly seen: SeenEvents
  /** Nobody will ask for these events again, so what is gone through is forgotten. */
  readonly isFinal?: boolean
  ask(apl: string, limit: number): Promise<TabularResult>
  /** Is told what had to be left out. */
  note(text: string): void
}

/** Goes through the events there are now, page by page; yields the new ones, and returns the place of the last. */
export async function* poll(
  options: PollOptions,
): AsyncGenerator<Table, EventPosition | undefined> {
  const { seen, order } = options
  let { from } = options
  let mostRows = 0
  for (let limit = PAGE_SIZE; ; ) {
    const answer = await options.ask(eventsFrom(options.apl, { ...options, from, limit }), limit)
    const [table] = answer.tables
    const rows = table?.columns[0]?.length ?? 0
    if (table === undefined || rows === 0) return from
    const places = positionsOf(table, order)
    const fresh = seen.addNew(table, places)
    if (fresh.length > 0) yield withRows(table, fresh)
    const last = places[rows - 1]!
    const stands = from !== undefined && isSame(last, from)
    from = last
    if (options.isFinal) seen.forget(last)
    // A service may hold its answers shorter than asked for, and then knows of more.
    if (rows < limit && answer.status.rowsMatched <= rows) return from
    mostRows = Math.max(mostRows, rows)
    if (!stands) limit = Math.min(2 * limit, MAX_PAGE_SIZE)
    else if (rows >= limit && limit < MAX_PAGE_SIZE) limit = MAX_PAGE_SIZE
    else {
      // Some services count more as matched than there is to have; their answers are not this long.
      if (fresh.length > 0 || rows >= Math.max(mostRows, MIN_PAGE_LIMIT))
        options.note(EVENTS_OMITTED)
      from = { first: last.first, second: last.second + 1n }
    }
  }
}

const EVENTS_OMITTED =
  'More events have the same times than the service gives at once: some of them are left out.'

/** A table with some of its rows. */
export function withRows(table: Table, rows: readonly number[]): Table {
  return { ...table, columns: table.columns.map((cells) => rows.map((row) => cells[row]!)) }
}

/** The places of the events of a table. */
export function positionsOf(table: Table, [first, second]: Order): readonly EventPosition[] {
  const seconds = timesOf(table, second)
  return timesOf(table, first).map((time, row) => ({ first: time, second: seconds[row]! }))
}

/** The times in a column, nanoseconds since 1970. */
export function timesOf({ fields, columns }: Table, name: TimeField): readonly bigint[] {
  const cells = columns[fields.findIndex((field) => field.name === name)]
  if (cells === undefined) throw missingTimes()
  return cells.map((cell) => {
    const time = parseTimestamp(cell.slice(1, -1))
    if (time === undefined) throw missingTimes()
    return time
  })
}

/** The events of such a query can't be told from those that were there before. */
export function missingTimes(): UsageError {
  return new UsageError(
    '`evq tail` follows events, so the query must keep their `_time` and `_sysTime`. `--columns` chooses what is shown.',
  )
}
