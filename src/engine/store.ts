import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Schema } from '../apl/schema.js'
import type { Layout } from '../sql/layout.js'
import type { Sql } from '../sql/sql.js'
import { errorCode } from '../text/system-error.js'
import type { Batch, BatchOutcome } from './batch.js'
import { createCatalog, loadDatasets } from './catalog/catalog.js'
import type { Dataset } from './catalog/dataset.js'
import { createDocuments, type Documents, documents } from './catalog/documents.js'
import { openEmbedded } from './clickhouse/embedded.js'
import { CatalogWatch } from './cluster/catalog-watch.js'
import { createLeases, Leases } from './cluster/leases.js'
import { WorkerId } from './cluster/worker-id.js'
import { createSavedOutcomes, SavedOutcomes } from './deduplication/saved-outcomes.js'
import type { Engine, EngineResult, ReadLimits } from './engine.js'
import { DatasetRegistry, type Peers } from './ingest/dataset-registry.js'
import { Sequence } from './ingest/sequence.js'
import { rejectGlobPath } from './ingest/spool.js'
import { type Corruption, findCorruption } from './maintenance/corruption.js'
import { type DatasetStatistics, datasetStatistics } from './maintenance/dataset-stats.js'

/** The datasets of one data directory: their fields, storing events, reading them. */
export interface Store {
  /** The datasets and fields there are now. */
  readonly schema: Schema
  /** A folder for request bodies, on the same file system as the data. */
  readonly spool: string
  /** Saved queries, which are few. */
  readonly starredQueries: Documents
  /** Tokens that all services on one engine share. */
  readonly tokens: Documents
  /** What can't be read any more. */
  readonly corruption: readonly Corruption[]
  layout(dataset: string): Layout | undefined
  /**
   * Stores the events of JSON lines; resolves when they are durable and visible. A batch whose id is known already is not
   * stored again: resolves with its first outcome. Rejects with a `StoreError` when nothing was stored.
   */
  ingest(batch: Batch): Promise<BatchOutcome>
  read(query: Sql, limits: ReadLimits): Promise<EngineResult>
  /** How many blocks a query would have to look into: a block is what the engine keeps as one piece, a part. */
  blocks(query: Sql, limits: ReadLimits): Promise<number>
  /** What all datasets hold, or one of them, by name; nothing of one that there is not. */
  statistics(dataset?: string): Promise<readonly DatasetStatistics[]>
  /** Deletes a dataset and all that is known of it; false when there is none of that name. */
  remove(dataset: string): Promise<boolean>
  /** Deletes the events of a dataset before an instant, nanoseconds since 1970; resolves with their number. */
  trim(dataset: string, before: bigint): Promise<number>
  /** How often events of a dataset were deleted so far; undefined where other services may delete some, too. */
  removals(dataset: string): number | undefined
  /** How often it was begun or finished to store or delete events; undefined where other services may, too. */
  changes(dataset: string): number | undefined
  /** Resolves when all is known that other services on the same data have done so far. */
  refresh(): Promise<void>
  /** Finishes what is being stored and lets go of the directory; false when only the end of the process does. */
  close(): Promise<boolean>
}

interface StoreOptions {
  readonly directory: string
  /** Nanoseconds since 1970. */
  now(): bigint
  /** The engine that holds the data; the embedded one unless given. */
  readonly engine?: Engine
  /** Who this is among all services on the same data: the same after a crash. */
  readonly name?: string
  /** Milliseconds, counted also while the machine is suspended; unless given, the system's. */
  clock?(): number
  /** Receives messages for the operator of the service. */
  warn?(message: string): void
}

/** Opens the datasets of a directory; the caller makes sure that no other process has it open. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, now } = options
  const spool = resolve(directory, 'spool')
  rejectGlobPath(spool)
  await mkdir(spool, { recursive: true, mode: 0o700 })
  const engine = options.engine ?? (await openOwnEngine(join(directory, 'engine'), options.warn))
  try {
    await createCatalog(engine)
    await createSavedOutcomes(engine)
    await createDocuments(engine)
    const savedOutcomes = new SavedOutcomes(engine)
    const datasets = await loadDatasets(engine)
    const peers = engine.isShared ? await joinPeers(datasets, { ...options, engine }) : undefined
    const sequence = new Sequence(now, peers?.workerId)
    const registry = new DatasetRegistry({
      engine,
      spool,
      savedOutcomes,
      datasets,
      sequence,
      peers,
    })
    return {
      schema: registry,
      spool,
      starredQueries: documents(engine, 'starred-query'),
      tokens: documents(engine, 'token'),
      corruption: options.engine ? [] : await findCorruption(join(directory, 'engine'), engine),
      layout: (dataset) => registry.layout(dataset),
      ingest: (batch) => registry.store(batch),
      read: (query, limits) => engine.read(query, limits),
      blocks: (query, limits) => engine.estimate(query, limits),
      statistics: (dataset) =>
        datasetStatistics(
          engine,
          registry.datasets.filter((name) => dataset === undefined || name === dataset),
        ),
      remove: (dataset) => registry.remove(dataset),
      trim: (dataset, before) => registry.trim(dataset, before),
      removals: (dataset) => (options.engine ? undefined : registry.removalsOf(dataset)),
      changes: (dataset) => (options.engine ? undefined : registry.changesOf(dataset)),
      async refresh() {
        await peers?.watch.refresh()
      },
      async close() {
        await registry.settled()
        await peers?.leases.close()
        return await engine.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The folder keeps others from the events where somebody made the data directory for all to enter. */
async function openOwnEngine(directory: string, warn: StoreOptions['warn']): Promise<Engine> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    // What is there already, the engine can open or it can't.
    if (errorCode(error) !== 'EEXIST') throw error
  })
  return await openEmbedded({ directory, ...(warn && { warn }) })
}

async function joinPeers(
  known: Map<string, Dataset>,
  { engine, ...options }: StoreOptions & { readonly engine: Engine },
): Promise<Peers> {
  await createLeases(engine)
  const leases = new Leases(engine, options)
  await leases.releaseInherited()
  const workerId = await WorkerId.acquire(leases)
  return { leases, workerId, watch: new CatalogWatch({ engine, leases, known }) }
}
