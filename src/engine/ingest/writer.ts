import type { LimitFunction } from 'p-limit'
import { sql, text } from '../../sql/sql.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import type { Batch, BatchOutcome, StoredLines } from '../batch.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import type { DatasetHandle } from '../catalog/dataset-handle.js'
import { addBatchHigh } from '../catalog/table.js'
import { fencedEngine } from '../cluster/fenced-engine.js'
import type { Lease } from '../cluster/leases.js'
import { batchHash } from '../deduplication/batch-hash.js'
import { MAX_LISTED } from '../deduplication/batch-outcome.js'
import { NamedBatches } from '../deduplication/named-batches.js'
import type { SavedOutcomes } from '../deduplication/saved-outcomes.js'
import { type Engine, EngineError } from '../engine.js'
import { StoreError, toStoreError } from '../store-error.js'
import {
  type Job,
  type Load,
  leasesOf,
  loadsOf,
  NOTHING_STORED,
  removeLoads,
} from './insert-job.js'
import { insertStatement, UNEXPECTED_EVENT_CODE } from './insertion.js'
import { BYTE_ORDER_MARK, countLines, type LineCounts, type Lines } from './line-reader.js'
import type { Sequence } from './sequence.js'
import { SlowPathBatch } from './slow-path.js'
import { rejectGlobPath } from './spool.js'
import { WriteQueue } from './write-queue.js'

/** How one of several services on the same data keeps out of the way of the others. */
export interface Coordination {
  /** Resolves when what is known of the dataset is recent. */
  ensureRecent(): Promise<void>
  /** Keeps others from storing a batch of the same mark. */
  claim(hash: bigint): Promise<Lease>
  /** Runs what changes the dataset while no other service does. */
  exclusively<Result>(work: (lease: Lease) => Promise<Result>): Promise<Result>
}

interface WriterOptions {
  /** Undefined where nobody else uses the data. */
  readonly coordination: Coordination | undefined
  readonly target: DatasetHandle
  readonly sequence: Sequence
  /** Where files for the engine may be made. */
  readonly spool: string
  readonly savedOutcomes: SavedOutcomes
  readonly slots: LimitFunction
  /** Is told how many events were stored. */
  stored(events: number): void
}

/** What is said of lines that are rejected must fit in memory, and into an answer. */
const MAX_LINES = 1_048_576

/**
 * Stores the batches of one dataset. Batches that are what the dataset expects go into the engine
 * unread, and those that wait meanwhile go in together. A batch that is not has the dataset for
 * itself: its odd lines are read, and the dataset grows or the lines are rejected.
 */
export class Writer {
  private readonly options: WriterOptions
  private readonly queue: WriteQueue
  private readonly inFlight = new Map<string, Promise<BatchOutcome>>()
  private readonly pending = new Set<Promise<BatchOutcome>>()
  private readonly named: NamedBatches
  /** Some of the dataset's events are such that a quick look never vouches for them. */
  private isFastCheckUseless = false
  /** How the dataset's events write times, beside what the engine reads by itself. */
  private readonly timeForms = new Set<TimeForm>()
  private opened: Promise<void> | undefined

  constructor(options: WriterOptions) {
    this.options = options
    this.named = new NamedBatches(options)
    this.queue = new WriteQueue({ slots: options.slots, store: (group) => this.storeGroup(group) })
  }

  store(batch: Batch): Promise<BatchOutcome> {
    const { batchId } = batch
    const before = batchId === undefined ? undefined : this.inFlight.get(batchId)
    // The sender gave up waiting, and sends again what is still on its way.
    if (before !== undefined) return before
    const stored = this.begin(batch).catch((error: unknown) => {
      throw toStoreError(error)
    })
    this.pending.add(stored)
    if (batchId !== undefined) this.inFlight.set(batchId, stored)
    const settled = (): void => {
      this.pending.delete(stored)
      if (batchId !== undefined) this.inFlight.delete(batchId)
    }
    stored.then(settled, settled)
    return stored
  }

