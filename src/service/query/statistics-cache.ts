import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import type { Store } from '../../engine/store.js'

/** Background merges change the number of parts while the events stay the same, so entries expire. */
const MAX_AGE_MS = 10_000
const MAX = 256

/** The store methods used for statistics. */
export type StatisticsReader = Pick<Store, 'read' | 'parts' | 'blocks' | 'layout' | 'removals'>

interface CacheEntry {
  readonly state: string
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
    return {
      layout: (dataset) => store.layout(dataset),
      removals: (dataset) => store.removals(dataset),
      read: (query, limits) =>
        this.cached(`read ${query.text}`, {
          store,
          datasets,
          read: () => store.read(query, limits),
        }),
      parts: (names, limits) =>
        this.cached(`parts ${JSON.stringify(names)}`, {
          store,
          datasets,
          read: () => store.parts(names, limits),
        }),
      blocks: (query, limits) =>
        this.cached(`blocks ${query.text}`, {
          store,
          datasets,
          read: () => store.blocks(query, limits),
        }),
    }
  }

  private async cached<Value>(
    request: string,
    { store, datasets, read }: Statistic<Value>,
  ): Promise<Value> {
    const changes = datasets.map((dataset) => store.changes(dataset))
    if (changes.includes(undefined)) return await read()
    const state = JSON.stringify([datasets, changes])
    const key = createHash('sha256').update(request).digest('base64')
    const known = this.known.get(key)
    if (known?.state === state) return known.value as Value
    const value = await read()
    this.known.set(key, { state, value })
    return value
  }
}

/** A statistic of datasets, and how to read it. */
interface Statistic<Value> {
  readonly store: Store
  readonly datasets: readonly string[]
  read(): Promise<Value>
}
