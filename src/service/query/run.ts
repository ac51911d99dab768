import type { Part } from '../../engine/dataset-parts.js'
import { hasCode, type ReadLimits } from '../../engine/engine.js'
import { numberIn } from '../../engine/response.js'
import type { CompiledQuery } from '../../sql/compiled-query.js'
import { identifier, joined, list, sql } from '../../sql/sql.js'
import { timeFilters } from '../../sql/stage/source.js'
import type { Service } from '../route.js'
import { areWithin, eventsIn, eventsWithin, extentOf, partsWithin } from './dataset-parts.js'
import type { PageRows } from './native-rows.js'
import type { AboutEvents, PreparedQuery } from './prepare.js'
import type { QueryResult } from './result-cache.js'
import { scannedRows } from './scan-page.js'
import type { StatisticsReader } from './statistics-cache.js'

interface RunOptions
  extends Pick<PreparedQuery, 'datasets' | 'range' | 'mayBeCached' | 'adapted' | 'scan'> {
  readonly service: Service
  readonly signal: AbortSignal
  /** The end of the time for the query, by `performance.now()`; by default the whole time begins now. */
  readonly deadline?: number
}

export interface RunResult extends QueryResult {
  readonly isCached: boolean
  /** The end of the time for the query, by `performance.now()`, which also applies to its further statements. */
  readonly deadline: number
}

export async function run(compiled: CompiledQuery, options: RunOptions): Promise<RunResult> {
  const { service } = options
  const { cache } = service
  const statistics = service.statistics.of(service.store, options.datasets)
  const release = await service.queryPermit(options.signal)
  const failed = new AbortController()
  // When one statement fails, the other statements are aborted.
  const signal = AbortSignal.any([options.signal, failed.signal])
  const deadline = options.deadline ?? performance.now() + service.limits.queryTimeoutMs
  const query: EngineQuery = {
    ...options,
    statistics,
    limits: () => ({
      timeoutMs: Math.max(1, Math.ceil(deadline - performance.now())),
      memoryBytes: service.limits.queryMemoryBytes,
      datasets: options.datasets,
      signal,
    }),
  }
  try {
    const isIdentified = options.mayBeCached || options.scan !== undefined
    const state = isIdentified ? await rangeValidator(compiled, query) : undefined
    // The pages of a scan are not cached.
    const cached = options.scan === undefined ? state : undefined
    const known = cached === undefined ? undefined : cache.find(compiled, cached)
    if (known !== undefined) return { ...known, isCached: true, deadline }
    const found = await foundEvents(compiled, { ...query, state })
    if (cached !== undefined && !found.result.isPartial) cache.keep(compiled, cached, found)
    service.metrics.looked(found.rowsExamined)
    return { ...found, isCached: false, deadline }
  } catch (error) {
    failed.abort()
    throw error
  } finally {
    release()
  }
}

interface EngineQuery extends RunOptions {
  readonly statistics: StatisticsReader
  /** Returns the limits of a statement that begins now: all statements share the time of the query. */
  readonly limits: () => ReadLimits
  /** Identifies the events of the range; undefined when it is not known. */
  readonly state?: string | undefined
}

/** The number of events from which it takes less time to find out first in which columns the terms of a search may be. */
const MANY_EVENTS = 1_000_000

/** Queries the engine. A search is divided when the indexes do not exclude enough events. */
async function foundEvents(compiled: CompiledQuery, options: EngineQuery): Promise<QueryResult> {
  const { adapted } = options
  if (!compiled.hasSearch || adapted === undefined) return await adaptedQuery(compiled, options)
  const limits = (): ReadLimits => ({ ...options.limits(), mostRows: MANY_EVENTS })
  return await adaptedQuery(compiled, { ...options, limits }).catch((error: unknown) => {
    if (!hasCode(error, 'TOO_MANY_ROWS')) throw error
    const events = { dividesSearches: true }
    return adaptedQuery(adapted(events), options, events)
  })
}

/** Queries the engine. Omits the time conditions when all events of the datasets are known to be within the range. */
async function adaptedQuery(
  compiled: CompiledQuery,
  options: EngineQuery,
  events: AboutEvents = {},
): Promise<QueryResult> {
  const { statistics, range, adapted } = options
  const known = adapted && statistics.known()
  const isWithinRange = known !== undefined && areWithin(known.parts, range)
  if (!isWithinRange) return await queryEngine(compiled, options)
  const found = await queryEngine(adapted!({ ...events, isWithinRange }), options)
  // Events that were stored in the meantime may be outside of the range.
  const isSame = statistics.known()?.state === known.state
  return isSame ? found : await queryEngine(compiled, options)
}

