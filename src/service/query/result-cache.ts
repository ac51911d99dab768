import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { Extent } from './dataset-parts.js'
import type { PageRows } from './native-rows.js'

/** The maximum size of all results, and of a single result. */
const MAX_BYTES = 64 * 1024 * 1024
const LARGEST_BYTES = 8 * 1024 * 1024

/** An LRU cache of query results. An entry is valid for one state of the events. */
export class ResultCache {
  private readonly kept = new LRUCache<string, { state: string; found: QueryResult }>({
    maxSize: MAX_BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ found }) => sizeOf(found),
  })

  /** Returns the cached result if the events are still in the same state; else undefined. */
  find(query: CompiledQuery, state: string): QueryResult | undefined {
    const key = keyOf(query)
    const kept = this.kept.get(key)
    if (kept?.state === state) return kept.found
    // The events changed, and the old state does not recur.
    this.kept.delete(key)
    return undefined
  }

  keep(query: CompiledQuery, state: string, found: QueryResult): void {
    this.kept.set(keyOf(query), { state, found })
  }
}

/** The statements determine the result completely: they contain times, limits and the layout of fields. */
function keyOf({ statement, matched }: CompiledQuery): string {
  const text = JSON.stringify([statement.text, matched?.text])
  return hash('sha256', text, 'base64')
}

/** The overhead in addition to the values: names and the key. */
const OVERHEAD_BYTES = 1024

function sizeOf({ result }: QueryResult): number {
  const values = [...result.bytes].map(([name, { length }]) => name.length + length)
  // Columns that have been read as strings are stored twice.
  return 2 * values.reduce((sum, length) => sum + length, OVERHEAD_BYTES)
}

export interface QueryResult {
  readonly result: PageRows
  readonly rowsExamined: number
  readonly rowsMatched: number
  /** The number of blocks within the time range. A block is a part of the engine: each insert creates one, and parts are merged. */
  readonly blocks: number
  readonly extent: Extent
}
