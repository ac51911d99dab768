import pLimit from 'p-limit'
import type { Field, Schema } from '../../apl/schema.js'
import type { Layout } from '../../sql/layout.js'
import type { Leaf } from '../../wire/json/json-line.js'
import type { Batch, BatchOutcome } from '../batch.js'
import { hexOf } from '../batch-hash.js'
import { Dataset, type DatasetHandle } from '../catalog/dataset.js'
import { deleteBefore, deletePaths, dropTable, truncateTable } from '../catalog/deletion.js'
import { createEmptyDataset } from '../catalog/table.js'
import { LOAD_SECONDS } from '../clickhouse/remote.js'
import { type CatalogWatch, RECENT_MS } from '../cluster/catalog-watch.js'
import type { Leases } from '../cluster/leases.js'
import type { Sequence } from '../cluster/sequence.js'
import type { WorkerId } from '../cluster/worker-id.js'
import { Promotion } from '../columns/promotion.js'
import type { SavedOutcomes } from '../deduplication/saved-outcomes.js'
import type { Engine } from '../engine.js'
import type { AcceptedLoss, StoredDamage } from '../maintenance/damage.js'
import { checkSpaceToDelete } from '../spool.js'
import {
  deleteDescription,
  deleteLeftovers,
  type RenameOutcome,
  renameDataset,
} from './dataset-rename.js'
import { addFields, missingLeaves } from './schema-growth.js'
import { type Coordination, Writer } from './writer.js'

/** Concurrent inserts over all datasets; each uses a processor. */
const MAX_INSERTS = 4
const RESUME_AFTER_MS = 1_000

interface DatasetRegistryOptions {
  readonly engine: Engine
  readonly datasets: Map<string, Dataset>
  readonly savedOutcomes: SavedOutcomes
  readonly spool: string
  readonly sequence: Sequence
  /** Undefined when the engine is not shared. */
  readonly peers: Peers | undefined
  /** Undefined behind one address of several servers. */
  readonly damage: StoredDamage | undefined
}

export interface Peers {
  readonly leases: Leases
  readonly workerId: WorkerId
  readonly watch: CatalogWatch
}

/** The current datasets, each with its writer. */
export class DatasetRegistry implements Schema {
  private readonly options: DatasetRegistryOptions
  private readonly known: Map<string, Dataset>
  private readonly writers = new Map<string, Writer>()
  private readonly removals = new Map<string, number>()
  private readonly changes = new Map<string, number>()
  /** The number of changes in flight by dataset. */
  private readonly changing = new Map<string, number>()
  /** The lists of defined fields that a schema has already, or has no room for. */
  private readonly defined = new WeakMap<Dataset, Set<readonly Leaf[]>>()
  private readonly slots = pLimit(MAX_INSERTS)
  private readonly promotions = new Map<string, Promotion>()
  private readonly promotionSlots = pLimit(1)
  private readonly renames = pLimit(1)
  private readonly resuming: NodeJS.Timeout

