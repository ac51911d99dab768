import { stat } from 'node:fs/promises'
import type { LimitFunction } from 'p-limit'
import { sql } from '../../sql/sql.js'
import { binarySize } from '../../text/binary-size.js'
import { BYTE_ORDER_MARK, startsWithByteOrderMark } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { sharedWhileRunning } from '../../text/shared-work.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import { LABEL_CHARACTERS, MAX_LINES } from '../../wire/limits.js'
import type { Batch, BatchOutcome } from '../batch.js'
import { batchHash, hexOf } from '../batch-hash.js'
import { hasPaths } from '../catalog/catalog.js'
import { tableOf } from '../catalog/database.js'
import { type Dataset, withoutFields } from '../catalog/dataset.js'
import type { CatalogWatch } from '../cluster/catalog-watch.js'
import { fencedEngine } from '../cluster/fenced-engine.js'
import type { Lease, Leases } from '../cluster/leases.js'
import type { WorkerId } from '../cluster/worker-id.js'
import { Promotion } from '../columns/promotion.js'
import type { Engine } from '../engine.js'
import { isSmall, type Lines } from '../line-reader.js'
import type { StoredDamage } from '../maintenance/damage.js'
import { checkFreeSpace, rejectGlobPath } from '../spool.js'
import { StoreError, toStoreError } from '../store-error.js'
import { addFirstColumns, learnFields } from './batch-fields.js'
import { deleteLeftovers } from './dataset-rename.js'
import { scanEvents } from './event-scan.js'
import {
  type Job,
  type Load,
  loadsOf,
  NOTHING_STORED,
  outcomeOf,
  storedLines,
} from './insert-job.js'
import { insertStatement } from './insertion.js'
import { countLines } from './line-counts.js'
import { NamedBatches, type NamedBatchesOptions } from './named-batches.js'
import { ColumnFile, newColumnsPath } from './scan/column-file.js'
import { WriteQueue } from './write-queue.js'

/** The coordination with other services on the same data. */
export interface Peers {
  readonly leases: Leases
  readonly workerId: WorkerId
  readonly watch: CatalogWatch
}

interface WriterOptions extends NamedBatchesOptions {
  /** Undefined when the engine is not shared. */
  readonly peers: Peers | undefined
  readonly damage: StoredDamage | undefined
  /** Limits the inserts of all datasets, and the work of their promotions. */
  readonly slots: LimitFunction
  readonly promotionSlots: LimitFunction
}

/**
 * Stores the batches of one dataset, each once; batches that wait at the same time are stored together. A batch with values that the
 * schema does not expect is stored with exclusive access to the dataset, since it changes the schema first.
 */
export class Writer {
  private readonly options: WriterOptions
  private readonly queue: WriteQueue
  /** The batches in flight by their id; by a symbol of their own without one. */
  private readonly inFlight = new Map<string | symbol, Promise<BatchOutcome>>()
  readonly named: NamedBatches
  readonly promotion: Promotion
  private opened: Promise<void> | undefined

  constructor(options: WriterOptions) {
    const { target, slots, promotionSlots } = options
    this.options = options
    this.named = new NamedBatches(options)
    this.promotion = new Promotion({
      target,
      slots: promotionSlots,
      alone: (work) => this.exclusively(work),
    })
    this.queue = new WriteQueue({
      slots,
      storesNamedAlone: target.engine.repeatsInserts === true,
      store: (group) => this.storeGroup(group).catch((error: unknown) => fail(group, error)),
    })
  }

  store(batch: Batch): Promise<BatchOutcome> {
    const key = batch.batchId ?? Symbol()
    const before = this.inFlight.get(key)
    // The client stopped waiting and sent the batch again while it is still in flight.
    if (before !== undefined) return before
    const stored = this.begin(batch).catch((error: unknown) => {
      throw toStoreError(error)
    })
    this.inFlight.set(key, stored)
    const settled = (): void => void this.inFlight.delete(key)
    stored.then(settled, settled)
    return stored
  }

