import type { ReadLimits } from '../../engine/engine.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { StatisticsReader } from './statistics-cache.js'

/**
 * How many blocks a query has to look into. A block is what the engine keeps as one piece, a part: each
 * insert makes one, and in time many become one. Those whose times are out of range are ruled out by the index
 * of each; asking the engine for its estimate looks at nothing else.
 */
export async function blocksOf(
  { scan }: CompiledQuery,
  { store, limits }: { readonly store: StatisticsReader; readonly limits: ReadLimits },
): Promise<number> {
  return scan === undefined ? 0 : await store.blocks(scan, limits)
}
