import type { LimitFunction } from 'p-limit'
import { sql, text } from '../../sql/sql.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import { addBatchHigh } from '../catalog/table.js'
import { fencedEngine } from '../cluster/fenced-engine.js'
import type { Lease } from '../cluster/leases.js'
import { batchMark } from '../deduplication/batch-hash.js'
import { type BatchOutcome, MOST_LISTED } from '../deduplication/batch-outcome.js'
import type { BatchAnswers } from '../deduplication/batch-responses.js'
import { NamedBatches } from '../deduplication/named-batches.js'
import { type Engine, EngineError } from '../engine.js'
import type { Batch, Stored } from '../store.js'
import { StoreError } from '../store-error.js'
import { storeError } from './disk-space.js'
import { GUARD_CODE, insertStatement } from './insertion.js'
import { countLines, type Lines, type LinesFacts, MARK } from './line-reader.js'
import { type Job, type Load, leasesOf, loadsOf, NOTHING, removeLoads } from './load.js'
import type { Sequence } from './sequence.js'
import { type Growing, OddBatch } from './slow-path.js'
import { refusePattern } from './spool-path.js'
import { WriteQueue } from './write-queue.js'

/** How one of several services on the same data keeps out of the way of the others. */
export interface Sharing {
  /** Resolves when what is known of the dataset is recent. */
  recent(): Promise<void>
  /** Keeps others from storing a batch of the same mark. */
  claim(mark: bigint): Promise<Lease>
  /** Runs what changes the dataset while no other service does. */
  alone<Result>(work: (lease: Lease) => Promise<Result>): Promise<Result>
}

interface WriterOptions {
  /** Undefined where nobody else uses the data. */
  readonly sharing: Sharing | undefined
  readonly target: Growing
  readonly sequence: Sequence
  /** Where files for the engine may be made. */
  readonly spool: string
  readonly answers: BatchAnswers
  readonly slots: LimitFunction
  /** Is told how many events were stored. */
  stored(events: number): void
}

/** What is said of lines that are rejected must fit in memory, and into an answer. */
const MOST_LINES = 1_048_576

/**
 * Stores the batches of one dataset. Batches that are what the dataset expects go into the engine
 * unread, and those that wait meanwhile go in together. A batch that is not has the dataset for
 * itself: its odd lines are read, and the dataset grows or the lines are rejected.
 */
