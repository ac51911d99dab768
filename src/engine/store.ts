import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Schema } from '../apl/schema.js'
import type { Layout } from '../sql/layout.js'
import { errorCode } from '../text/system-error.js'
import type { Batch, BatchOutcome } from './batch.js'
import { createCatalog, loadDatasets } from './catalog/catalog.js'
import type { Dataset } from './catalog/dataset.js'
import { createDocuments, type Documents, documents } from './catalog/documents.js'
import { layoutOf, serviceTables, upgradeLayout } from './catalog/layout-version.js'
import { resumeMerges } from './catalog/paused-merges.js'
import { LAYOUT } from './catalog/table-comments.js'
import { type EmbeddedOptions, openEmbedded } from './clickhouse/embedded.js'
import { CatalogWatch } from './cluster/catalog-watch.js'
import { createLeases, Leases, type LeasesOptions } from './cluster/leases.js'
import { Sequence } from './cluster/sequence.js'
import { acquireWorkerId } from './cluster/worker-id.js'
import { type Part, tableParts } from './dataset-parts.js'
import { createSavedOutcomes, SavedOutcomes } from './deduplication/saved-outcomes.js'
import { type Engine, isDamage, type ReadLimits } from './engine.js'
import { DatasetRegistry, type DatasetRegistryOptions } from './ingest/dataset-registry.js'
import type { RenameOutcome } from './ingest/dataset-rename.js'
import { Journal, journaledEngine } from './ingest/journal.js'
import type { Peers } from './ingest/writer.js'
import { keptFolders } from './kept-folders.js'
import { checkedEngine } from './maintenance/checked-engine.js'
import type { AcceptedLoss, Damage, StoredDamage } from './maintenance/damage.js'
import { DamageWatch } from './maintenance/damage-watch.js'
import {
  type DatasetStatistics,
  datasetStatistics,
  firstArrivals,
} from './maintenance/dataset-stats.js'
import { repairDefinitions } from './maintenance/definitions.js'
import { lateMerges } from './maintenance/late-merges.js'
import { ServerDamage } from './maintenance/server-damage.js'
import { rejectGlobPath } from './spool.js'

/** The datasets of one data directory: their fields, storing events, reading them. */
export interface Store extends Pick<Engine, 'read' | 'scan' | 'replication'> {
  readonly schema: Schema
  /** A folder for request bodies, on the same file system as the data. */
  readonly spool: string
  readonly starredQueries: Documents
  /** The maximum age of the events of datasets, by name. */
  readonly retention: Documents
  /** Data about datasets other than their events, by name. */
  readonly datasetRecords: Documents
  /** Tokens shared by all services on the same engine. */
  readonly tokens: Documents
  /** The stored data that can't be read. Always empty with replicas, which restore it from each other. */
  readonly damage: readonly Damage[]
  layout(dataset: string): Layout | undefined
  /** True when the dataset exists, also for callers that may only ingest into it. */
  has(dataset: string): boolean
  /**
   * Stores the events of JSON lines; resolves when they are durable and visible. A batch whose id is known already is not
   * stored again: resolves with its first outcome. Rejects with a `StoreError` when nothing was stored.
   */
  ingest(batch: Batch): Promise<BatchOutcome>
  parts(datasets: readonly string[], limits: ReadLimits): Promise<readonly Part[]>
  /** Returns the statistics of all datasets by name, or of one; empty when there is no such dataset. */
  statistics(dataset?: string): Promise<readonly DatasetStatistics[]>
  /** Returns the times at which the first events of datasets arrived, in nanoseconds since 1970, except for empty datasets. */
  firstArrivals(datasets: readonly string[]): Promise<ReadonlyMap<string, bigint>>
  /** Creates a dataset without events; resolves with false when there is one of this name. */
  create(dataset: string): Promise<boolean>
  /** Deletes a dataset and all data about it; resolves with false when there is no such dataset. */
  remove(dataset: string): Promise<boolean>
  /** Deletes the events of a dataset and keeps its fields. */
  clear(dataset: string): Promise<void>
  /** Renames a dataset. Batches that were stored in it count as stored under the new name. */
  rename(dataset: string, to: string): Promise<RenameOutcome>
  /** Deletes the events older than a time, in nanoseconds since 1970; resolves with their number. */
  trim(dataset: string, before: bigint): Promise<number>
  /**
   * Deletes the events of batches, and prevents the batches from being stored later. Resolves with the number of events that
   * they had, including events that an earlier call has deleted.
   */
  removeBatches(dataset: string, batchIds: readonly string[]): Promise<number>
  /** Accepts the loss of damaged data in a dataset, or in the metadata: results count as complete without it. */
  acceptLoss(dataset: string | undefined): Promise<AcceptedLoss>
  /** Returns a counter of deletions in a dataset, which changes at the start and the end of each; undefined on a shared engine. */
  removals(dataset: string): number | undefined
  /** Returns a counter of all changes of a dataset's events, like `removals`. */
  changes(dataset: string): number | undefined
  /** True while a change of a dataset's events is in flight; it may be visible already. */
  isChanging(dataset: string): boolean
  /** Returns true when the folders of the store were deleted while it is open: nothing can be read or stored. */
  isGone(): boolean
  /** Resolves when the schema includes all changes that other services on the same data have made. */
  refresh(): Promise<void>
  /** Finishes the batches in flight and releases the directory; false when it is released only when the process exits. */
  close(): Promise<boolean>
}