  /** Runs what changes the dataset, while nothing is being stored; it has to use the engine that it is given. */
  exclusively(work: (engine: Engine) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.addExclusive(() => this.underLease(work).then(resolve, reject))
    })
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.pending)
  }

  private async begin(batch: Batch): Promise<BatchOutcome> {
    const { batchId, arrivedAt } = batch
    const terms = termsOf(batch)
    const lines = checkedLines(batch.lines)
    const counts = await countLines(lines)
    if (counts.lines > MAX_LINES) throw tooManyLines()
    const hash = batchHash(batchId)
    const outcomeOf = (stored: StoredLines): BatchOutcome => outcome(batch, stored, counts)
    const onStored = (stored: BatchOutcome): void => batch.onStored?.(stored)
    if (counts.events === 0 && hash === 0n) {
      const nothing = outcomeOf(NOTHING_STORED)
      onStored(nothing)
      return nothing
    }
    const { coordination } = this.options
    const lease = hash === 0n ? undefined : await coordination?.claim(hash)
    try {
      // Whoever had the claim before may have made the dataset.
      await coordination?.ensureRecent()
      await this.open()
      const waiting = {
        lines,
        counts,
        arrivedAt,
        terms,
        batchHash: hash,
        lease,
        outcomeOf,
        onStored,
      }
      return await this.wait(waiting)
    } finally {
      lease?.release()
    }
  }

  /** Runs what changes the dataset while no other service does either. */
  private async underLease(work: (engine: Engine) => Promise<void>): Promise<void> {
    const { coordination, target } = this.options
    if (coordination === undefined) await work(target.engine)
    else await coordination.exclusively((lease) => work(fencedEngine(target.engine, [lease])))
  }

  private wait(waiting: Omit<Job, 'resolve' | 'reject'>): Promise<BatchOutcome> {
    return new Promise((resolve, reject) => this.queue.add({ ...waiting, resolve, reject }))
  }

  /** Prepares a dataset that was there before; one that is not known yet may still be made by another service. */
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
    const high = await this.number(sql`
      SELECT count() AS n FROM system.columns
      WHERE database = ${text(DATASETS)} AND table = ${text(target.name)} AND name = '_batchHigh'`)
    if (high === 0n) await target.engine.change(addBatchHigh(target.name))
    const last = await this.number(sql`SELECT max(_seq) AS n FROM ${tableOf(target.name)}`)
    sequence.skip(last)
  }

  private async number(query: Parameters<DatasetHandle['engine']['ask']>[0]): Promise<bigint> {
    const resolve = await this.options.target.engine.ask(query)
    return BigInt(resolve.columns.get('n')?.slice(1, -1) ?? '0')
  }

  private async storeGroup(group: readonly Job[]): Promise<void> {
    try {
      await this.storeNew(group)
    } catch (error) {
      fail(group, error)
    }
  }

  private async storeNew(group: readonly Job[]): Promise<void> {
    const jobs = await this.named.newOnes(group)
    if (jobs.length === 0) return
    const loads = await loadsOf(jobs, this.options)
    try {
      if (await this.storeExpected(loads)) await this.resolveStored(loads)
      else this.queueSlowPath(await this.bisect(loads))
    } catch (error) {
      await removeLoads(loads)
      throw error
    }
  }

  /**
   * Stores files of which at least one holds what is not expected: the others need not suffer for it. Answers
   * with those that do: should something fail meanwhile, their senders are told so, and none is stored later.
   */
  private async bisect(loads: readonly Load[]): Promise<readonly Load[]> {
    if (loads.length <= 1) return loads
    const middle = Math.ceil(loads.length / 2)
    const [first, second] = [loads.slice(0, middle), loads.slice(middle)]
    if (await this.storeExpected(first)) {
      await this.resolveStored(first)
      // Then it is in the other half.
      return await this.bisect(second)
    }
    const unexpected = await this.bisect(first)
    if (!(await this.storeExpected(second))) return [...unexpected, ...(await this.bisect(second))]
    await this.resolveStored(second)
    return unexpected
  }

  private async resolveStored(loads: readonly Load[]): Promise<void> {
    await removeLoads(loads)
    for (const job of loads.flatMap(({ jobs }) => jobs)) {
      await this.resolve(job, { ingested: job.counts.events, rejected: [], blocksCreated: 1 })
    }
  }

  /** Stores all events; false, and none is stored, when some are not what the dataset expects. */
  private async storeExpected(loads: readonly Load[]): Promise<boolean> {
    const { engine, current } = this.options.target
    const dataset = current()
    const terms = loads[0]?.jobs[0]?.terms
    if (dataset === undefined || terms === undefined) return false
    const { isFastCheckUseless: exact, timeForms } = this
    const files = loads.map(({ file }) => file)
    try {
      const fenced = fencedEngine(engine, leasesOf(loads))
      await fenced.load(insertStatement({ dataset, files, terms, timeForms, isFullCheck: exact }))
      return true
    } catch (error) {
      if (error instanceof EngineError && error.code === UNEXPECTED_EVENT_CODE) return false
      throw error
    }
  }

  /** Stores files one by one, with the dataset for themselves. */
  private queueSlowPath(loads: readonly Load[]): void {
    for (const load of loads) {
      this.queue.addExclusive(() =>
        this.underLease((engine) => this.storeSlowly(load, engine)).catch(
          async (error: unknown) => {
            await removeLoads([load])
            fail(load.jobs, error)
          },
        ),
      )
    }
  }

  private async storeSlowly(load: Load, engine: Engine): Promise<void> {
    const { file, jobs } = load
    const target = { ...this.options.target, engine: fencedEngine(engine, leasesOf([load])) }
    const isNew = target.current() === undefined
    const terms = jobs[0]?.terms ?? { timestampField: '' }
    const batch = new SlowPathBatch({ target, file, terms, timeForms: this.timeForms })
    const all = await batch.store().finally(() => removeLoads([load]))
    if (batch.passedFullCheck && !isNew) this.isFastCheckUseless = true
    for (const [i, job] of jobs.entries()) await this.resolve(job, all[i] ?? NOTHING_STORED)
  }

  private async resolve(job: Job, stored: StoredLines): Promise<void> {
    this.options.stored(stored.ingested)
    await this.named.resolve(job, stored)
  }
}

