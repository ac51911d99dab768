import type { LimitFunction } from 'p-limit'
import { sql, text } from '../../sql/sql.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import type { Batch, BatchOutcome, StoredLines } from '../batch.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import type { Dataset, DatasetHandle } from '../catalog/dataset.js'
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
import { type Insertion, insertStatement, UNEXPECTED_EVENT_CODE } from './insertion.js'
import { BYTE_ORDER_MARK, type LineCounts, type Lines } from './line-reader.js'
import { plainScanOf, plainSchemaOf } from './plain-schema.js'
import { scanLines } from './scan/scan-lines.js'
import type { Sequence } from './sequence.js'
import { SlowPathBatch } from './slow-path.js'
import { rejectGlobPath } from './spool.js'
import { WriteQueue } from './write-queue.js'

/** Coordination with other services on the same data. */
export interface Coordination {
  /** Resolves when the known schema of the dataset is recent. */
  ensureRecent(): Promise<void>
  /** Resolves with a lease that prevents other services from storing a batch with the same hash. */
  claim(hash: bigint): Promise<Lease>
  /** Runs work that changes the dataset while no other service changes it. */
  exclusively<Result>(work: (lease: Lease) => Promise<Result>): Promise<Result>
}

interface WriterOptions {
  /** Undefined when the engine is not shared. */
  readonly coordination: Coordination | undefined
  readonly target: DatasetHandle
  readonly sequence: Sequence
  /** The directory for temporary files. */
  readonly spool: string
  readonly savedOutcomes: SavedOutcomes
  readonly slots: LimitFunction
  /** Called with the number of events after each batch. */
  stored(events: number): void
}

/** The reasons for rejected lines must fit in memory and in a response. */
const MAX_LINES = 1_048_576

/**
 * Stores the batches of one dataset. Batches that fit the schema are read only by the engine, and those that wait meanwhile
 * are stored together. Any other batch takes the slow path with exclusive access to the dataset: its unexpected lines are
 * read, and they change the schema or are rejected.
 */
export class Writer {
  private readonly options: WriterOptions
  private readonly queue: WriteQueue
  private readonly inFlight = new Map<string, Promise<BatchOutcome>>()
  private readonly pending = new Set<Promise<BatchOutcome>>()
  private readonly named: NamedBatches
  /** True once the fast schema check proved useless for this dataset; then only the full check is used. */
  private isFastCheckUseless = false
  /** The time formats of the dataset's events, in addition to those that the engine reads by itself. */
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
    // The client stopped waiting and sent the batch again while it is still in flight.
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

