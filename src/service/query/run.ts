import { numberIn } from '../../engine/clickhouse/response.js'
import type { ReadLimits } from '../../engine/engine.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import type { Service } from '../route.js'
import { rangeStatistics } from './extent.js'
import type { PreparedQuery } from './prepare.js'
import { rangeValidator } from './range-validator.js'
import type { QueryResult } from './result-cache.js'
import type { StatisticsReader } from './statistics-cache.js'

interface RunOptions extends Pick<PreparedQuery, 'datasets' | 'range' | 'mayBeCached'> {
  readonly service: Service
  readonly signal: AbortSignal
}

/** A query result that may come from the cache. */
interface RunResult extends QueryResult {
  readonly isCached: boolean
}

/** Runs a compiled query, unless its result is cached. */
export async function run(compiled: CompiledQuery, options: RunOptions): Promise<RunResult> {
  const { service } = options
  const { cache } = service
  const statistics = service.statistics.of(service.store, options.datasets)
  const release = await service.queryPermit(options.signal)
  const failed = new AbortController()
  const limits: ReadLimits = {
    timeoutMs: service.limits.queryTimeoutMs,
    memoryBytes: service.limits.queryMemoryBytes,
    // When one part fails, the others are aborted.
    signal: AbortSignal.any([options.signal, failed.signal]),
  }
  try {
    const state = options.mayBeCached
      ? await rangeValidator(compiled, {
          ...options,
          store: statistics,
          limits,
          now: service.now(),
        })
      : undefined
    const known = state === undefined ? undefined : cache.find(compiled, state)
    if (known !== undefined) return { ...known, isCached: true }
    const found = await queryEngine(compiled, { ...options, statistics, limits })
    if (state !== undefined && !found.result.isPartial) cache.keep(compiled, state, found)
    service.metrics.looked(found.rowsExamined)
    return { ...found, isCached: false }
  } catch (error) {
    failed.abort()
    throw error
  } finally {
    release()
  }
}

/** Queries the engine, skipping counts that the rows already imply. */
async function queryEngine(
  compiled: CompiledQuery,
  options: RunOptions & { readonly statistics: StatisticsReader; readonly limits: ReadLimits },
): Promise<QueryResult> {
  const { datasets, range, statistics, limits } = options
  const { store } = options.service
  const counting = compiled.countedBelow === undefined ? compiled.matched : undefined
  const [result, blocks, around] = await Promise.all([
    store.read(compiled.statement, { ...limits, ...pageLimits(compiled) }),
    blocksOf(compiled, { store: statistics, limits }),
    rangeStatistics({ store: statistics, datasets, range, counting, limits }),
  ])
  const { extent, events, matched } = around
  const rowsMatched =
    matched ??
    (compiled.matched === undefined || result.rows < (compiled.countedBelow ?? 0n)
      ? result.rows
      : numberIn(await statistics.read(compiled.matched, limits), 'matched'))
  // The engine reads some events twice to sort them, and none to count a whole dataset.
  const rowsExamined = Math.min(Math.max(result.rowsExamined, rowsMatched), events)
  return { result, extent, blocks, rowsExamined, rowsMatched }
}

// For rows in storage order, the engine reads a block of each part ahead, and past the end of the page:
// with the default block size, that is most of the work.
const PAGE_BLOCK_ROWS = 8_192

function pageLimits(compiled: CompiledQuery): Partial<ReadLimits> {
  if (compiled.isGrouped) return { countsBeforeLimit: true }
  if (!compiled.isAsStored) return {}
  // One thread finds a page about as fast as two, and leaves the other processors to the process that renders the previous page.
  return { blockRows: PAGE_BLOCK_ROWS, ...(compiled.isUnfiltered && { threads: 1 }) }
}

/**
 * Returns the number of blocks that a query has to read. A block is a part of the engine: each insert creates
 * one, and parts are merged over time. Blocks outside of the time range are excluded by their index; the engine's
 * estimate does not read anything else.
 */
async function blocksOf(
  { scan }: CompiledQuery,
  { store, limits }: { readonly store: StatisticsReader; readonly limits: ReadLimits },
): Promise<number> {
  return scan === undefined ? 0 : await store.blocks(scan, limits)
}
