import { sql } from '../../sql/sql.js'
import type { RejectedLine } from '../../wire/event/event-lines.js'
import type { BatchOutcome, StoredLines } from '../batch.js'
import { isOneOf } from '../batch-hash.js'
import { type DatasetHandle, withoutFields } from '../catalog/dataset.js'
import { deleteEvents, requireSpace } from '../catalog/deletion.js'
import { ArrivedBatches } from '../deduplication/arrived-batches.js'
import { decodeOutcome, encodeOutcome } from '../deduplication/batch-outcome.js'
import type { SavedOutcomes } from '../deduplication/saved-outcomes.js'
import { storedRows } from '../deduplication/stored-rows.js'
import { lookupError, responseError } from '../store-error.js'
import { type Job, type LoadOptions, loadsOf, NOTHING_STORED, outcomeOf } from './insert-job.js'

export interface NamedBatchesOptions extends LoadOptions {
  readonly target: DatasetHandle
  readonly savedOutcomes: SavedOutcomes
}

/** The batches of one dataset that have an id: each is stored once, and its first outcome is returned when it is sent again. */
export class NamedBatches {
  private readonly options: NamedBatchesOptions
  readonly arrived: ArrivedBatches

  constructor(options: NamedBatchesOptions) {
    this.options = options
    this.arrived = new ArrivedBatches(options)
  }

  /** Settles the jobs whose batches are stored already or have no events, and returns the other jobs. */
  async newOnes(jobs: readonly Job[]): Promise<readonly Job[]> {
    const named = jobs.filter(({ batchHash }) => batchHash !== 0n)
    if (named.length === 0) return jobs
    try {
      const earlier = this.arrived.add(named.map(({ batchHash }) => batchHash))
      const [outcomes, rows] = await this.earlier(earlier)
      const { engine, name } = this.options.target
      // An earlier attempt may have stored fewer copies than a response requires.
      if (outcomes.size + rows.size > 0) await engine.confirmCopies?.(name)
      const left: Job[] = []
      for (const job of jobs) {
        const saved = outcomes.get(job.batchHash)
        const stored = rows.get(job.batchHash)
        if (saved !== undefined) resolveSaved(job, saved)
        // The process was killed before the outcome was saved.
        else if (stored !== undefined) await this.resolveEarlier(job, stored)
        else if (job.counts.events === 0) await this.resolve(job, NOTHING_STORED)
        else left.push(job)
      }
      return left
    } catch (error) {
      for (const { reject } of named) reject(lookupError(error))
      return jobs.filter(({ batchHash }) => batchHash === 0n)
    }
  }

  /** Resolves the job of a batch that was stored just now; its outcome is saved when the batch has an id. Never rejects. */
  resolve(job: Job, stored: StoredLines): Promise<void> {
    return this.settle(job, stored, (outcome) => job.batch.onStored?.(outcome))
  }

  /** Prevents batches from being stored from now on, and resolves when that is durable. */
  async fence(hashes: readonly bigint[]): Promise<void> {
    const { savedOutcomes, target } = this.options
    this.arrived.add(hashes)
    await savedOutcomes.saveRemoved(target.name, new Map(hashes.map((hash) => [hash, 0])))
  }

  /**
   * Deletes the events of fenced batches, which must not be in flight. Resolves with the number of events that they had,
   * including events that an earlier call has deleted.
   */
  async remove(hashes: readonly bigint[]): Promise<number> {
    const { savedOutcomes, target, spool } = this.options
    const dataset = target.name
    // An outcome in memory would take precedence.
    await savedOutcomes.flush()
    const rows = await this.storedRows(hashes)
    const stored = new Map(hashes.map((hash) => [hash, rows.get(hash) ?? 0]))
    const found = new Map([...stored].filter(([, events]) => events > 0))
    const isDeleted = isOneOf(sql`_batch`, [...found.keys()])
    if (found.size > 0) await requireSpace(target.engine, dataset, { isDeleted, spool })
    // The number is saved first: after a crash, the rows no longer show it.
    await savedOutcomes.saveRemoved(dataset, found)
    if (found.size > 0) await deleteEvents(target.engine, dataset, isDeleted)
    return await savedOutcomes.removedEvents(dataset, hashes)
  }

  private async settle(
    job: Job,
    stored: StoredLines,
    onOutcome: (outcome: BatchOutcome) => void,
  ): Promise<void> {
    try {
      const outcome = outcomeOf(job, stored)
      onOutcome(outcome)
      if (job.batchHash !== 0n) await this.save(job.batchHash, outcome, stored)
      job.resolve(outcome)
    } catch (error) {
      job.reject(stored.ingested > 0 ? responseError(error) : error)
    }
  }

  private async save(batchHash: bigint, outcome: BatchOutcome, stored: StoredLines): Promise<void> {
    const { savedOutcomes, target } = this.options
    const kept = { dataset: target.name, batchHash, outcome: encodeOutcome(outcome) }
    // The rows alone give the same outcome after a crash.
    if (stored.ingested > 0 && stored.rejected.length === 0) return savedOutcomes.save(kept)
    const saved = savedOutcomes.saveNow(kept)
    // The rows are stored whether or not this write succeeds, and it is tried again.
    await (stored.ingested > 0 ? saved.catch(() => {}) : saved)
  }

  /** Responds to a batch whose rows were stored before. */
  private async resolveEarlier(job: Job, rows: number): Promise<void> {
    try {
      const rejected = rows === job.counts.events ? [] : await this.rejections(job)
      await this.settle(job, { ingested: rows, rejected, blocksCreated: 1 }, () => {})
    } catch (error) {
      job.reject(responseError(error))
    }
  }

  private async earlier(
    hashes: readonly bigint[],
  ): Promise<[ReadonlyMap<bigint, string>, ReadonlyMap<bigint, number>]> {
    const { savedOutcomes, target } = this.options
    if (hashes.length === 0) return [new Map(), new Map()]
    return await Promise.all([savedOutcomes.find(target.name, hashes), this.storedRows(hashes)])
  }

  private async storedRows(hashes: readonly bigint[]): Promise<ReadonlyMap<bigint, number>> {
    const { target, journal } = this.options
    const { name, engine, current } = target
    if (current() === undefined) return new Map()
    return await (journal?.storedRows(name, hashes) ?? storedRows(engine, name, hashes))
  }

  private async rejections(job: Job): Promise<readonly RejectedLine[]> {
    const { target } = this.options
    const [load] = loadsOf([job], this.options)
    try {
      // The rejected lines do not depend on the fields of the dataset.
      if (job.scan === undefined) await load?.scan(target.current() ?? withoutFields(target.name))
      return job.scan?.rejected ?? []
    } finally {
      await load?.remove()
    }
  }
}

function resolveSaved(job: Job, saved: string): void {
  try {
    job.resolve(decodeOutcome(saved))
  } catch (error) {
    job.reject(lookupError(error))
  }
}
