import { sql } from '../../sql/sql.js'
import type { TimeForm } from '../../wire/event/event-time.js'
import { tableOf } from '../catalog/database.js'
import { lookupError, responseError } from '../ingest/disk-space.js'
import { type Job, loadsOf, NOTHING, removeLoads } from '../ingest/load.js'
import type { Sequence } from '../ingest/sequence.js'
import { type Growing, OddBatch } from '../ingest/slow-path.js'
import type { Stored } from '../store.js'
import { byMark, foundFor, lowHalvesSql } from './batch-hash.js'
import { type BatchOutcome, decodeOutcome, encodeOutcome } from './batch-outcome.js'
import type { BatchAnswers } from './batch-responses.js'

interface NamedBatchesOptions {
  readonly target: Growing
  readonly answers: BatchAnswers
  readonly spool: string
  readonly sequence: Sequence
}

/** The batches of one dataset that have an id: each is stored once, and its first outcome is returned whenever it is sent again. */
export class NamedBatches {
  private readonly options: NamedBatchesOptions

  constructor(options: NamedBatchesOptions) {
    this.options = options
  }

  /** Responds to the jobs that are stored already or have no events, and returns the others. */
  async newOnes(jobs: readonly Job[]): Promise<readonly Job[]> {
    const named = jobs.filter(({ mark }) => mark !== 0n)
    if (named.length === 0) return jobs
    try {
      const [answers, rows] = await this.earlier(named.map(({ mark }) => mark))
      const left: Job[] = []
      for (const job of jobs) {
        const saved = answers.get(job.mark)
        const stored = foundFor(rows, job.mark)
        if (saved !== undefined) resolveSaved(job, saved)
        // The process was killed before the outcome was saved.
        else if (stored !== undefined) await this.answerAgain(job, stored)
        else if (job.facts.filled === 0) await this.answer(job, NOTHING)
        else left.push(job)
      }
      return left
    } catch (error) {
      for (const { reject } of named) reject(lookupError(error))
      return jobs.filter(({ mark }) => mark === 0n)
    }
  }

  /** Resolves the job of a batch that was stored just now; its outcome is saved when the batch has an id. Never rejects. */
  answer(job: Job, stored: Stored): Promise<void> {
    return this.settle(job, stored, (outcome) => job.onStored(outcome))
  }

  private async settle(
    job: Job,
    stored: Stored,
    onOutcome: (outcome: BatchOutcome) => void,
  ): Promise<void> {
    try {
      const outcome = job.outcomeOf(stored)
      onOutcome(outcome)
      if (job.mark !== 0n) await this.save(job.mark, outcome, stored)
      job.resolve(outcome)
    } catch (error) {
      job.reject(stored.ingested > 0 ? responseError(error) : error)
    }
  }

  private async save(mark: bigint, outcome: BatchOutcome, stored: Stored): Promise<void> {
    const { answers, target } = this.options
    const kept = { dataset: target.name, mark, outcome: encodeOutcome(outcome) }
    // The rows alone give the same outcome after a crash.
    if (stored.ingested > 0 && stored.rejected.length === 0) return answers.keep(kept)
    const saved = answers.keepNow(kept)
    // The rows are in whether or not this write succeeds, and it is tried again.
    await (stored.ingested > 0 ? saved.catch(() => {}) : saved)
  }

  /** Responds to a batch whose rows were stored before. */
  private async answerAgain(job: Job, rows: number): Promise<void> {
    try {
      await this.settle(job, await this.again(job, rows), () => {})
    } catch (error) {
      job.reject(responseError(error))
    }
  }

  private earlier(
    marks: readonly bigint[],
  ): Promise<[ReadonlyMap<bigint, string>, ReadonlyMap<bigint, number>]> {
    const { answers, target } = this.options
    return Promise.all([answers.find(target.name, marks), this.storedRows(marks)])
  }

  private async storedRows(marks: readonly bigint[]): Promise<ReadonlyMap<bigint, number>> {
    const { name, engine, current } = this.options.target
    if (current() === undefined) return new Map()
    const answer = await engine.ask(sql`
      SELECT toString(_batch) AS low, toString(_batchHigh) AS high, toString(count()) AS rows
      FROM ${tableOf(name)} WHERE _batch IN (${lowHalvesSql(marks)}) GROUP BY _batch, _batchHigh`)
    return new Map([...byMark(answer, 'rows')].map(([mark, rows]) => [mark, Number(rows)]))
  }

  /** What became of a batch whose rows are stored. */
  private async again(job: Job, rows: number): Promise<Stored> {
    const stored = { ingested: rows, rejected: [], blocksCreated: 1 }
    if (rows === job.facts.filled) return stored
    const loads = await loadsOf([job], this.options)
    try {
      const [load] = loads
      if (load === undefined) return stored
      const { target } = this.options
      // What it learns of times is of no use: nothing is stored.
      const timeForms = new Set<TimeForm>()
      const batch = new OddBatch({ target, file: load.file, terms: job.terms, timeForms })
      const [rejected = []] = await batch.rejections()
      return { ...stored, rejected }
    } finally {
      await removeLoads(loads)
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
