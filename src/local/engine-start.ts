import { prepareChdb } from '../engine/clickhouse/chdb.js'

/** Starts to load the engine in another thread. Called by commands that will open it, before they load the rest of the program. */
export function startEngine(): void {
  prepareChdb()
}