function tooManyLines(): StoreError {
  return new StoreError({
    reason: 'too-many-lines',
    message: `The request has more than ${MAX_LINES} lines: none of them were stored. Several smaller ones pass.`,
  })
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}

function outcome(batch: Batch, stored: StoredLines, counts: LineCounts): BatchOutcome {
  const { ingested, blocksCreated } = stored
  const { bytes = counts.bytes, arrivedAt } = batch
  const events = batch.rejectedEvents?.(stored.rejected, MAX_LISTED) ?? {
    failed: stored.rejected.length,
    rejected: stored.rejected.slice(0, MAX_LISTED),
  }
  return { ingested, ...events, blocksCreated, bytes, arrivedAt }
}

function termsOf({ timestampField, timeFormat, labels }: Batch): EventOptions {
  return { timestampField, ...(timeFormat && { timeFormat }), ...(labels && { labels }) }
}

/** Lines as they can be put together and read. */
function checkedLines(lines: Lines): Lines {
  if (lines.kind === 'file') {
    rejectGlobPath(lines.path)
    return lines
  }
  // Behind other lines a byte-order mark would be a part of an event.
  const isMarked = lines.bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  return isMarked ? { kind: 'bytes', bytes: lines.bytes.subarray(BYTE_ORDER_MARK.length) } : lines
}