interface StoreOptions extends LeasesOptions {
  readonly directory: string
  /** Nanoseconds since 1970. */
  now(): bigint
  /** By default the embedded engine. */
  readonly engine?: Engine
  /** The embedded engine, if it is open already. */
  readonly ownEngine?: Engine
}

/** Opens the datasets of a directory; the caller ensures that no other process has it open. */
export async function openStore(options: StoreOptions): Promise<Store> {
  const { directory, now } = options
  const spool = resolve(directory, 'spool')
  let opened = options.engine ?? options.ownEngine
  let damage: StoredDamage | undefined
  try {
    rejectGlobPath(spool)
    await mkdir(spool, { recursive: true, mode: 0o700 })
    opened ??= await openOwnEngine(directory, options.warn && { warn: options.warn })
    const data = { directory, engine: opened, warn: options.warn }
    const [merging = opened, watch] = options.engine
      ? []
      : await Promise.all([lateMerges(opened), DamageWatch.open(data)])
    const engine = watch ? checkedEngine({ ...data, engine: merging }, watch) : opened
    const own = watch ? withReadableMetadata(engine, watch) : engine
    damage = watch
    const version = await openTables(engine)
    if (options.engine !== undefined && (engine.detachedParts ?? engine.lostParts) !== undefined) {
      damage = await ServerDamage.open(engine, documents(engine, 'accepted-loss'))
    }
    const [datasets] = await Promise.all([loadDatasets(own), resumeMerges(own)])
    const savedOutcomes = new SavedOutcomes(own)
    const isJournaled = options.engine === undefined && !engine.isTemporary
    const journalFolder = resolve(directory, 'journal')
    const journal = isJournaled
      ? await Journal.open({
          folder: journalFolder,
          spool,
          engine,
          datasets,
          stored: () => damage?.changed?.(),
          warn: (message) => options.warn?.(message),
        })
      : undefined
    const events = journal ? journaledEngine(journal) : engine
    await upgradeLayout(events, datasets, { version })
    const peers = engine.isShared ? await joinPeers(datasets, { ...options, engine }) : undefined
    const sequence = new Sequence(now, peers?.workerId)
    const others = { spool, savedOutcomes, datasets, sequence, journal, peers, damage }
    const folders = [spool]
    if (options.engine === undefined) folders.push(join(directory, 'engine'))
    if (isJournaled) folders.push(journalFolder)
    const isGone = keptFolders(folders, options.warn)
    return storeOf({ engine: events, ...others }, { engine: own, isGone })
  } catch (error) {
    // Its timer would use the closed engine.
    await damage?.close().catch(() => {})
    await opened?.close().catch(() => {})
    throw error
  }
}

