// Reads the events next to others, in the order of their arrival, a few at a time.

import type { Table } from '../../../wire/http/tabular-result.js'
import type { JsonText } from '../../../wire/json/json-text.js'
import { RESULT_ROWS } from '../../../wire/limits.js'
import { formatTimestamp } from '../../../wire/time/timestamp.js'
import { positionsOf } from '../tail/poll.js'
import { type EventPosition, isSame } from '../tail/seen.js'

/** An event: the values of its fields. */
export type EventCells = ReadonlyMap<string, JsonText>

/** The events with the same two times, in the order of the service, which returns all of them at once. */
export interface Instant {
  readonly place: EventPosition
  readonly events: readonly EventCells[]
  /** The neighbors, once they are known; `end` when there are none. */
  previous?: Instant | 'end'
  next?: Instant | 'end'
}

/** A direction from an event to others. */
export type Direction = 'previous' | 'next'

/** Runs a query; `matched` is the number of rows regardless of the limit, 0 if unknown. */
export type AskEvents = (
  apl: string,
  limit: number,
) => Promise<{ readonly table: Table | undefined; readonly matched: number }>

interface TimelineOptions {
  /** The query for the events. */
  readonly source: string
  /** The operators after filters and order. */
  readonly columns: string
  /** A further condition; `true` if undefined. */
  readonly condition: string
  readonly ask: AskEvents
  /** Called when a service returns fewer events of one instant than there are. */
  onCut(): void
}

/** The most events of one instant that are read. */
const MOST_AT_ONCE = RESULT_ROWS

/** The rows that are read in addition to those needed, so that the next match is often among them. */
const SPARE_ROWS = 50

/** The events of a dataset in the order of arrival, as far as they were read. */
export class Timeline {
  private readonly options: TimelineOptions
  private readonly instants = new Map<string, Instant>()

  constructor(options: TimelineOptions) {
    this.options = options
  }

  /** Returns the events with these times. Reads `following` further events as well. */
  async at(place: EventPosition, following: number): Promise<Instant> {
    const known = this.instants.get(keyOf(place))
    if (known !== undefined) return known
    const [first, ...others] = await this.instantsBeyond(place, 'from', following + 1)
    // Without a following instant, it may have more events than were read.
    if (first !== undefined && isSame(first.place, place) && others.length > 0) return first
    return await this.allAt(place)
  }

  private async allAt(place: EventPosition): Promise<Instant> {
    const known = this.instants.get(keyOf(place))
    if (known !== undefined) return known
    const condition = `_sysTime == ${literal(place.first)} and _time == ${literal(place.second)}`
    const { rows, isCut } = await this.read(condition, 'next', MOST_AT_ONCE)
    if (isCut) this.options.onCut()
    return this.intern({ place, events: rows.map(({ event }) => event) })
  }

  /** Reads instants in a direction until there are `count` further events, or no more. */
  async reach(from: Instant, direction: Direction, count: number): Promise<void> {
    let at = from
    for (let found = 0; found < count; ) {
      if (at[direction] === undefined) await this.load(at, direction, count - found)
      const following = at[direction]
      if (following === undefined || following === 'end') return
      at = following
      found += at.events.length
    }
  }

  private async load(from: Instant, direction: Direction, count: number): Promise<void> {
    const instants = await this.instantsBeyond(from.place, direction, count)
    const [first] = instants
    if (first === undefined) from[direction] = 'end'
    else link(from, direction, first)
  }

  /**
   * Reads events beyond a place, or from there on, and returns their instants, which are linked. The last one has all of its
   * events.
   */
  private async instantsBeyond(
    place: EventPosition,
    direction: Direction | 'from',
    count: number,
  ): Promise<readonly Instant[]> {
    const toward = direction === 'from' ? 'next' : direction
    const sign = toward === 'next' ? '>' : '<'
    const [first, second] = [literal(place.first), literal(place.second)]
    const last = direction === 'from' ? `${sign}=` : sign
    const beyond = `(_sysTime ${sign} ${first} or (_sysTime == ${first} and _time ${last} ${second}))`
    const { rows, isCut } = await this.read(beyond, toward, count + SPARE_ROWS)
    const found: { place: EventPosition; events: EventCells[] }[] = []
    for (const { place: at, event } of rows) {
      const latest = found.at(-1)
      if (latest !== undefined && isSame(latest.place, at)) latest.events.push(event)
      else found.push({ place: at, events: [event] })
    }
    const cut = isCut ? found.pop() : undefined
    const instants = found.map((one) =>
      this.intern({
        place: one.place,
        events: toward === 'next' ? one.events : one.events.reverse(),
      }),
    )
    // The last instant may have more events than were read.
    if (cut !== undefined && instants.length === 0) instants.push(await this.allAt(cut.place))
    for (const [index, instant] of instants.entries()) {
      const following = instants[index + 1]
      if (following !== undefined) link(instant, toward, following)
      else if (!isCut) instant[toward] ??= 'end'
    }
    return instants
  }

  private intern(instant: Instant): Instant {
    const key = keyOf(instant.place)
    const known = this.instants.get(key) ?? instant
    this.instants.set(key, known)
    return known
  }

  private async read(condition: string, direction: Direction, limit: number) {
    const { source, columns, ask } = this.options
    const order = direction === 'next' ? 'asc' : 'desc'
    const { table, matched } = await ask(
      `${source}\n| where ${condition} and ${this.options.condition}\n| sort by _sysTime ${order}, _time ${order}\n| limit ${limit}${columns}`,
      limit,
    )
    const count = table?.columns[0]?.length ?? 0
    if (table === undefined || count === 0) return { rows: [], isCut: false }
    const places = positionsOf(table, ['_sysTime', '_time'])
    const rows = eventsOf(table).map((event, row) => ({ event, place: places[row]! }))
    return { rows, isCut: count >= limit || matched > count }
  }
}

/** Returns the rows of a table. */
export function eventsOf({ fields, columns }: Table): readonly EventCells[] {
  const rows = columns[0]?.length ?? 0
  return Array.from(
    { length: rows },
    (_, row) => new Map(fields.map(({ name }, index) => [name, columns[index]![row]!])),
  )
}

/** Sets the neighbor of an instant, and the other way around. */
function link(from: Instant, direction: Direction, to: Instant): void {
  from[direction] = to
  to[direction === 'next' ? 'previous' : 'next'] = from
}

function keyOf({ first, second }: EventPosition): string {
  return `${first} ${second}`
}

function literal(instant: bigint): string {
  return `datetime(${formatTimestamp(instant)})`
}
