// Reads stored events near matches, as a stream in the order of one of their times.

import type { Table } from '../../wire/http/tabular-result.js'
import { RESULT_ROWS } from '../../wire/limits.js'
import { instantText } from '../query/quoted-name.js'
import { type TimeField, timesOf } from './event-position.js'
import { type EventCells, eventsOf } from './table.js'

/** A stored event, and the time by which it is ordered, in nanoseconds since 1970. */
export interface NearbyEvent {
  readonly event: EventCells
  readonly at: bigint
}

interface EventPage {
  readonly events: readonly NearbyEvent[]
  /** True when the page has all events at the time of its last event. */
  readonly isComplete: boolean
}

/** Runs a query; `matched` is the number of rows regardless of the limit, 0 if unknown. */
export type AskEvents = (
  apl: string,
  limit: number,
) => Promise<{ readonly table: Table | undefined; readonly matched: number }>

interface NearbyOptions {
  readonly source: string
  readonly field: TimeField
  /** The operators after filters and order. */
  readonly columns: string
  /** A further condition on events, or `true`. */
  readonly condition: string
  readonly ask: AskEvents
  /** Called when a service returns fewer events of one time than there are. */
  onCut(): void
}

/** The number of rows of the first page. Each further page is twice as long. */
const FIRST_ROWS = 1_000
/** The maximum number of rows of a first page. */
const MOST_FIRST_ROWS = 16_000

export type NearbyEvents = ReturnType<typeof nearbyEvents>

/** Reads the events of a dataset in the order of one of their times. */
export function nearbyEvents(options: NearbyOptions) {
  const { source, field, columns, condition: shared, ask, onCut } = options
  let rows = FIRST_ROWS / 2

  async function read(
    condition: string,
    order: 'asc' | 'desc',
    limit: number,
  ): Promise<{ readonly events: readonly NearbyEvent[]; readonly isCut: boolean }> {
    const { table, matched } = await ask(
      `${source}\n| where ${condition} and ${shared}\n| sort by ${field} ${order}\n| limit ${limit}${columns}`,
      limit,
    )
    const count = table?.columns[0]?.length ?? 0
    if (table === undefined || count === 0) return { events: [], isCut: false }
    const times = timesOf(table, field)
    const events = eventsOf(table).map((event, row) => ({ event, at: times[row]! }))
    return { events, isCut: count >= limit || matched > count }
  }

  return {
    /** Returns the last `count` events between the times `after` and `before`. */
    async between(
      after: bigint | undefined,
      before: bigint,
      count: number,
    ): Promise<readonly NearbyEvent[]> {
      const lower = after === undefined ? '' : ` and ${field} > ${instantText(after)}`
      const { events } = await read(`${field} < ${instantText(before)}${lower}`, 'desc', count)
      return events.toReversed()
    },
    /**
     * Yields the events at a time or later, page by page. `areNear` is true when the last page had several wanted events, so that the
     * next wanted events are probably near.
     */
    async *from(first: bigint, { areNear = false } = {}): AsyncGenerator<EventPage, void> {
      let from = first
      /** The number of events at the time `from` that were already yielded. */
      let seen = 0
      rows = rows < FIRST_ROWS || areNear ? Math.min(2 * rows, MOST_FIRST_ROWS) : FIRST_ROWS
      for (let limit = rows; ; limit = Math.min(2 * limit, RESULT_ROWS)) {
        const { events, isCut } = await read(`${field} >= ${instantText(from)}`, 'asc', limit)
        const fresh = events.slice(seen)
        const last = fresh.at(-1)
        // The query itself replaces the times, so they do not lead to the next page.
        if (last !== undefined && last.at < from) return
        if (!isCut) {
          yield { events: fresh, isComplete: true }
          return
        }
        if (last === undefined || (events.length >= RESULT_ROWS && last.at === from)) {
          // The remaining events of this time cannot be requested.
          onCut()
          if (last !== undefined) yield { events: fresh, isComplete: true }
          from += 1n
          seen = 0
          continue
        }
        yield { events: fresh, isComplete: false }
        from = last.at
        seen = events.length - events.findIndex(({ at }) => at === from)
      }
    },
  }
}