/** `engine` is for data other than events: the engine in `parts` stores the rows of the journal in front of each statement. */
function storeOf(
  parts: DatasetRegistryOptions,
  { engine: own, isGone }: Pick<Store, 'isGone'> & { readonly engine: Engine },
): Store {
  const { engine, spool, peers, damage } = parts
  const registry = new DatasetRegistry(parts)
  const { schema } = registry
  const reads = watchedReads(engine, damage)
  return {
    ...reads,
    schema,
    spool,
    starredQueries: documents(own, 'starred-query'),
    retention: documents(own, 'retention'),
    datasetRecords: documents(own, 'dataset'),
    tokens: documents(own, 'token'),
    get damage() {
      return damage?.list ?? []
    },
    layout: (dataset) => registry.layout(dataset),
    has: (dataset) => registry.has(dataset),
    ingest: (batch) => registry.ingest(batch),
    parts: (names, limits) => {
      const tables = names.flatMap((name) => registry.layout(name)?.table ?? [])
      return tableParts(reads, tables, limits)
    },
    statistics: (dataset) =>
      datasetStatistics(
        engine,
        schema.datasets.filter((name) => dataset === undefined || name === dataset),
      ),
    firstArrivals: (datasets) => firstArrivals(engine, datasets),
    create: (dataset) => registry.create(dataset),
    remove: (dataset) => registry.remove(dataset),
    clear: (dataset) => registry.clear(dataset),
    rename: (dataset, to) => registry.rename(dataset, to),
    trim: (dataset, before) => registry.trim(dataset, before),
    removeBatches: (dataset, batchIds) => registry.removeBatches(dataset, batchIds),
    acceptLoss: (dataset) => registry.acceptLoss(dataset),
    removals: (dataset) => (engine.isShared ? undefined : registry.removals(dataset)),
    changes: (dataset) => (engine.isShared ? undefined : registry.changes(dataset)),
    isChanging: (dataset) => registry.isChanging(dataset),
    isGone,
    replication: engine.replication && (() => engine.replication!()),
    async refresh() {
      await peers?.watch.refresh()
    },
    async close() {
      await registry.close()
      await peers?.leases.close()
      return await engine.close()
    },
  }
}

/** Returns the engine for metadata: if a part of it can't be read, queries use the others. */
function withReadableMetadata(engine: Engine, damage: DamageWatch): Engine {
  return {
    ...engine,
    ask: (query, about) =>
      engine.ask(query, about).catch(async (error: unknown) => {
        if (!isDamage(error) || !(await damage.detachUnreadable())) throw error
        return await engine.ask(query, about)
      }),
  }
}

const SERVICE_TABLES = ['path', 'batch', 'document']

/** Creates the tables of the service unless they exist. Returns the version of the layout. */
async function openTables(engine: Engine): Promise<number> {
  // On a shared engine, a replica may lack a table that another one has.
  const own = engine.isShared ? undefined : await serviceTables(engine)
  if (own !== undefined && SERVICE_TABLES.every((name) => own.has(name))) return layoutOf(own)
  await createCatalog(engine)
  const version = own?.size === 0 ? LAYOUT : layoutOf(await serviceTables(engine))
  await createSavedOutcomes(engine)
  await createDocuments(engine)
  return version
}

/** Returns the methods of an engine that run users' queries; errors that damaged files cause are reported to the watch. */
function watchedReads(
  engine: Engine,
  damage: StoredDamage | undefined,
): Pick<Engine, 'read' | 'scan'> {
  const failed = (error: unknown, { datasets = [] }: ReadLimits): never => {
    if (isDamage(error)) for (const dataset of datasets) damage?.suspect(dataset)
    throw error
  }
  async function* watched(
    blocks: AsyncGenerator<Buffer, void>,
    limits: ReadLimits,
  ): AsyncGenerator<Buffer, void> {
    try {
      yield* blocks
    } catch (error) {
      failed(error, limits)
    }
  }
  return {
    read: (query, limits) => engine.read(query, limits).catch((error) => failed(error, limits)),
    scan: engine.scan && ((query, limits) => watched(engine.scan!(query, limits), limits)),
  }
}

/**
 * Opens the embedded engine of a data directory, in a folder that protects the events when the directory is accessible to all
 * users.
 */
export async function openOwnEngine(
  data: string,
  options: Pick<EmbeddedOptions, 'warn' | 'isTemporary'> = {},
): Promise<Engine> {
  const directory = join(data, 'engine')
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    // The engine reports an existing folder that it can't open.
    if (errorCode(error) !== 'EEXIST') throw error
  })
  try {
    return await openEmbedded({ directory, ...options })
  } catch (error) {
    const repairs = await repairDefinitions(data).catch(() => [])
    if (repairs.length === 0) throw error
    for (const message of repairs) options.warn?.(message)
    return await openEmbedded({ directory, ...options })
  }
}

async function joinPeers(
  known: Map<string, Dataset>,
  { engine, ...options }: StoreOptions & { readonly engine: Engine },
): Promise<Peers> {
  await createLeases(engine)
  const leases = new Leases(engine, options)
  await leases.releaseInherited()
  const workerId = await acquireWorkerId(leases)
  return { leases, workerId, watch: new CatalogWatch({ engine, leases, known }) }
}