  /** Runs work that changes the dataset while nothing is being stored; it must use the engine passed to it. */
  exclusively(work: (engine: Engine) => Promise<void>): Promise<void> {
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
    // Batches that arrived before the fence may still be stored: here, or by other services, which hold a lease then.
    await Promise.allSettled(batchIds.map((id) => this.inFlight.get(id)))
    const { coordination } = this.options
    const claims = hashes.map((hash) => coordination?.claim(hash))
    try {
      await Promise.all(claims)
      await coordination?.ensureRecent()
      await this.open()
      return await this.named.remove(hashes)
    } finally {
      for (const claim of claims) void claim?.then((lease) => lease.release()).catch(() => {})
    }
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.pending)
  }

  private async begin(batch: Batch): Promise<BatchOutcome> {
    const { batchId, arrivedAt } = batch
    const terms = termsOf(batch)
    const lines = checkedLines(batch.lines)
    const { counts, scan } = await this.scan(lines, terms)
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
      // The previous holder of the lease may have created the dataset.
      await coordination?.ensureRecent()
      const waiting = {
        lines,
        counts,
        scan,
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

  /** Counts lines and examines whether they are plain events of the current schema. */
  private async scan(lines: Lines, terms: EventOptions): Promise<Pick<Job, 'counts' | 'scan'>> {
    const dataset = this.options.target.current()
    const schema = dataset && plainSchemaOf(dataset, terms)
    const { counts, ...scan } = await scanLines(lines, schema)
    return { counts, scan: { ...scan, schema } }
  }

  /** Runs work that changes the dataset while no other service changes it. */
  private async underLease(work: (engine: Engine) => Promise<void>): Promise<void> {
    const { coordination, target } = this.options
    if (coordination === undefined) await work(target.engine)
    else await coordination.exclusively((lease) => work(fencedEngine(target.engine, [lease])))
  }

  private wait(waiting: Omit<Job, 'resolve' | 'reject'>): Promise<BatchOutcome> {
    return new Promise((resolve, reject) => this.queue.add({ ...waiting, resolve, reject }))
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
    // In the queue, since the dataset can't be deleted meanwhile.
    await this.open()
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
   * Stores files of which at least one has unexpected events, by bisection. Returns the files that must take the slow path.
   * They are queued only afterward: when another file fails, all jobs are rejected, and none may be stored later.
   */
  private async bisect(loads: readonly Load[]): Promise<readonly Load[]> {
    if (loads.length <= 1) return loads
    const middle = Math.ceil(loads.length / 2)
    const [first, second] = [loads.slice(0, middle), loads.slice(middle)]
    if (await this.storeExpected(first)) {
      await this.resolveStored(first)
      // The unexpected events are in the other half.
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

  /** Stores all events and returns true; false, with nothing stored, when some events are unexpected. */
  private async storeExpected(
    loads: readonly Load[],
    engine = this.options.target.engine,
  ): Promise<boolean> {
    const { current } = this.options.target
    const dataset = current()
    const terms = loads[0]?.jobs[0]?.terms
    if (dataset === undefined || terms === undefined) return false
    const { isFastCheckUseless: isFullCheck, timeForms } = this
    const files = loads.map(({ file }) => file)
    const insertion = { dataset, files, terms, timeForms, isFullCheck }
    const fenced = fencedEngine(engine, leasesOf(loads))
    const jobs = loads.flatMap(({ jobs }) => jobs)
    const plain = await plainScanOf(jobs, plainSchemaOf(dataset, terms))
    if (plain && (await isStored(fenced, { ...insertion, plain }))) return true
    return await isStored(fenced, insertion)
  }

  /** Queues files for the slow path, each with exclusive access to the dataset. */
  private queueSlowPath(loads: readonly Load[]): void {
    const tried = this.options.target.current()
    for (const load of loads) {
      this.queue.addExclusive(() =>
        this.underLease((engine) => this.storeExclusively(load, { engine, tried })).catch(
          async (error: unknown) => {
            await removeLoads([load])
            fail(load.jobs, error)
          },
        ),
      )
    }
  }

  /** The schema may have changed since the file did not fit the one that was `tried`. */
  private async storeExclusively(
    load: Load,
    { engine, tried }: { readonly engine: Engine; readonly tried: Dataset | undefined },
  ): Promise<void> {
    const isChanged = this.options.target.current() !== tried
    if (isChanged && (await this.storeExpected([load], engine))) await this.resolveStored([load])
    else await this.storeSlowly(load, engine)
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

/** Stores all events and returns true; false, with nothing stored, when some events are unexpected. */
async function isStored(engine: Engine, insertion: Insertion): Promise<boolean> {
  try {
    await engine.load(insertStatement(insertion))
    return true
  } catch (error) {
    if (error instanceof EngineError && error.code === UNEXPECTED_EVENT_CODE) return false
    throw error
  }
}

function tooManyLines(): StoreError {
  return new StoreError({
    reason: 'too-many-lines',
    message: `The request has more than ${MAX_LINES} lines: none of them were stored. Split it into smaller requests.`,
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

/** Returns lines that can be concatenated with others. Throws `StoreError` for a path with special characters. */
function checkedLines(lines: Lines): Lines {
  if (lines.kind === 'file') {
    rejectGlobPath(lines.path)
    return lines
  }
  // After other lines, a byte-order mark would become part of an event.
  const isMarked = lines.bytes.subarray(0, BYTE_ORDER_MARK.length).equals(BYTE_ORDER_MARK)
  return isMarked ? { kind: 'bytes', bytes: lines.bytes.subarray(BYTE_ORDER_MARK.length) } : lines
}
