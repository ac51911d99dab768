import pLimit from 'p-limit'
import type { Schema } from '../../apl/schema.js'
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
  type RenameOutcome,
  renameDataset,
} from './dataset-rename.js'
import type { NamedBatchesOptions } from './named-batches.js'
import { addFields, missingLeaves } from './schema-growth.js'
import { type Peers, Writer } from './writer.js'

/** Concurrent inserts over all datasets; each uses a processor. */
const MAX_INSERTS = 4

interface DatasetRegistryOptions extends Omit<NamedBatchesOptions, 'target'> {
  readonly engine: Engine
  readonly datasets: Map<string, Dataset>
  /** Undefined when the engine is not shared. */
  readonly peers: Peers | undefined
  /** Undefined behind one address of several servers. */
  readonly damage: StoredDamage | undefined
}

/** The changes of a dataset's events: the number of their starts and ends, of deletions and of others, and of changes in flight. */
interface ChangeCounts {
  removals: number
  changes: number
  inFlight: number
}

const NO_CHANGES: Readonly<ChangeCounts> = { removals: 0, changes: 0, inFlight: 0 }

/** Returns the methods of a store that depend on the current datasets, each of which has a writer. */
export function datasetRegistry(options: DatasetRegistryOptions) {
  const { engine, savedOutcomes, spool, peers, damage, datasets: known } = options
  const writers = new Map<string, Writer>()
  const counts = new Map<string, ChangeCounts>()
  /** The lists of defined fields that a schema has already, or has no room for. */
  const defined = new WeakMap<Dataset, Set<readonly Leaf[]>>()
  const slots = pLimit(MAX_INSERTS)
  const promotionSlots = pLimit(1)
  const renaming = pLimit(1)

  async function ingest(batch: Batch): Promise<BatchOutcome> {
    const { dataset } = batch
    const isNew = !known.has(dataset)
    const work = (): Promise<BatchOutcome> => writerOf(dataset).store(batch)
    const outcome = await counted('changes', dataset, work)
    damage?.changed?.()
    if (isNew && known.has(dataset)) batch.onCreated?.()
    // The events are stored: fields that can't be added now are added with the next batch.
    if (batch.definedFields) await define(dataset, batch.definedFields).catch(() => {})
    return outcome
  }

  async function define(name: string, leaves: readonly Leaf[]): Promise<void> {
    const dataset = known.get(name)
    if (dataset === undefined || defined.get(dataset)?.has(leaves)) return
    if (missingLeaves(dataset, leaves).length > 0) {
      await writerOf(name).exclusively((engine) => addFields({ ...handle(name), engine }, leaves))
    }
    const current = known.get(name)
    if (current === undefined) return
    defined.set(current, (defined.get(current) ?? new Set()).add(leaves))
  }

  function writerOf(dataset: string): Writer {
    const before = writers.get(dataset)
    if (before !== undefined) return before
    const writer = new Writer({ ...options, target: handle(dataset), slots, promotionSlots })
    writers.set(dataset, writer)
    return writer
  }

  async function create(dataset: string): Promise<boolean> {
    return await writerOf(dataset).exclusively(async (engine) => {
      if (known.has(dataset)) return false
      await deleteLeftovers(engine, dataset, savedOutcomes)
      const create = () => createEmptyDataset(engine, dataset)
      known.set(dataset, await counted('changes', dataset, create))
      return true
    })
  }

  async function remove(dataset: string): Promise<boolean> {
    if (!known.has(dataset)) return false
    await refuseFullDisk()
    await engine.requireAllServers?.()
    return await writerOf(dataset).exclusively(async (fenced) => {
      // Another caller may have deleted it first.
      if (!known.has(dataset)) return false
      // After a crash, the rows still show which batches are stored. In the reverse order, outcomes of deleted rows would remain.
      await savedOutcomes.forget(dataset)
      await countRemoval(dataset, async () => {
        await dropTable(fenced, dataset)
        known.delete(dataset)
        damage?.deleted(dataset)
        writerOf(dataset).promotion.reset()
        await deletePaths(fenced, dataset)
      })
      return true
    })
  }

  async function clear(dataset: string): Promise<void> {
    if (!known.has(dataset)) return
    await writerOf(dataset).exclusively((engine) =>
      countRemoval(dataset, () => truncateTable(engine, dataset)),
    )
  }

  async function rename(dataset: string, to: string): Promise<RenameOutcome> {
    // One at a time: each occupies an insert slot while it waits for another one.
    return await renaming(() => renameAlone(dataset, to))
  }

  async function renameAlone(from: string, to: string): Promise<RenameOutcome> {
    if (!known.has(from)) return 'unknown'
    await refuseFullDisk()
    await engine.requireAllServers?.()
    // In the same order everywhere: renames of two services between the same names would wait for each other.
    const [first, second] = from < to ? [from, to] : [to, from]
    return await writerOf(first).exclusively((one) =>
      writerOf(second).exclusively(async (other) => {
        const [source, target] = first === from ? [one, other] : [other, one]
        const dataset = known.get(from)
        if (dataset === undefined) return 'unknown'
        if (known.has(to)) return 'exists'
        const engines = { source, target, savedOutcomes }
        const rename = () => renameDataset(dataset, to, engines)
        await counted('changes', to, () =>
          countRemoval(from, async () => {
            await addingBatches(to, rename)
            known.delete(from)
            known.set(to, new Dataset(to, dataset))
            damage?.renamed(from, to)
            writerOf(from).promotion.reset()
            await deleteDescription(source, from, savedOutcomes)
          }),
        )
        return 'renamed'
      }),
    )
  }

  async function trim(dataset: string, before: bigint): Promise<number> {
    if (!known.has(dataset)) return 0
    await refuseFullDisk()
    // Once the rows of a batch are deleted, only its outcome shows that it was stored.
    await savedOutcomes.flush()
    return await countRemoval(dataset, () =>
      deleteBefore(engine, dataset, { instant: before, spool }),
    )
  }

  async function removeBatches(dataset: string, batchIds: readonly string[]): Promise<number> {
    await refuseFullDisk()
    return await countRemoval(dataset, () => writerOf(dataset).removeBatches(batchIds))
  }

  async function acceptLoss(dataset: string | undefined): Promise<AcceptedLoss> {
    if (damage === undefined) return NOTHING_LOST
    const accept = () => addingBatches(dataset, () => damage.accept(dataset))
    if (dataset === undefined || !known.has(dataset)) return await accept()
    return await writerOf(dataset).exclusively(() => counted('removals', dataset, accept))
  }

  /** Runs work that may add rows or outcomes of batches to a dataset, or to all, other than by storing batches. */
  async function addingBatches<T>(dataset: string | undefined, work: () => Promise<T>): Promise<T> {
    const changed = (): void => {
      for (const [name, writer] of writers) {
        if (dataset === undefined || name === dataset) writer.named.arrived.forget()
      }
    }
    changed()
    // Again at the end: loading may have begun in between.
    return await work().finally(changed)
  }

  function countsOf(dataset: string): Readonly<ChangeCounts> {
    return counts.get(dataset) ?? NO_CHANGES
  }

  /** Resolves when no batch is in flight, background work has stopped, and the outcomes and the ledger of parts are written. */
  async function close(): Promise<void> {
    await Promise.all([...writers.values()].map((writer) => writer.settled()))
    const stopped = Promise.all([...writers.values()].map(({ promotion }) => promotion.stop()))
    await Promise.all([
      // A failure here is harmless: the batches are stored and their callers have the outcomes.
      savedOutcomes.flush().catch(() => {}),
      stopped.then(() => damage?.close()),
    ])
  }

  function handle(dataset: string): DatasetHandle {
    return {
      name: dataset,
      engine,
      current: () => known.get(dataset),
      changed: (value) => known.set(dataset, value),
    }
  }

  /** Rejects when the disk is full. A shared engine has its data on other disks. */
  async function refuseFullDisk(): Promise<void> {
    if (peers === undefined) await checkSpaceToDelete(spool)
  }

  function countRemoval<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return counted('removals', dataset, () => writerOf(dataset).whileRemoving(work))
  }

  /** Counts work at its start and at its end: a query may run in between. */
  async function counted<T>(
    kind: 'removals' | 'changes',
    dataset: string,
    work: () => Promise<T>,
  ): Promise<T> {
    const own = counts.get(dataset) ?? { ...NO_CHANGES }
    counts.set(dataset, own)
    own[kind]++
    own.inFlight++
    return await work().finally(() => {
      own[kind]++
      own.inFlight--
    })
  }

  const schema: Schema = {
    get datasets() {
      return [...known.keys()].sort()
    },
    fields: (dataset) => known.get(dataset)?.fields,
  }
  return {
    schema,
    layout: (dataset: string) => known.get(dataset)?.layout,
    has: (dataset: string) => known.has(dataset),
    ingest,
    create,
    remove,
    clear,
    rename,
    trim,
    removeBatches,
    acceptLoss,
    close,
    removalsOf: (dataset: string) => countsOf(dataset).removals,
    changesOf: (dataset: string) => countsOf(dataset).changes + countsOf(dataset).removals,
    isChanging: (dataset: string) => countsOf(dataset).inFlight > 0,
  }
}

const NOTHING_LOST: AcceptedLoss = { parts: [], repaired: [], folder: undefined }
