import { mkdir } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import type { Schema } from '../apl/schema.js'
import type { Layout } from '../sql/layout.js'
import type { Sql } from '../sql/sql.js'
import { errorCode } from '../text/system-error.js'
import type { EventOptions } from '../wire/event/event-options.js'
import { createCatalog, loadDatasets } from './catalog/catalog.js'
import type { Dataset } from './catalog/dataset.js'
import { createDocuments, type Documents, documents } from './catalog/documents.js'
import { openEmbedded } from './clickhouse/embedded.js'
import { CatalogWatch } from './cluster/catalog-watch.js'
import { createLeases, Leases } from './cluster/leases.js'
import { Lane } from './cluster/worker-id.js'
import type { BatchOutcome, RejectedEvents } from './deduplication/batch-outcome.js'
import { BatchAnswers, createBatchAnswers } from './deduplication/batch-responses.js'
import type { Engine, EngineResult, ReadLimits } from './engine.js'
import { type Others, Shelf } from './ingest/dataset-registry.js'
import type { Lines } from './ingest/line-reader.js'
import { Sequence } from './ingest/sequence.js'
import { refusePattern } from './ingest/spool-path.js'
import { type Damage, damageIn } from './maintenance/corruption.js'
import { type Holding, holdings } from './maintenance/dataset-stats.js'

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
  readonly damage: readonly Damage[]
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
  holdings(dataset?: string): Promise<readonly Holding[]>
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

/** Events to store: one JSON object a line, in a file of the spool or, when they are few, in memory. */
export interface Batch extends EventOptions {
  readonly dataset: string
  readonly lines: Lines
  /** Nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** The sender's name for the batch: under one name it is stored once, however often it comes. */
  readonly batchId?: string
  /** Bytes of the request that the lines were decoded from; those of the lines unless given. */
  readonly bytes?: number
  /**
   * Returns the rejected events of the request, given the rejected lines: also those that could not be decoded and have no
   * line. Without it each line is an event of the request. There may be a million, of which only the first `limit` are listed.
   */
  rejectedEvents?(rejected: readonly Rejected[], limit: number): RejectedEvents
  /** Called once when this call has stored the batch or rejected all of it. */
  onStored?(outcome: BatchOutcome): void
}

/** The result of storing the lines of a batch. */
export interface Stored {
  readonly ingested: number
  readonly rejected: readonly Rejected[]
  readonly blocksCreated: number
}

/** A line that was not stored. */
export interface Rejected {
  /** Its position among the lines that are not blank, from 0. */
  readonly index: number
  /** Its physical line, from 1. */
  readonly line: number
  readonly reason: string
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
  refusePattern(spool)
  await mkdir(spool, { recursive: true, mode: 0o700 })
  const engine = options.engine ?? (await openOwn(join(directory, 'engine'), options.warn))
  try {
    await createCatalog(engine)
    await createBatchAnswers(engine)
    await createDocuments(engine)
    const answers = new BatchAnswers(engine)
    const datasets = await loadDatasets(engine)
    const others = engine.isShared ? await meetOthers(datasets, { ...options, engine }) : undefined
    const sequence = new Sequence(now, others?.lane)
    const shelf = new Shelf({ engine, spool, answers, datasets, sequence, others })
    return {
      schema: shelf,
      spool,
      starredQueries: documents(engine, 'starred-query'),
      tokens: documents(engine, 'token'),
      damage: options.engine ? [] : await damageIn(join(directory, 'engine'), engine),
      layout: (dataset) => shelf.layout(dataset),
      ingest: (batch) => shelf.store(batch),
      read: (query, limits) => engine.read(query, limits),
      blocks: (query, limits) => engine.estimate(query, limits),
      holdings: (dataset) =>
        holdings(
          engine,
          shelf.datasets.filter((name) => dataset === undefined || name === dataset),
        ),
      remove: (dataset) => shelf.remove(dataset),
      trim: (dataset, before) => shelf.trim(dataset, before),
      removals: (dataset) => (options.engine ? undefined : shelf.removalsOf(dataset)),
      changes: (dataset) => (options.engine ? undefined : shelf.changesOf(dataset)),
      async refresh() {
        await others?.watch.refresh()
      },
      async close() {
        await shelf.settled()
        await others?.leases.close()
        return await engine.close()
      },
    }
  } catch (error) {
    await engine.close()
    throw error
  }
}

/** The folder keeps others from the events where somebody made the data directory for all to enter. */
async function openOwn(directory: string, warn: StoreOptions['warn']): Promise<Engine> {
  await mkdir(directory, { mode: 0o700 }).catch((error: unknown) => {
    // What is there already, the engine can open or it can't.
    if (errorCode(error) !== 'EEXIST') throw error
  })
  return await openEmbedded({ directory, ...(warn && { warn }) })
}

async function meetOthers(
  known: Map<string, Dataset>,
  { engine, ...options }: StoreOptions & { readonly engine: Engine },
): Promise<Others> {
  await createLeases(engine)
  const leases = new Leases(engine, options)
  await leases.inherit()
  const lane = await Lane.take(leases)
  return { leases, lane, watch: new CatalogWatch({ engine, leases, known }) }
}
