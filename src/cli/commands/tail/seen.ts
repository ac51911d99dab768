import { createHash } from 'node:crypto'
import type { Table } from '../../../wire/http/query.js'

/**
 * The events that were shown and that may be asked for again. Two equal events are two events, so each
 * is kept with how often it was there.
 */
export class SeenEvents {
  private readonly counts = new Map<string, { count: number; readonly place: EventPosition }>()
  private all = 0

  /** How many events there are, equal ones counted each. */
  get total(): number {
    return this.all
  }

  /** Which rows of an answer are new; the answer holds all events of each of its places from the first on. */
  addNew(table: Table, places: readonly EventPosition[]): readonly number[] {
    const here = new Map<string, number>()
    return places.flatMap((place, row) => {
      const key = keyOf(table, row)
      const count = (here.get(key) ?? 0) + 1
      here.set(key, count)
      const before = this.counts.get(key)?.count ?? 0
      if (count <= before) return []
      this.counts.set(key, { count, place })
      this.all += 1
      return [row]
    })
  }

  /** Forgets the events before a place, since nobody will ask for them again. */
  forget(before: EventPosition): void {
    for (const [key, { count, place }] of this.counts) {
      if (!isBefore(place, before)) continue
      this.counts.delete(key)
      this.all -= count
    }
  }
}

/** A field that comes up later is a null in the events before it: nulls do not tell one event from another. */
function keyOf({ fields, columns }: Table, row: number): string {
  const hash = createHash('sha1')
  for (const [index, { name }] of fields.entries()) {
    const cell = columns[index]?.[row] ?? 'null'
    if (cell !== 'null') hash.update(`${JSON.stringify(name)}:${cell},`)
  }
  return hash.digest('base64')
}

/** A place in the events that are ordered by two of their times; nanoseconds since 1970. */
export interface EventPosition {
  readonly first: bigint
  readonly second: bigint
}

/** Whether an event at one place comes before those at the other. */
export function isBefore(one: EventPosition, other: EventPosition): boolean {
  return one.first < other.first || (one.first === other.first && one.second < other.second)
}

/** Whether two places are the same, as those of events with the same times are. */
export function isSame(one: EventPosition, other: EventPosition): boolean {
  return one.first === other.first && one.second === other.second
}