  /** Runs work that changes the dataset while nothing is being stored; it must use the engine passed to it. */
  exclusively<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.queue.addExclusive(() => this.underLease(work).then(resolve, reject))
    })
  }

  /**
   * Deletes the events of batches and prevents these batches from being stored later. Resolves with the number of events that
   * they had.
   */
  async removeBatches(batchIds: readonly string[]): Promise<number> {
    const hashes = [...new Set(batchIds)].map(batchHash)
    if (hashes.length === 0) return 0
    await this.named.fence(hashes)
    // Batches that arrived before the fence may still be stored: here, or by another service, which holds a lease on the batch.
    await Promise.allSettled(batchIds.map((id) => this.inFlight.get(id)))
    const claims = hashes.map((hash) => this.claim(hash))
    try {
      await Promise.all(claims)
      await this.ensureRecent()
      await this.open()
      return await this.named.remove(hashes)
    } finally {
      for (const claim of claims) void claim?.then((lease) => lease.release()).catch(() => {})
    }
  }

  /** Runs work that deletes data about the dataset: what it removes is not damage, even if the process is killed. */
  whileRemoving<Result>(work: () => Promise<Result>): Promise<Result> {
    const { damage, target } = this.options
    return damage?.whileRemoving?.(target.name, work) ?? work()
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.inFlight.values())
  }

  private async begin(batch: Batch): Promise<BatchOutcome> {
    const { target, spool } = this.options
    const { arrivedAt } = batch
    const lines = checkedLines(batch.lines)
    const terms = termsOf(batch)
    const dataset = target.current()
    const output = isSmall(lines) ? undefined : new ColumnFile(newColumnsPath(spool))
    const columns = output?.path
    try {
      if (output === undefined || !dataset?.hasFields) {
        const counts = await countLines(lines)
        return await this.storeOnce(batch, { lines, terms, columns, counts, scan: undefined })
      }
      checkFreeSpace(spool, await sizeOf(lines))
      // Not in the queue: other batches are stored at the same time.
      const scan = await scanEvents({ lines, terms, arrivedAt, firstRow: 0 }, dataset, output)
      await output.close()
      return await this.storeOnce(batch, { lines, terms, columns, counts: scan.counts, scan })
    } finally {
      await output?.discard()
    }
  }

  /** Stores lines while no other service stores a batch with the same hash. */
  private async storeOnce(
    batch: Batch,
    read: Pick<Job, 'lines' | 'terms' | 'columns' | 'counts' | 'scan'>,
  ): Promise<BatchOutcome> {
    const { batchId, labels = '' } = batch
    const { counts } = read
    if (counts.lines > MAX_LINES) throw new StoreError('too-many-lines', TOO_MANY_LINES)
    if (counts.events * labels.length > LABEL_CHARACTERS) {
      throw new StoreError('too-many-lines', TOO_MANY_LABELS)
    }
    const hash = batchHash(batchId)
    if (counts.events === 0 && hash === 0n) {
      const outcome = outcomeOf({ batch, counts }, NOTHING_STORED)
      batch.onStored?.(outcome)
      return outcome
    }
    const lease = hash === 0n ? undefined : await this.claim(hash)
    try {
      // The previous holder of the lease may have created the dataset.
      await this.ensureRecent()
      await this.deleteLeftovers()
      const job = { ...read, batch, batchHash: hash, lease }
      return await new Promise((resolve, reject) => this.queue.add({ ...job, resolve, reject }))
    } finally {
      lease?.release()
    }
  }

  /** Deletes data about an earlier dataset of this name, in front of the first batches of a new one. */
  private readonly deleteLeftovers = sharedWhileRunning(async () => {
    const { target, savedOutcomes } = this.options
    const { name, current } = target
    if (current() !== undefined || !(await hasPaths(target.engine, name))) return
    await this.exclusively(async (engine) => {
      // Another batch may have been creating the dataset.
      if (current() !== undefined) return
      await this.whileRemoving(() => deleteLeftovers(engine, name, savedOutcomes))
    })
  })

  /** Stores the jobs whose batches are new, and settles all. */
  private async storeGroup(group: readonly Job[]): Promise<void> {
    // Prepared here, since the dataset can't be deleted while a group is being stored.
    await this.open()
    const jobs = await this.named.newOnes(group)
    if (jobs.length === 0) return
    const loads = loadsOf(jobs, this.options)
    try {
      const dataset = this.options.target.current()
      const expected: Load[] = []
      const others: Load[] = []
      for (const load of loads) {
        const isExpected = dataset?.hasFields && (await fits(load, dataset))
        if (isExpected) expected.push(load)
        else others.push(load)
      }
      if (dataset !== undefined) await this.storeExpected(expected, dataset)
      // Queued after the others are stored: a failure rejects all jobs, and a rejected job must not be stored later.
      for (const load of others) this.queueExclusive(load)
    } catch (error) {
      await removeAll(loads)
      throw error
    }
  }

  /** Stores all events, and settles their jobs. */
  private async storeExpected(
    loads: readonly Load[],
    dataset: Dataset,
    engine = this.options.target.engine,
  ): Promise<void> {
    const { journal, sequence } = this.options
    const filled = loads.filter(({ rows }) => rows > 0)
    const entries = filled.flatMap(({ entry }) => entry ?? [])
    for (const entry of entries) await journal?.append(entry)
    const [first, ...others] = filled.filter(({ entry }) => entry === undefined)
    if (first !== undefined) {
      const inFiles = [first, ...others]
      const leases = inFiles.flatMap((load) => load.leases)
      const files = inFiles.map(({ file }) => file)
      const labels = first.jobs[0]?.terms.labels
      await fencedEngine(engine, leases).load(
        insertStatement({ dataset, labels, step: sequence.step, files }),
      )
    }
    await removeAll(loads)
    for (const job of loads.flatMap(({ jobs }) => jobs)) {
      const stored = storedLines(job)
      this.promotion.stored(stored.ingested)
      await this.named.resolve(job, stored)
    }
  }

  private queueExclusive(load: Load): void {
    this.exclusively((engine) => this.storeExclusively(load, engine)).catch(
      async (error: unknown) => {
        await load.remove()
        fail(load.jobs, error)
      },
    )
  }

  private async storeExclusively(load: Load, engine: Engine): Promise<void> {
    const target = { ...this.options.target, engine: fencedEngine(engine, load.leases) }
    const isNew = target.current() === undefined
    if (!target.current()?.hasFields) await addFirstColumns(target, load)
    if (isNew && target.current() !== undefined) {
      this.opened = Promise.resolve()
      this.named.arrived.created()
      load.jobs[0]?.batch.onCreated?.()
    }
    const dataset = (): Dataset => target.current() ?? withoutFields(target.name)
    while (!(await fits(load, dataset()))) {
      if (await learnFields(target, load)) this.promotion.sampleSoon()
    }
    await this.storeExpected([load], dataset(), engine)
  }

  /** Resolves when the known schema of the dataset is recent. */
  private async ensureRecent(): Promise<void> {
    const { peers, target } = this.options
    await peers?.workerId.renew()
    await peers?.watch.ensureRecent(target.name)
  }

  /** Resolves with a lease that prevents other services from storing a batch with the same hash. */
  private claim(hash: bigint): Promise<Lease> | undefined {
    const { peers, target } = this.options
    return peers?.leases.acquire(`batch ${hexOf(hash)} ${target.name}`)
  }

  /** Runs work that changes the dataset while no other service changes it. */
  private async underLease<Result>(work: (engine: Engine) => Promise<Result>): Promise<Result> {
    const { peers, target, journal } = this.options
    // Before the work, which may begin by forgetting the dataset.
    await journal?.flush([target.name])
    if (peers === undefined) return await work(target.engine)
    return await peers.watch.exclusively(target.name, (lease) =>
      work(fencedEngine(target.engine, [lease])),
    )
  }

  /** Prepares an existing dataset once; an unknown one may still be created by another service. */
  private async open(): Promise<void> {
    if (this.options.target.current() === undefined) return
    this.opened ??= this.prepare().catch((error: unknown) => {
      this.opened = undefined
      throw error
    })
    await this.opened
  }

  private async prepare(): Promise<void> {
    const { target, sequence } = this.options
    // Numbers above the floor are from a later clock: as a rule no event has one, and the engine skips all granules.
    const result = await target.engine.ask(sql`
      SELECT max(_seq) AS n FROM ${tableOf(target.name)} WHERE _seq >= ${sequence.floor()}`)
    sequence.skip(BigInt(result.columns.get('n')?.slice(1, -1) ?? '0'))
  }
}

