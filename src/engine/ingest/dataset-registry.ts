import pLimit, { type LimitFunction } from 'p-limit'
import type { Schema } from '../../apl/schema.js'
import type { Layout } from '../../sql/layout.js'
import type { Leaf } from '../../wire/json/json-line.js'
import type { Batch, BatchOutcome } from '../batch.js'
import { Dataset, type DatasetHandle } from '../catalog/dataset.js'
import { deleteBefore, deletePaths, dropTable, truncateTable } from '../catalog/deletion.js'
import { createEmptyDataset } from '../catalog/table.js'
import type { Engine } from '../engine.js'
import type { AcceptedLoss, StoredDamage } from '../maintenance/damage.js'
import { checkSpaceToDelete } from '../spool.js'
import {
  deleteDescription,
  deleteLeftovers,
  type RenameContext,
  type RenameOutcome,
  renameDataset,
} from './dataset-rename.js'
import { journaledEngine } from './journal.js'
import type { NamedBatchesOptions } from './named-batches.js'
import { addFields, missingLeaves } from './schema-growth.js'
import { type Peers, Writer } from './writer.js'

/** Concurrent inserts over all datasets; each uses a processor. */
const MAX_INSERTS = 4
/** The same where an insert may wait for replicas. One dataset uses at most eight, so that other datasets are stored meanwhile. */
const MAX_REPLICATED_INSERTS = 32

export interface DatasetRegistryOptions extends Omit<NamedBatchesOptions, 'target'> {
  readonly engine: Engine
  readonly datasets: Map<string, Dataset>
  /** Undefined when the engine is not shared. */
  readonly peers: Peers | undefined
  /** Undefined behind one address of several servers. */
  readonly damage: StoredDamage | undefined
}

/** The stored datasets, each of which has a writer. `Store` describes the methods. */
export class DatasetRegistry {
  readonly schema: Schema
  private readonly options: DatasetRegistryOptions
  private readonly known: Map<string, Dataset>
  private readonly writers = new Map<string, Writer>()
  private readonly counts = new ChangeCounts()
  private readonly slots: LimitFunction
  private readonly promotionSlots = pLimit(1)
  private readonly renaming = pLimit(1)

  constructor(options: DatasetRegistryOptions) {
    const { datasets } = options
    this.options = options
    this.known = datasets
    this.slots = pLimit(options.engine.repeatsInserts ? MAX_REPLICATED_INSERTS : MAX_INSERTS)
    this.schema = {
      get datasets() {
        return [...datasets.keys()].sort()
      },
      fields: (dataset) => datasets.get(dataset)?.fields,
    }
  }

  layout(dataset: string): Layout | undefined {
    return this.known.get(dataset)?.layout
  }

  has(dataset: string): boolean {
    return this.known.has(dataset)
  }

  async ingest(batch: Batch): Promise<BatchOutcome> {
    const { dataset } = batch
    const outcome = await this.counts.during('changes', dataset, () =>
      this.writerOf(dataset).store(batch),
    )
    this.options.damage?.changed?.()
    // The events are stored: fields that can't be added now are added with the next batch.
    if (batch.definedFields) await this.define(dataset, batch.definedFields).catch(() => {})
    return outcome
  }

  async create(dataset: string): Promise<boolean> {
    return await this.writerOf(dataset).exclusively(async (engine) => {
      if (this.has(dataset)) return false
      await deleteLeftovers(engine, dataset, this.options.savedOutcomes)
      const create = () => createEmptyDataset(engine, dataset)
      this.known.set(dataset, await this.counts.during('changes', dataset, create))
      return true
    })
  }

  async remove(dataset: string): Promise<boolean> {
    const { engine, savedOutcomes, damage } = this.options
    if (!this.has(dataset)) return false
    await this.refuseFullDisk()
    await engine.requireAllServers?.()
    return await this.writerOf(dataset).exclusively(async (fenced) => {
      const removed = this.known.get(dataset)
      // Another caller may have deleted it first.
      if (removed === undefined) return false
      // After a crash, the rows still show which batches are stored. In the reverse order, outcomes of deleted rows would remain.
      await savedOutcomes.forget(dataset)
      await this.whileRemoving(dataset, async () => {
        // Before the table is dropped, which waits for the queries that read it: others would fail until they end.
        this.known.delete(dataset)
        await dropTable(fenced, dataset).catch((error: unknown) => {
          this.known.set(dataset, removed)
          throw error
        })
        damage?.deleted(dataset)
        this.writerOf(dataset).promotion.reset()
        await deletePaths(fenced, dataset)
      })
      return true
    })
  }

  async clear(dataset: string): Promise<void> {
    if (!this.has(dataset)) return
    await this.writerOf(dataset).exclusively((engine) =>
      this.whileRemoving(dataset, () => truncateTable(engine, dataset)),
    )
  }

  async rename(dataset: string, to: string): Promise<RenameOutcome> {
    // One at a time: each occupies an insert slot while it waits for another one.
    return await this.renaming(() => this.renameAlone(dataset, to))
  }

  private async renameAlone(from: string, to: string): Promise<RenameOutcome> {
    if (!this.has(from)) return 'unknown'
    await this.refuseFullDisk()
    await this.options.engine.requireAllServers?.()
    // In the same order everywhere: renames of two services between the same names would wait for each other.
    const [first, second] = from < to ? [from, to] : [to, from]
    return await this.writerOf(first).exclusively((one) =>
      this.writerOf(second).exclusively(async (other) => {
        const [source, target] = first === from ? [one, other] : [other, one]
        const dataset = this.known.get(from)
        if (dataset === undefined) return 'unknown'
        if (this.has(to)) return 'exists'
        await this.counts.during('changes', to, () =>
          this.whileRemoving(from, () => this.move(dataset, to, { source, target })),
        )
        return 'renamed'
      }),
    )
  }

