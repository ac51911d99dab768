import type { EngineResult, ReadLimits } from '../engine/engine.js'
import type { Store } from '../engine/store.js'
import type { Sql } from '../sql/sql.js'

/** The engine makes few parts of many by itself, so that their number changes while the events stay the same. */
const LONGEST_NS = 10_000_000_000n
const MOST = 256

/** What is asked of a store to learn about its events as a whole. */
export type Reads = Pick<Store, 'read' | 'layout' | 'removals'>

interface Known {
  readonly state: string
  readonly until: bigint
  readonly result: EngineResult
}

/**
 * Answers about datasets as a whole, how many events and from when to when: all pages of an export ask for
 * the same ones. They hold until events are stored or deleted.
 */
export class SteadyReads {
  private readonly known = new Map<string, Known>()
  private readonly now: () => bigint

  constructor(now: () => bigint) {
    this.now = now
  }

  /** The store, for questions whose answers depend on nothing but the events of these datasets. */
  of(store: Store, datasets: readonly string[]): Reads {
    return {
      layout: (dataset) => store.layout(dataset),
      removals: (dataset) => store.removals(dataset),
      read: (query, limits) => this.read(query, limits, { store, datasets }),
    }
  }

  private async read(
    query: Sql,
    limits: ReadLimits,
    { store, datasets }: { readonly store: Store; readonly datasets: readonly string[] },
  ): Promise<EngineResult> {
    const changes = datasets.map((dataset) => store.changes(dataset))
    if (changes.includes(undefined)) return await store.read(query, limits)
    const state = JSON.stringify([datasets, changes])
    const known = this.known.get(query.text)
    if (known !== undefined && known.state === state && this.now() < known.until)
      return known.result
    const result = await store.read(query, limits)
    this.known.delete(query.text)
    this.known.set(query.text, { state, until: this.now() + LONGEST_NS, result })
    const [oldest] = this.known.keys()
    if (this.known.size > MOST && oldest !== undefined) this.known.delete(oldest)
    return result
  }
}
