// Adds the events around matches.
import type { ViewRow } from './row.js'

interface Passages {
  readonly matches: readonly ViewRow[]
  /** The number of events before and after each match. */
  readonly around: number
  /** The cursor of the last row that is already known. */
  readonly after: string | undefined
  /** The cursor of the event at which the passages end. */
  readonly before: string | undefined
  /** Reads events after or before a cursor, in their order. */
  read(
    cursor: string,
    part: {
      readonly isBackward: boolean
      readonly includeCursor?: boolean
      readonly limit: number
    },
  ): Promise<readonly ViewRow[]>
}

/** The minimum number of events that are read at once; further matches among them need no request. */
const EVENTS_AT_ONCE = 200

/**
 * Returns matches and the events around them. The first event of a passage is apart unless the passage directly follows the
 * previous one.
 */
export async function passagesOf(options: Passages): Promise<readonly ViewRow[]> {
  const { matches, around, after, before, read } = options
  /** The cursors of the matches that were not found yet. */
  const wanted = new Set(matches.map(({ cursor }) => cursor))
  const rows: ViewRow[] = []
  /** Adds the events in front of a match. One event more than is shown means that events are left out. */
  const lead = (events: readonly ViewRow[]): void => {
    const last = rows.at(-1)?.cursor ?? after
    const at = events.findIndex(({ cursor }) => cursor !== undefined && cursor === last)
    const isApart = at === -1 && events.length > around
    const shown = events.slice(isApart ? -around || events.length : at + 1)
    rows.push(...shown.map((row, index) => beside(row, isApart && index === 0)))
  }
  for (const { cursor: first } of matches) {
    if (first === undefined || !wanted.has(first)) continue
    lead(await read(first, { isBackward: true, limit: around + 1 }))
    let from: string = first
    let following = 0
    do {
      const isFirst = from === first
      const limit = Math.max(EVENTS_AT_ONCE, around + 1)
      const events = await read(from, { isBackward: false, includeCursor: isFirst, limit })
      let waiting: ViewRow[] = []
      for (const event of events) {
        if (event.cursor === before) return rows
        if (wanted.delete(event.cursor)) {
          lead(waiting.slice(-around - 1))
          waiting = []
          rows.push(event)
          following = around
        } else if (following > 0) {
          rows.push(beside(event, false))
          following -= 1
        } else waiting.push(event)
      }
      if (events.length < limit) return rows
      from = events.at(-1)!.cursor!
    } while (following > 0)
  }
  return rows
}

function beside(row: ViewRow, isApart: boolean): ViewRow {
  return { ...row, isBeside: true, ...(isApart && { isApart }) }
}
