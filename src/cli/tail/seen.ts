import { createHash } from 'node:crypto'
import type { Table } from '../../wire/query.js'

/**
 * The events that were shown and that will be asked for again. Two equal events are two events, so each
 * is kept with how often it was there.
 */
export class Seen {
  private readonly counts = new Map<string, { count: number; readonly arrived: bigint }>()

  /** Which rows of an answer are new; the answer holds all events of each of its times from the first on. */
  fresh(table: Table, arrivals: readonly bigint[]): readonly number[] {
    const here = new Map<string, number>()
    return arrivals.flatMap((arrived, row) => {
      const key = keyOf(table, row)
      const count = (here.get(key) ?? 0) + 1
      here.set(key, count)
      const before = this.counts.get(key)?.count ?? 0
      if (count <= before) return []
      this.counts.set(key, { count, arrived })
      return [row]
    })
  }

  /** Forgets the events that arrived before an instant, since nobody will ask for them again. */
  forget(before: bigint): void {
    for (const [key, { arrived }] of this.counts) if (arrived < before) this.counts.delete(key)
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