/** Queries the engine. Statistics come from metadata or from the rows where possible, and from separate statements otherwise. */
async function queryEngine(compiled: CompiledQuery, options: EngineQuery): Promise<QueryResult> {
  const { datasets, range, statistics, limits } = options
  // The number of events of a scan without filters follows from metadata.
  const isKnown = options.scan !== undefined && compiled.isUnfiltered
  const counting = compiled.matchedCount === undefined && !isKnown ? compiled.matched : undefined
  const [result, parts, counted] = await Promise.all([
    rowsOf(compiled, options),
    statistics.parts(datasets, limits()),
    counting && statistics.read(counting, limits()),
  ])
  const rowsMatched =
    counted === undefined
      ? await matchedRows(compiled, { ...options, result, parts })
      : numberIn(counted, 'matched')
  // The engine reads some events twice to sort them, and no events to count a whole dataset.
  const rowsExamined = Math.min(Math.max(result.rowsExamined, rowsMatched), eventsIn(parts))
  return {
    result,
    extent: extentOf(parts, range),
    blocks: partsWithin(parts, range).length,
    rowsExamined,
    rowsMatched,
  }
}

/** Returns the number of matching events that the result or metadata implies, or else counts them. */
async function matchedRows(
  { matched, matchedCount: known, isUnfiltered }: CompiledQuery,
  options: EngineQuery & { readonly result: PageRows; readonly parts: readonly Part[] },
): Promise<number> {
  const { result, parts, range, statistics, limits } = options
  if (matched === undefined || (known?.kind === 'rows' && result.rows < known.below)) {
    return result.rows
  }
  if (known?.kind === 'column') return numberIn(result, known.name)
  const found =
    known?.kind === 'aggregation'
      ? result.rowsAggregated
      : isUnfiltered
        ? eventsWithin(parts, range)
        : undefined
  return found ?? numberIn(await statistics.read(matched, limits()), 'matched')
}

/** Reads the rows of a page, from a scan if the page is part of a scan. */
async function rowsOf(
  compiled: CompiledQuery,
  { scan, state, limits, service }: EngineQuery,
): Promise<PageRows> {
  const isPart = scan !== undefined && state !== undefined
  const scanned = isPart
    ? await scannedRows({ ...scan, state }, { service, limits: limits() })
    : undefined
  return (
    scanned ??
    (await service.store.read(compiled.statement, { ...limits(), ...readHints(compiled) }))
  )
}

// For rows in storage order, the engine reads a block of each part ahead, beyond the end of the page. With the default block size,
// this is most of the work.
const PAGE_BLOCK_ROWS = 8_192

function readHints(compiled: CompiledQuery): Partial<ReadLimits> {
  const { isGrouped, isAsStored, isUnfiltered, matchedCount } = compiled
  return {
    countsAggregated: matchedCount?.kind === 'aggregation',
    countsBeforeLimit: isGrouped,
    blockRows: isAsStored ? PAGE_BLOCK_ROWS : undefined,
    // One thread reads a page about as fast as two, and leaves the other processors to the client, which renders the previous page.
    threads: isAsStored && isUnfiltered ? 1 : undefined,
    readsInTurn: isUnfiltered,
  }
}

/**
 * Returns a cache validator for a closed time range: equal validators mean equal events, because without deletions the number of
 * events only grows. It must be read before the query runs, so that it is never newer than the result. Returns undefined when
 * results are not cacheable.
 */
async function rangeValidator(
  compiled: CompiledQuery,
  { statistics, datasets, range, limits, service }: EngineQuery,
): Promise<string | undefined> {
  const isClosed = range.end !== undefined && range.end <= service.now()
  if (!isClosed || datasets.length === 0 || isRandom(compiled)) return undefined
  const removals = datasets.map((dataset) => service.store.removals(dataset))
  if (removals.includes(undefined)) return undefined
  const tables = datasets.map((dataset) => service.store.layout(dataset)?.table ?? dataset)
  const condition = joined(timeFilters(range), ' and ')
  const counts = tables.map(
    (table, i) =>
      sql`(select count() from ${identifier(table)} where ${condition}) as ${identifier(`events${i}`)}`,
  )
  const result = await statistics.read(sql`select ${list(counts)}`, limits())
  const events = counts.map((_, i) => numberIn(result, `events${i}`))
  return JSON.stringify([range.start?.toString(), range.end.toString(), events, removals])
}

function isRandom({ statement }: CompiledQuery): boolean {
  return /\brand(64|Canonical)\(/.test(statement.text)
}
