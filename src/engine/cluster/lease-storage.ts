import type { Engine } from '../engine.js'
import { InsertedLeases } from './inserted-leases.js'
import { KeeperLeases } from './keeper-leases.js'
import type { LeaseTable } from './lease-table.js'

/** Returns the leases of an engine: in Keeper where it can be used. */
export function leaseTable(engine: Engine): LeaseTable {
  return engine.hasKeeperMap ? new KeeperLeases(engine) : new InsertedLeases(engine)
}

/** Creates the table of leases unless it exists. */
export async function createLeases(engine: Engine): Promise<void> {
  await (engine.hasKeeperMap ? KeeperLeases : InsertedLeases).create(engine)
}
