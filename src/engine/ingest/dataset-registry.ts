import pLimit from 'p-limit'
import type { Field, Schema } from '../../apl/schema.js'
import type { Layout } from '../../sql/layout.js'
import type { Dataset } from '../catalog/dataset.js'
import { LOAD_SECONDS } from '../clickhouse/remote.js'
import { type CatalogWatch, RECENT_MS } from '../cluster/catalog-watch.js'
import type { Leases } from '../cluster/leases.js'
import type { Lane } from '../cluster/worker-id.js'
import { Promotion } from '../columns/promotion.js'
import { lowHalf } from '../deduplication/batch-hash.js'
import type { BatchOutcome } from '../deduplication/batch-outcome.js'
import type { BatchAnswers } from '../deduplication/batch-responses.js'
import type { Engine } from '../engine.js'
import { deleteBefore, dropEvents, forgetPaths } from '../maintenance/deletion.js'
import type { Batch } from '../store.js'
import { refuseDeletion } from './disk-space.js'
import type { Sequence } from './sequence.js'
import type { Growing } from './slow-path.js'
import { type Sharing, Writer } from './writer.js'

/** Inserts that run at once, over all datasets; each keeps a processor busy. */
const INSERTS = 4
const RESUME_AFTER_MS = 1_000

interface ShelfOptions {
  readonly engine: Engine
  readonly datasets: Map<string, Dataset>
  readonly answers: BatchAnswers
  readonly spool: string
  readonly sequence: Sequence
  /** What others do with the same data; undefined where nobody else uses it. */
  readonly others: Others | undefined
}

/** The other services on the same data. */
export interface Others {
  readonly leases: Leases
  readonly lane: Lane
  readonly watch: CatalogWatch
}

/** The datasets there are, each with what stores its events. */
export class Shelf implements Schema {
  private readonly known: Map<string, Dataset>
  private readonly writers = new Map<string, Writer>()
  private readonly removals = new Map<string, number>()
  private readonly changes = new Map<string, number>()
  private readonly engine: Engine
  private readonly sequence: Sequence
  private readonly answers: BatchAnswers
  private readonly spool: string
  private readonly others: Others | undefined
  private readonly slots = pLimit(INSERTS)
  private readonly promotions = new Map<string, Promotion>()
  private readonly promotionSlots = pLimit(1)
  private readonly resuming: NodeJS.Timeout

  constructor(options: ShelfOptions) {
    this.engine = options.engine
    this.answers = options.answers
    this.spool = options.spool
    this.known = options.datasets
    this.sequence = options.sequence
    this.others = options.others
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
    return await counted(this.changes, dataset, () => this.writer(dataset).store(batch))
  }

  private writer(dataset: string): Writer {
    return this.writers.get(dataset) ?? this.open(dataset)
  }

  /** Deletes a dataset, while nothing is being stored in it; false when there is none of that name. */
  async remove(dataset: string): Promise<boolean> {
    if (!this.known.has(dataset)) return false
    await this.refuseFullDisk()
    let isRemoved = false
    await this.writer(dataset).alone(async (engine) => {
      // Somebody else may have been first.
      if (!this.known.has(dataset)) return
      // Without the answers its rows still tell which batches are stored; the other way round none would be.
      await this.answers.forget(dataset)
      await this.removing(dataset, () => dropEvents(engine, dataset))
      isRemoved = this.known.delete(dataset)
      this.promotions.get(dataset)?.begin()
      await forgetPaths(engine, dataset)
    })
    return isRemoved
  }

  /** Deletes the events before an instant; those that come meanwhile are not waited for. */
  async trim(dataset: string, before: bigint): Promise<number> {
    if (!this.known.has(dataset)) return 0
    await this.refuseFullDisk()
    // Of batches whose rows are gone only these still know.
    await this.answers.flush()
    return await this.removing(dataset, () => deleteBefore(this.engine, dataset, before))
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
    await this.answers.flush().catch(() => {})
    await Promise.all([...this.promotions.values()].map((promotion) => promotion.stop()))
  }

  private open(dataset: string): Writer {
    const target: Growing = {
      name: dataset,
      engine: this.engine,
      current: () => this.known.get(dataset),
      changed: (value) => this.known.set(dataset, value),
    }
    const promotion = new Promotion({
      target,
      slots: this.promotionSlots,
      alone: (work) => writer.alone(work),
      settleMs: this.others === undefined ? 0 : RECENT_MS + LOAD_SECONDS * 1000,
    })
    const writer = new Writer({
      target,
      sharing: this.sharing(dataset),
      sequence: this.sequence,
      answers: this.answers,
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
    if (this.others === undefined) await refuseDeletion(this.spool)
  }

  private removing<T>(dataset: string, work: () => Promise<T>): Promise<T> {
    return counted(this.removals, dataset, work)
  }

  private sharing(dataset: string): Sharing | undefined {
    if (this.others === undefined) return undefined
    const { leases, lane, watch } = this.others
    return {
      async recent() {
        await lane.keep()
        await watch.recent(dataset)
      },
      claim: (mark) => leases.take(`batch ${lowHalf(mark)} ${dataset}`),
      alone: (work) => watch.alone(dataset, work),
    }
  }

  private resume(): void {
    for (const [name, dataset] of this.known) {
      if (dataset.trials().length === 0) continue
      this.writer(name)
      this.promotions.get(name)?.resume()
    }
  }
}

/** Counts work on a dataset when it begins and when it ends: a query may come in between. */
async function counted<T>(
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
