import pLimit from 'p-limit'
import type { Field, Schema } from '../../apl/schema.js'
import type { Layout } from '../../sql/layout.js'
import type { Batch, BatchOutcome } from '../batch.js'
import type { Dataset } from '../catalog/dataset.js'
import type { DatasetHandle } from '../catalog/dataset-handle.js'
import { LOAD_SECONDS } from '../clickhouse/remote.js'
import { type CatalogWatch, RECENT_MS } from '../cluster/catalog-watch.js'
import type { Leases } from '../cluster/leases.js'
import type { WorkerId } from '../cluster/worker-id.js'
import { Promotion } from '../columns/promotion.js'
import { lowHalf } from '../deduplication/batch-hash.js'
import type { SavedOutcomes } from '../deduplication/saved-outcomes.js'
import type { Engine } from '../engine.js'
import { deleteBefore, deletePaths, dropTable } from '../maintenance/deletion.js'
import type { Sequence } from './sequence.js'
import { checkSpaceToDelete } from './spool.js'
import { type Coordination, Writer } from './writer.js'

/** Inserts that run at once, over all datasets; each keeps a processor busy. */
const MAX_INSERTS = 4
const RESUME_AFTER_MS = 1_000

interface DatasetRegistryOptions {
  readonly engine: Engine
  readonly datasets: Map<string, Dataset>
  readonly savedOutcomes: SavedOutcomes
  readonly spool: string
  readonly sequence: Sequence
  /** What others do with the same data; undefined where nobody else uses it. */
  readonly peers: Peers | undefined
}

/** The other services on the same data. */
export interface Peers {
  readonly leases: Leases
  readonly workerId: WorkerId
  readonly watch: CatalogWatch
}

/** The datasets there are, each with what stores its events. */
export class DatasetRegistry implements Schema {
  private readonly known: Map<string, Dataset>
  private readonly writers = new Map<string, Writer>()
  private readonly removals = new Map<string, number>()
  private readonly changes = new Map<string, number>()
  private readonly engine: Engine
  private readonly sequence: Sequence
  private readonly savedOutcomes: SavedOutcomes
  private readonly spool: string
  private readonly peers: Peers | undefined
  private readonly slots = pLimit(MAX_INSERTS)
  private readonly promotions = new Map<string, Promotion>()
  private readonly promotionSlots = pLimit(1)
  private readonly resuming: NodeJS.Timeout

  constructor(options: DatasetRegistryOptions) {
    this.engine = options.engine
    this.savedOutcomes = options.savedOutcomes
    this.spool = options.spool
    this.known = options.datasets
    this.sequence = options.sequence
    this.peers = options.peers
    // Most processes are gone by then: they came to ask or to store something.
    this.resuming = setTimeout(() => this.resume(), RESUME_AFTER_MS)
    this.resuming.unref()
  }

  get datasets(): readonly string[] {
    return [...this.known.keys()].sort()
  }

  fields(dataset: string): readonly Field[] | undefined {
    return this.known.get(dataset)?.fields
  }

  layout(dataset: string): Layout | undefined {
    return this.known.get(dataset)?.layout
  }

  /** Stores the events of a batch; resolves with its reply. */
  async store(batch: Batch): Promise<BatchOutcome> {
    const { dataset } = batch
    return await countWork(this.changes, dataset, () => this.writer(dataset).store(batch))
  }

  private writer(dataset: string): Writer {
    return this.writers.get(dataset) ?? this.open(dataset)
  }

  /** Deletes a dataset, while nothing is being stored in it; false when there is none of that name. */
  async remove(dataset: string): Promise<boolean> {
    if (!this.known.has(dataset)) return false
    await this.refuseFullDisk()
    let isRemoved = false
    await this.writer(dataset).exclusively(async (engine) => {
      // Somebody else may have been first.
      if (!this.known.has(dataset)) return
      // Without the answers its rows still tell which batches are stored; the other way round none would be.
      await this.savedOutcomes.forget(dataset)
      await this.countRemoval(dataset, () => dropTable(engine, dataset))
      isRemoved = this.known.delete(dataset)
      this.promotions.get(dataset)?.reset()
      await deletePaths(engine, dataset)
    })
    return isRemoved
  }

  /** Deletes the events before an instant; those that come meanwhile are not waited for. */
  async trim(dataset: string, before: bigint): Promise<number> {
    if (!this.known.has(dataset)) return 0
    await this.refuseFullDisk()
    // Of batches whose rows are gone only these still know.
    await this.savedOutcomes.flush()
    return await this.countRemoval(dataset, () => deleteBefore(this.engine, dataset, before))
  }

  /** How often it was begun or finished to delete events of a dataset. */
  removalsOf(dataset: string): number {
    return this.removals.get(dataset) ?? 0
  }

  /** How often it was begun or finished to store or delete events of a dataset. */
  changesOf(dataset: string): number {
    return (this.changes.get(dataset) ?? 0) + this.removalsOf(dataset)
  }

  /** Resolves when nothing is being stored any more. */
  async settled(): Promise<void> {
    clearTimeout(this.resuming)
    await Promise.all([...this.writers.values()].map((writer) => writer.settled()))
    // Nobody waits for these: their batches are stored, and answered.
    await this.savedOutcomes.flush().catch(() => {})
    await Promise.all([...this.promotions.values()].map((promotion) => promotion.stop()))
  }

  private open(dataset: string): Writer {
    const target: DatasetHandle = {
      name: dataset,
      engine: this.engine,
      current: () => this.known.get(dataset),
      changed: (value) => this.known.set(dataset, value),
    }
    const promotion = new Promotion({
      target,
      slots: this.promotionSlots,
      alone: (work) => writer.exclusively(work),
      settleMs: this.peers === undefined ? 0 : RECENT_MS + LOAD_SECONDS * 1000,
    })
    const writer = new Writer({
      target,
      coordination: this.sharing(dataset),
      sequence: this.sequence,
      savedOutcomes: this.savedOutcomes,
      spool: this.spool,
      slots: this.slots,
      stored: (events) => promotion.stored(events),
    })
    this.writers.set(dataset, writer)
    this.promotions.set(dataset, promotion)
    return writer
  }

  /** The data of a shared engine are on other disks. */
  private async refuseFullDisk(): Promise<void> {
    if (this.peers === undefined) await checkSpaceToDelete(this.spool)
  }

  private countRemoval<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return countWork(this.removals, dataset, work)
  }

  private sharing(dataset: string): Coordination | undefined {
    if (this.peers === undefined) return undefined
    const { leases, workerId, watch } = this.peers
    return {
      async ensureRecent() {
        await workerId.renew()
        await watch.ensureRecent(dataset)
      },
      claim: (hash) => leases.acquire(`batch ${lowHalf(hash)} ${dataset}`),
      exclusively: (work) => watch.exclusively(dataset, work),
    }
  }

  private resume(): void {
    for (const [name, dataset] of this.known) {
      if (dataset.pendingPaths().length === 0) continue
      this.writer(name)
      this.promotions.get(name)?.resume()
    }
  }
}

/** Counts work on a dataset when it begins and when it ends: a query may come in between. */
async function countWork<T>(
  counts: Map<string, number>,
  dataset: string,
  work: () => Promise<T>,
): Promise<T> {
  const count = (): void => {
    counts.set(dataset, (counts.get(dataset) ?? 0) + 1)
  }
  count()
  return await work().finally(count)
}
