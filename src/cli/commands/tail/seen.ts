import { createHash } from 'node:crypto'
import type { Table } from '../../../wire/http/tabular-result.js'
import { type EventPosition, isBefore } from '../../around/event-position.js'

/**
 * The events that were shown and may be returned again. Equal events are counted, since each is a separate event.
 */
export class SeenEvents {
  private readonly counts = new Map<string, { count: number; readonly place: EventPosition }>()
  private all = 0

  /** The number of events, including equal ones. */
  get total(): number {
    return this.all
  }

  /** Adds the rows of a response and returns the indexes of new ones. The response must hold all events of each position. */
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

  /** Removes the events before a position, which are not polled again. */
  forget(before: EventPosition): void {
    for (const [key, { count, place }] of this.counts) {
      if (!isBefore(place, before)) continue
      this.counts.delete(key)
      this.all -= count
    }
  }
}

/** Returns the identity of an event. Ignores nulls, because a field that appears later is null in earlier events. */
function keyOf({ fields, columns }: Table, row: number): string {
  const hash = createHash('sha1')
  for (const [index, { name }] of fields.entries()) {
    const cell = columns[index]?.[row] ?? 'null'
    if (cell !== 'null') hash.update(`${JSON.stringify(name)}:${cell},`)
  }
  return hash.digest('base64')
}