  private async move(
    dataset: Dataset,
    to: string,
    engines: Pick<RenameContext, 'source' | 'target'>,
  ): Promise<void> {
    const { savedOutcomes, damage } = this.options
    const { name } = dataset
    await this.whileAddingBatches(to, () =>
      renameDataset(dataset, to, { ...engines, savedOutcomes }),
    )
    this.known.delete(name)
    this.known.set(to, new Dataset(to, dataset))
    damage?.renamed(name, to)
    this.writerOf(name).promotion.reset()
    await deleteDescription(engines.source, name, savedOutcomes)
  }

  async trim(dataset: string, before: bigint): Promise<number> {
    const { engine, savedOutcomes, spool } = this.options
    if (!this.has(dataset)) return 0
    await this.refuseFullDisk()
    // Once the rows of a batch are deleted, only its outcome shows that it was stored.
    await savedOutcomes.flush()
    return await this.whileRemoving(dataset, () =>
      deleteBefore(engine, dataset, { instant: before, spool }),
    )
  }

  async removeBatches(dataset: string, batchIds: readonly string[]): Promise<number> {
    await this.refuseFullDisk()
    return await this.whileRemoving(dataset, () => this.writerOf(dataset).removeBatches(batchIds))
  }

  async acceptLoss(dataset: string | undefined): Promise<AcceptedLoss> {
    const { damage } = this.options
    if (damage === undefined) return NOTHING_LOST
    const accept = () => this.whileAddingBatches(dataset, () => damage.accept(dataset))
    if (dataset === undefined || !this.has(dataset)) return await accept()
    return await this.writerOf(dataset).exclusively(() =>
      this.counts.during('removals', dataset, accept),
    )
  }

  removals(dataset: string): number {
    return this.counts.of(dataset).removals
  }

  changes(dataset: string): number {
    const { changes, removals } = this.counts.of(dataset)
    return changes + removals
  }

  isChanging(dataset: string): boolean {
    return this.counts.of(dataset).inFlight > 0
  }

  /** Resolves when no batch is in flight, background work has stopped, and the outcomes and the ledger of parts are written. */
  async close(): Promise<void> {
    const { savedOutcomes, damage, journal } = this.options
    const writers = [...this.writers.values()]
    await Promise.all(writers.map((writer) => writer.settled()))
    // Rows that can't be stored now are stored after the next start.
    await journal?.flush().catch(() => {})
    const stopped = Promise.all(writers.map(({ promotion }) => promotion.stop()))
    await Promise.all([
      // A failure here is harmless: the batches are stored and their callers have the outcomes.
      savedOutcomes.flush().catch(() => {}),
      stopped.then(() => damage?.close()),
    ])
  }

  private async define(name: string, leaves: readonly Leaf[]): Promise<void> {
    const dataset = this.known.get(name)
    if (dataset === undefined || missingLeaves(dataset, leaves).length === 0) return
    await this.writerOf(name).exclusively((engine) =>
      addFields({ ...this.handle(name), engine }, leaves),
    )
  }

  private writerOf(dataset: string): Writer {
    const before = this.writers.get(dataset)
    if (before !== undefined) return before
    const { options, slots, promotionSlots } = this
    const writer = new Writer({ ...options, target: this.handle(dataset), slots, promotionSlots })
    this.writers.set(dataset, writer)
    return writer
  }

  private handle(dataset: string): DatasetHandle {
    const { engine, journal } = this.options
    return {
      name: dataset,
      engine: journal ? journaledEngine(journal, [dataset]) : engine,
      current: () => this.known.get(dataset),
      changed: (value) => this.known.set(dataset, value),
    }
  }

  /** Runs work that deletes events of a dataset. */
  private whileRemoving<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return this.counts.during('removals', dataset, () => this.writerOf(dataset).whileRemoving(work))
  }

  /** Runs work that may add rows or outcomes of batches to a dataset, or to all, other than by storing batches. */
  private async whileAddingBatches<T>(
    dataset: string | undefined,
    work: () => Promise<T>,
  ): Promise<T> {
    const changed = (): void => {
      for (const [name, writer] of this.writers) {
        if (dataset === undefined || name === dataset) writer.named.arrived.forget()
      }
    }
    changed()
    // Again at the end: loading may have begun in between.
    return await work().finally(changed)
  }

  /** Rejects when the disk is full. A shared engine has its data on other disks. */
  private async refuseFullDisk(): Promise<void> {
    if (this.options.peers === undefined) checkSpaceToDelete(this.options.spool)
  }
}

const NOTHING_LOST: AcceptedLoss = { parts: [], repaired: [], folder: undefined }

/** The changes of a dataset's events: the number of their starts and ends, of deletions and of others, and of changes in flight. */
interface DatasetChanges {
  removals: number
  changes: number
  inFlight: number
}

const NO_CHANGES: Readonly<DatasetChanges> = { removals: 0, changes: 0, inFlight: 0 }

/** The changes of all datasets since the start, each counted at its start and at its end: a query may run in between. */
class ChangeCounts {
  private readonly counts = new Map<string, DatasetChanges>()

  of(dataset: string): Readonly<DatasetChanges> {
    return this.counts.get(dataset) ?? NO_CHANGES
  }

  async during<T>(
    kind: 'removals' | 'changes',
    dataset: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const own = this.counts.get(dataset) ?? { ...NO_CHANGES }
    this.counts.set(dataset, own)
    own[kind]++
    own.inFlight++
    return await work().finally(() => {
      own[kind]++
      own.inFlight--
    })
  }
}
