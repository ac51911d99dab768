import { createHash } from 'node:crypto'
import type { Table, TabularResult } from '../../../wire/http/tabular-result.js'
import { RESULT_ROWS } from '../../../wire/limits.js'
import {
  EVENTS_OMITTED,
  type EventPosition,
  isBefore,
  isSame,
  type Order,
  positionsOf,
  withRows,
} from '../../around/event-position.js'
import { eventsFrom } from './apl.js'

/** The initial and the maximum page size; the size grows while there are more events. */
const PAGE_SIZE = 5_000

const MAX_PAGE_SIZE = RESULT_ROWS

/** No service limits a response to fewer rows than this. */
const MIN_PAGE_LIMIT = 100

interface PollOptions {
  readonly apl: string
  readonly order: Order
  readonly condition: string
  readonly from: EventPosition | undefined
  readonly seen: SeenEvents
  /** True when these events are not polled again, so they need not be remembered. */
  readonly isFinal?: boolean
  ask(apl: string, limit: number): Promise<TabularResult>
  /** Called when events had to be omitted. */
  note(text: string): void
}

/** Reads the current events page by page. Yields the new events and returns the position of the last event. */
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
      // Some services report more matches than there are rows; their responses have fewer rows than this limit.
      if (fresh.length > 0 || rows >= Math.max(mostRows, MIN_PAGE_LIMIT))
        options.note(EVENTS_OMITTED)
      from = { first: last.first, second: last.second + 1n }
    }
  }
}

/** The events that were shown and may be returned again. Equal events are counted, since each is a separate event. */
export class SeenEvents {
  private readonly changing: ReadonlySet<string>
  private readonly counts = new Map<string, { count: number; readonly place: EventPosition }>()
  /** The number of events, including equal ones. */
  total = 0

  /** The columns in `changing` have other values each time an event is returned. */
  constructor(changing: readonly string[] = []) {
    this.changing = new Set(changing)
  }

  /** Adds the rows of a response and returns the indexes of new ones. The response must hold all events of each position. */
  addNew(table: Table, places: readonly EventPosition[]): readonly number[] {
    const here = new Map<string, number>()
    return places.flatMap((place, row) => {
      const key = this.keyOf(table, row)
      const count = (here.get(key) ?? 0) + 1
      here.set(key, count)
      const before = this.counts.get(key)?.count ?? 0
      if (count <= before) return []
      this.counts.set(key, { count, place })
      this.total += 1
      return [row]
    })
  }

  /** Removes the events before a position, which are not polled again. */
  forget(before: EventPosition): void {
    for (const [key, { count, place }] of this.counts) {
      if (!isBefore(place, before)) continue
      this.counts.delete(key)
      this.total -= count
    }
  }

  /** Returns the identity of an event. Ignores nulls, because a field that appears later is null in earlier events. */
  private keyOf({ fields, columns }: Table, row: number): string {
    const hash = createHash('sha1')
    for (const [index, { name }] of fields.entries()) {
      const cell = columns[index]?.[row] ?? 'null'
      if (cell === 'null' || this.changing.has(name)) continue
      hash.update(`${JSON.stringify(name)}:${cell},`)
    }
    return hash.digest('base64')
  }
}