export class Writer {
  private readonly options: WriterOptions
  private readonly queue: WriteQueue
  private readonly underWay = new Map<string, Promise<BatchOutcome>>()
  private readonly unsettled = new Set<Promise<BatchOutcome>>()
  private readonly named: NamedBatches
  /** Some of the dataset's events are such that a quick look never vouches for them. */
  private exact = false
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
    const before = batchId === undefined ? undefined : this.underWay.get(batchId)
    // The sender gave up waiting, and sends again what is still on its way.
    if (before !== undefined) return before
    const stored = this.begin(batch).catch((error: unknown) => {
      throw storeError(error)
    })
    this.unsettled.add(stored)
    if (batchId !== undefined) this.underWay.set(batchId, stored)
    const settled = (): void => {
      this.unsettled.delete(stored)
      if (batchId !== undefined) this.underWay.delete(batchId)
    }
    stored.then(settled, settled)
    return stored
  }

  /** Runs what changes the dataset, while nothing is being stored; it has to use the engine that it is given. */
  alone(work: (engine: Engine) => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.queue.addLone(() => this.amongAll(work).then(resolve, reject))
    })
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.unsettled)
  }

  private async begin(batch: Batch): Promise<BatchOutcome> {
    const { batchId, arrivedAt } = batch
    const terms = termsOf(batch)
    const lines = plain(batch.lines)
    const facts = await countLines(lines)
    if (facts.lines > MOST_LINES) throw tooManyLines()
    const mark = batchMark(batchId)
    const outcomeOf = (stored: Stored): BatchOutcome => outcome(batch, stored, facts)
    const onStored = (stored: BatchOutcome): void => batch.onStored?.(stored)
    if (facts.filled === 0 && mark === 0n) {
      const nothing = outcomeOf(NOTHING)
      onStored(nothing)
      return nothing
    }
    const { sharing } = this.options
    const lease = mark === 0n ? undefined : await sharing?.claim(mark)
    try {
      // Whoever had the claim before may have made the dataset.
      await sharing?.recent()
      await this.open()
      const waiting = { lines, facts, arrivedAt, terms, mark, lease, outcomeOf, onStored }
      return await this.wait(waiting)
    } finally {
      lease?.release()
    }
  }

  /** Runs what changes the dataset while no other service does either. */
  private async amongAll(work: (engine: Engine) => Promise<void>): Promise<void> {
    const { sharing, target } = this.options
    if (sharing === undefined) await work(target.engine)
    else await sharing.alone((lease) => work(fencedEngine(target.engine, [lease])))
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

  private async number(query: Parameters<Growing['engine']['ask']>[0]): Promise<bigint> {
    const answer = await this.options.target.engine.ask(query)
    return BigInt(answer.columns.get('n')?.slice(1, -1) ?? '0')
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
      if (await this.storeExpected(loads)) await this.answerStored(loads)
      else this.storeAlone(await this.storeApart(loads))
    } catch (error) {
      await removeLoads(loads)
      throw error
    }
  }

  /**
   * Stores files of which at least one holds what is not expected: the others need not suffer for it. Answers
   * with those that do: should something fail meanwhile, their senders are told so, and none is stored later.
   */
  private async storeApart(loads: readonly Load[]): Promise<readonly Load[]> {
    if (loads.length <= 1) return loads
    const middle = Math.ceil(loads.length / 2)
    const [first, second] = [loads.slice(0, middle), loads.slice(middle)]
    if (await this.storeExpected(first)) {
      await this.answerStored(first)
      // Then it is in the other half.
      return await this.storeApart(second)
    }
    const odd = await this.storeApart(first)
    if (!(await this.storeExpected(second))) return [...odd, ...(await this.storeApart(second))]
    await this.answerStored(second)
    return odd
  }

  private async answerStored(loads: readonly Load[]): Promise<void> {
    await removeLoads(loads)
    for (const job of loads.flatMap(({ jobs }) => jobs)) {
      await this.answer(job, { ingested: job.facts.filled, rejected: [], blocksCreated: 1 })
    }
  }

  /** Stores all events; false, and none is stored, when some are not what the dataset expects. */
  private async storeExpected(loads: readonly Load[]): Promise<boolean> {
    const { engine, current } = this.options.target
    const dataset = current()
    const terms = loads[0]?.jobs[0]?.terms
    if (dataset === undefined || terms === undefined) return false
    const { exact, timeForms } = this
    const files = loads.map(({ file }) => file)
    try {
      const fenced = fencedEngine(engine, leasesOf(loads))
      await fenced.load(insertStatement({ dataset, files, terms, timeForms, exact }))
      return true
    } catch (error) {
      if (error instanceof EngineError && error.code === GUARD_CODE) return false
      throw error
    }
  }

  /** Stores files one by one, with the dataset for themselves. */
  private storeAlone(loads: readonly Load[]): void {
    for (const load of loads) {
      this.queue.addLone(() =>
        this.amongAll((engine) => this.storeOdd(load, engine)).catch(async (error: unknown) => {
          await removeLoads([load])
          fail(load.jobs, error)
        }),
      )
    }
  }

  private async storeOdd(load: Load, engine: Engine): Promise<void> {
    const { file, jobs } = load
    const target = { ...this.options.target, engine: fencedEngine(engine, leasesOf([load])) }
    const isNew = target.current() === undefined
    const terms = jobs[0]?.terms ?? { timestampField: '' }
    const batch = new OddBatch({ target, file, terms, timeForms: this.timeForms })
    const all = await batch.store().finally(() => removeLoads([load]))
    if (batch.wasExpected && !isNew) this.exact = true
    for (const [i, job] of jobs.entries()) await this.answer(job, all[i] ?? NOTHING)
  }

  private async answer(job: Job, stored: Stored): Promise<void> {
    this.options.stored(stored.ingested)
    await this.named.answer(job, stored)
  }
}

function tooManyLines(): StoreError {
  return new StoreError({
    reason: 'too-many-lines',
    message: `The request has more than ${MOST_LINES} lines: none of them were stored. Several smaller ones pass.`,
  })
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}

function outcome(batch: Batch, stored: Stored, facts: LinesFacts): BatchOutcome {
  const { ingested, blocksCreated } = stored
  const { bytes = facts.bytes, arrivedAt } = batch
  const events = batch.rejectedEvents?.(stored.rejected, MOST_LISTED) ?? {
    failed: stored.rejected.length,
    rejected: stored.rejected.slice(0, MOST_LISTED),
  }
  return { ingested, ...events, blocksCreated, bytes, arrivedAt }
}

function termsOf({ timestampField, timeFormat, labels }: Batch): EventOptions {
  return { timestampField, ...(timeFormat && { timeFormat }), ...(labels && { labels }) }
}

/** Lines as they can be put together and read. */
function plain(lines: Lines): Lines {
  if (lines.kind === 'file') {
    refusePattern(lines.path)
    return lines
  }
  // Behind other lines a byte-order mark would be a part of an event.
  const isMarked = lines.bytes.subarray(0, MARK.length).equals(MARK)
  return isMarked ? { kind: 'bytes', bytes: lines.bytes.subarray(MARK.length) } : lines
}