  constructor(options: DatasetRegistryOptions) {
    this.options = options
    this.known = options.datasets
    // Most processes only run a query or store a batch and have exited by then.
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

  async store(batch: Batch): Promise<BatchOutcome> {
    const { dataset } = batch
    const isNew = !this.known.has(dataset)
    const work = (): Promise<BatchOutcome> => this.writer(dataset).store(batch)
    const outcome = await this.countChange(dataset, work)
    this.options.damage?.changed?.()
    if (isNew && this.known.has(dataset)) batch.onCreated?.()
    // The events are stored: fields that can't be added now are added with the next batch.
    if (batch.definedFields) await this.define(dataset, batch.definedFields).catch(() => {})
    return outcome
  }

  private async define(name: string, leaves: readonly Leaf[]): Promise<void> {
    const dataset = this.known.get(name)
    if (dataset === undefined || this.defined.get(dataset)?.has(leaves)) return
    if (missingLeaves(dataset, leaves).length > 0) {
      await this.writer(name).exclusively((engine) =>
        addFields({ ...this.handle(name), engine }, leaves),
      )
    }
    const current = this.known.get(name)
    if (current === undefined) return
    this.defined.set(current, (this.defined.get(current) ?? new Set()).add(leaves))
  }

  private writer(dataset: string): Writer {
    return this.writers.get(dataset) ?? this.open(dataset)
  }

  /** Creates a dataset without events; resolves with false when there is one of this name. */
  async create(dataset: string): Promise<boolean> {
    return await this.writer(dataset).exclusively(async (engine) => {
      if (this.known.has(dataset)) return false
      await deleteLeftovers(engine, dataset, this.options.savedOutcomes)
      const create = () => createEmptyDataset(engine, dataset)
      this.known.set(dataset, await this.countChange(dataset, create))
      return true
    })
  }

  /** Deletes a dataset while nothing is being stored in it; resolves with false when there is no such dataset. */
  async remove(dataset: string): Promise<boolean> {
    if (!this.known.has(dataset)) return false
    await this.refuseFullDisk()
    await this.options.engine.requireAllServers?.()
    return await this.writer(dataset).exclusively(async (engine) => {
      // Another caller may have deleted it first.
      if (!this.known.has(dataset)) return false
      // After a crash, the rows still show which batches are stored. In the reverse order, outcomes of deleted rows would remain.
      await this.options.savedOutcomes.forget(dataset)
      await this.countRemoval(dataset, async () => {
        await dropTable(engine, dataset)
        this.known.delete(dataset)
        this.options.damage?.deleted(dataset)
        this.promotions.get(dataset)?.reset()
        await deletePaths(engine, dataset)
      })
      return true
    })
  }

  /** Deletes the events of a dataset while nothing is being stored in it; its fields stay known. */
  async clear(dataset: string): Promise<void> {
    if (!this.known.has(dataset)) return
    await this.writer(dataset).exclusively((engine) =>
      this.countRemoval(dataset, () => truncateTable(engine, dataset)),
    )
  }

  /** Renames a dataset while nothing is being stored under either name. */
  async rename(dataset: string, to: string): Promise<RenameOutcome> {
    // One at a time: each occupies an insert slot while it waits for another one.
    return await this.renames(() => this.renameAlone(dataset, to))
  }

  private async renameAlone(from: string, to: string): Promise<RenameOutcome> {
    if (!this.known.has(from)) return 'unknown'
    await this.refuseFullDisk()
    await this.options.engine.requireAllServers?.()
    // In the same order everywhere: renames of two services between the same names would wait for each other.
    const [first, second] = from < to ? [from, to] : [to, from]
    return await this.writer(first).exclusively((one) =>
      this.writer(second).exclusively(async (other) => {
        const [source, target] = first === from ? [one, other] : [other, one]
        const dataset = this.known.get(from)
        if (dataset === undefined) return 'unknown'
        if (this.known.has(to)) return 'exists'
        const engines = { source, target, savedOutcomes: this.options.savedOutcomes }
        const rename = () => renameDataset(dataset, to, engines)
        await this.countChange(to, () =>
          this.countRemoval(from, async () => {
            await this.addingBatches(to, rename)
            this.known.delete(from)
            this.known.set(to, new Dataset(to, dataset))
            this.options.damage?.renamed(from, to)
            this.promotions.get(from)?.reset()
            await deleteDescription(source, from, this.options.savedOutcomes)
          }),
        )
        return 'renamed'
      }),
    )
  }

  /** Deletes the events older than a time, while others may be stored; resolves with their number. */
  async trim(dataset: string, before: bigint): Promise<number> {
    if (!this.known.has(dataset)) return 0
    await this.refuseFullDisk()
    // Once the rows of a batch are deleted, only its outcome shows that it was stored.
    await this.options.savedOutcomes.flush()
    return await this.countRemoval(dataset, () =>
      deleteBefore(this.options.engine, dataset, { instant: before, spool: this.options.spool }),
    )
  }

  /**
   * Deletes the events of batches, and prevents the batches from being stored later. Resolves with the number of events that
   * they had.
   */
  async removeBatches(dataset: string, batchIds: readonly string[]): Promise<number> {
    await this.refuseFullDisk()
    return await this.countRemoval(dataset, () => this.writer(dataset).removeBatches(batchIds))
  }

  /** Accepts the loss of damaged data in a dataset, while nothing is being stored in it; without a dataset, in the metadata. */
  async acceptLoss(dataset: string | undefined): Promise<AcceptedLoss> {
    const { damage } = this.options
    if (damage === undefined) return NOTHING_LOST
    const accept = () => this.addingBatches(dataset, () => damage.accept(dataset))
    if (dataset === undefined || !this.known.has(dataset)) return await accept()
    return await this.writer(dataset).exclusively(() =>
      this.countedIn(this.removals, dataset, accept),
    )
  }

  /** Runs work that may add rows or outcomes of batches to a dataset, or to all, other than by storing batches. */
  private async addingBatches<T>(dataset: string | undefined, work: () => Promise<T>): Promise<T> {
    const changed = (): void => {
      for (const [name, writer] of this.writers) {
        if (dataset === undefined || name === dataset) writer.batchesChanged()
      }
    }
    changed()
    // Again at the end: loading may have begun in between.
    return await work().finally(changed)
  }

  /** Returns the number of starts and ends of deletions in a dataset. */
  removalsOf(dataset: string): number {
    return this.removals.get(dataset) ?? 0
  }

  /** Returns the number of starts and ends of all changes of a dataset's events. */
  changesOf(dataset: string): number {
    return (this.changes.get(dataset) ?? 0) + this.removalsOf(dataset)
  }

  /** True while a change of a dataset's events is in flight. */
  isChanging(dataset: string): boolean {
    return (this.changing.get(dataset) ?? 0) > 0
  }

  /** Resolves when no batch is in flight, background work has stopped, and the outcomes and the ledger of parts are written. */
  async close(): Promise<void> {
    const { savedOutcomes, damage } = this.options
    clearTimeout(this.resuming)
    await Promise.all([...this.writers.values()].map((writer) => writer.settled()))
    const stopped = Promise.all([...this.promotions.values()].map((promotion) => promotion.stop()))
    await Promise.all([
      // A failure here is harmless: the batches are stored and their callers have the outcomes.
      savedOutcomes.flush().catch(() => {}),
      stopped.then(() => damage?.close()),
    ])
  }

  private handle(dataset: string): DatasetHandle {
    return {
      name: dataset,
      engine: this.options.engine,
      current: () => this.known.get(dataset),
      changed: (value) => this.known.set(dataset, value),
    }
  }

  private open(dataset: string): Writer {
    const target = this.handle(dataset)
    const promotion = new Promotion({
      target,
      slots: this.promotionSlots,
      alone: (work) => writer.exclusively(work),
      settleMs: this.options.peers === undefined ? 0 : RECENT_MS + LOAD_SECONDS * 1000,
    })
    const writer = new Writer({
      ...this.options,
      target,
      coordination: this.sharing(dataset),
      slots: this.slots,
      whileRemoving: (work) => this.whileRemoving(dataset, work),
      stored: (events) => promotion.stored(events),
      lackingColumns: () => promotion.sampleSoon(),
    })
    this.writers.set(dataset, writer)
    this.promotions.set(dataset, promotion)
    return writer
  }

  /** Rejects when the disk is full. A shared engine has its data on other disks. */
  private async refuseFullDisk(): Promise<void> {
    if (this.options.peers === undefined) await checkSpaceToDelete(this.options.spool)
  }

  private whileRemoving<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return this.options.damage?.whileRemoving?.(dataset, work) ?? work()
  }

  private countRemoval<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return this.countedIn(this.removals, dataset, () => this.whileRemoving(dataset, work))
  }

  private countChange<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return this.countedIn(this.changes, dataset, work)
  }

  /** Counts work at its start and at its end: a query may run in between. */
  private async countedIn<T>(
    counts: Map<string, number>,
    dataset: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const count = (running: number): void => {
      counts.set(dataset, (counts.get(dataset) ?? 0) + 1)
      this.changing.set(dataset, (this.changing.get(dataset) ?? 0) + running)
    }
    count(1)
    return await work().finally(() => count(-1))
  }

  private sharing(dataset: string): Coordination | undefined {
    if (this.options.peers === undefined) return undefined
    const { leases, workerId, watch } = this.options.peers
    return {
      async ensureRecent() {
        await workerId.renew()
        await watch.ensureRecent(dataset)
      },
      claim: (hash) => leases.acquire(`batch ${hexOf(hash)} ${dataset}`),
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

const NOTHING_LOST: AcceptedLoss = { parts: [], repaired: [], folder: undefined }
