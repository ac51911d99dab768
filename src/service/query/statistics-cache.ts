import { hash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Part } from '../../engine/dataset-parts.js'
import type { Store } from '../../engine/store.js'

/** The time after which entries expire: background merges change the number of parts while the events stay the same. */
const MAX_AGE_MS = 10_000
const MAX = 256

export interface StatisticsReader extends Pick<Store, 'read' | 'parts'> {
  /** Returns the parts of the datasets, if they are known and no event was stored or deleted since they were read. */
  known(): KnownParts | undefined
}

/** Parts with all events of their datasets. */
interface KnownParts {
  readonly parts: readonly Part[]
  /** Equal as long as the same events are stored. */
  readonly state: string
}

interface CacheEntry {
  readonly state: string
  /** False when a change was in flight while the value was read, and may have become visible since. */
  readonly isSettled: boolean
  readonly value: unknown
}

/**
 * Caches statistics of datasets, such as the number of events and their time range, which every page of an export
 * requests. An entry is valid until events are stored or deleted.
 */
export class StatisticsCache {
  /** By the hash of the statement, since statements can be long. */
  private readonly known: LRUCache<string, CacheEntry>

  /** @param now - Nanoseconds since 1970. */
  constructor(now: () => bigint) {
    const perf = { now: () => Number(now() / 1_000_000n) }
    this.known = new LRUCache({ max: MAX, ttl: MAX_AGE_MS, ttlResolution: 0, perf })
  }

  /** Returns a caching reader, for queries whose results depend only on the events of these datasets. */
  of(store: Store, datasets: readonly string[]): StatisticsReader {
    const cached = async <Value>(request: string, read: () => Promise<Value>): Promise<Value> => {
      const state = stateOf(store, datasets)
      if (state === undefined) return await read()
      const key = keyOf(request)
      const known = this.known.get(key)
      if (known?.state === state) return known.value as Value
      const isSettled = !datasets.some((dataset) => store.isChanging(dataset))
      const value = await read()
      this.known.set(key, { state, isSettled, value })
      return value
    }
    return {
      read: (query, limits) => cached(`read ${query.text}`, () => store.read(query, limits)),
      known: () => {
        const entry = this.known.get(keyOf(partsOf(datasets)))
        if (entry === undefined || !entry.isSettled) return undefined
        if (entry.state !== stateOf(store, datasets)) return undefined
        return { parts: entry.value as readonly Part[], state: entry.state }
      },
      parts: (names, limits) => cached(partsOf(names), () => store.parts(names, limits)),
    }
  }
}

/** Returns a string that changes at the start and the end of each change of the datasets; undefined on a shared engine. */
function stateOf(store: Store, datasets: readonly string[]): string | undefined {
  const changes = datasets.map((dataset) => store.changes(dataset))
  return changes.includes(undefined) ? undefined : JSON.stringify([datasets, changes])
}

function partsOf(datasets: readonly string[]): string {
  return `parts ${JSON.stringify(datasets)}`
}

function keyOf(request: string): string {
  return hash('sha256', request, 'base64')
}
