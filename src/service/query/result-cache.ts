import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { EngineResult } from '../../engine/engine.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { Extent } from './extent.js'

/** What results may take together, and what one of them may. */
const MOST_BYTES = 64 * 1024 * 1024
const LARGEST_BYTES = 8 * 1024 * 1024

interface CacheEntry {
  readonly state: string
  readonly found: QueryResult
}

/** Results of queries, each for one state of the events that it was made from; the least recently used go first. */
export class ResultCache {
  private readonly kept = new LRUCache<string, CacheEntry>({
    maxSize: MOST_BYTES,
    maxEntrySize: LARGEST_BYTES,
    sizeCalculation: ({ found }) => sizeOf(found),
  })

  /** Returns the result of a query if the events are in the same state as when it was kept. */
  find(query: CompiledQuery, state: string): QueryResult | undefined {
    const key = keyOf(query)
    const kept = this.kept.get(key)
    if (kept?.state === state) return kept.found
    // The events have changed, and do not change back.
    this.kept.delete(key)
    return undefined
  }

  keep(query: CompiledQuery, state: string, found: QueryResult): void {
    this.kept.set(keyOf(query), { state, found })
  }
}

/** The statements hold all that a result comes of: instants, limits, the way that the fields are stored. */
function keyOf({ statement, matched }: CompiledQuery): string {
  const text = JSON.stringify([statement.text, matched?.text])
  return createHash('sha256').update(text).digest('base64')
}

/** What is kept beside the values: their names, the key. */
const OVERHEAD_BYTES = 1024

function sizeOf({ result }: QueryResult): number {
  const values = [...result.bytes].map(([name, { length }]) => name.length + length)
  // Once they were read as text, they are kept twice.
  return 2 * values.reduce((sum, length) => sum + length, OVERHEAD_BYTES)
}

/** What the engine found for a query. */
export interface QueryResult {
  readonly result: EngineResult
  readonly rowsExamined: number
  readonly rowsMatched: number
  /** How many blocks the index did not rule out. */
  readonly blocks: number
  readonly extent: Extent
}