/** Reads the lines of a load for a dataset; true when it expects all values. */
async function fits(load: Load, dataset: Dataset): Promise<boolean> {
  await load.scan(dataset)
  return load.unexpected(dataset).isEmpty
}

async function removeAll(loads: readonly Load[]): Promise<void> {
  for (const load of loads) await load.remove()
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}

const TOO_MANY_LINES = `The request has more than ${formatInteger(MAX_LINES)} lines: none of them were stored. Split it into smaller requests.`
const TOO_MANY_LABELS = `The labels of the request, repeated in each event, have more than ${binarySize(LABEL_CHARACTERS)}: none of the events were stored. Split it into smaller requests.`

function termsOf({ timestampField, timeFormat, labels }: Batch): EventOptions {
  return { timestampField, timeFormat, labels }
}

async function sizeOf(lines: Lines): Promise<number> {
  return lines.kind === 'file' ? (await stat(lines.path)).size : lines.bytes.length
}

/** Returns lines that can be concatenated with others. Throws `StoreError` for a path with special characters. */
function checkedLines(lines: Lines): Lines {
  if (lines.kind === 'file') {
    rejectGlobPath(lines.path)
    return lines
  }
  // After other lines, a byte-order mark would become part of an event.
  const isMarked = startsWithByteOrderMark(lines.bytes)
  return isMarked ? { ...lines, bytes: lines.bytes.subarray(BYTE_ORDER_MARK.length) } : lines
}
