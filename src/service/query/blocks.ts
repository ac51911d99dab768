import type { ReadLimits } from '../../engine/engine.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { StatisticsReader } from './statistics-cache.js'

/**
 * Returns the number of blocks that a query has to read. A block is a part of the engine: each insert creates
 * one, and parts are merged over time. Blocks outside of the time range are excluded by their index; the engine's
 * estimate does not read anything else.
 */
export async function blocksOf(
  { scan }: CompiledQuery,
  { store, limits }: { readonly store: StatisticsReader; readonly limits: ReadLimits },
): Promise<number> {
  return scan === undefined ? 0 : await store.blocks(scan, limits)
}
