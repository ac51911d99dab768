import { after, type Engine } from '../engine.js'
import type { Lease } from './leases.js'

/** Returns an engine that confirms the leases before each write, which rejects with a `LeaseLostError` when a lease is lost. */
export function fencedEngine(engine: Engine, leases: readonly Lease[]): Engine {
  if (leases.length === 0) return engine
  const confirm = async (): Promise<void> => {
    for (const lease of leases) await lease.confirm()
  }
  return {
    isShared: engine.isShared,
    repeatsInserts: engine.repeatsInserts,
    hasKeeperMap: engine.hasKeeperMap,
    synchronize: engine.synchronize && ((tables) => engine.synchronize!(tables)),
    storedParts: engine.storedParts,
    createTable: after(confirm, (table) => engine.createTable(table)),
    run: after(confirm, (statement) => engine.run(statement)),
    change: after(confirm, (change) => engine.change(change)),
    load: after(confirm, (insert) => engine.load(insert)),
    ask: (query, about) => engine.ask(query, about),
    read: (query, limits) => engine.read(query, limits),
    close: () => engine.close(),
  }
}
