import { sql } from '../sql/sql.js'
import type { TimeForm } from '../wire/event-time.js'
import { textsIn } from './answer.js'
import { type BatchAnswers, marksSql } from './batch-answers.js'
import { tableOf } from './database.js'
import { type Job, loadsOf, NOTHING, removeLoads } from './load.js'
import { type Growing, OddBatch } from './odd-batch.js'
import type { Sequence } from './sequence.js'
import type { Stored } from './store.js'

interface NamedBatchesOptions {
  readonly target: Growing
  readonly answers: BatchAnswers
  readonly spool: string
  readonly sequence: Sequence
}

/** The batches of one dataset that came under a name: each is stored once, and always answered as it was first. */
export class NamedBatches {
  private readonly options: NamedBatchesOptions

  constructor(options: NamedBatchesOptions) {
    this.options = options
  }

  /** Answers the jobs that are done already, and those with nothing in them, and returns the others. */
  async newOnes(jobs: readonly Job[]): Promise<readonly Job[]> {
    const marks = jobs.map(({ mark }) => mark).filter((mark) => mark !== 0n)
    const { answers, target } = this.options
    const [told, stored] =
      marks.length === 0
        ? [new Map<bigint, string>(), new Map<bigint, number>()]
        : await Promise.all([answers.find(target.name, marks), this.storedRows(marks)])
    const left: Job[] = []
    for (const job of jobs) {
      const answer = told.get(job.mark)
      const rows = stored.get(job.mark)
      if (answer !== undefined) job.resolve(answer)
      // A crash came before it was written down what the sender was told, if anything.
      else if (rows !== undefined) await this.answer(job, await this.again(job, rows))
      else if (job.facts.filled === 0) await this.answer(job, NOTHING)
      else left.push(job)
    }
    return left
  }

  /** Tells the sender, and keeps what it was told when the batch has a name. */
  async answer({ mark, reply, resolve }: Job, stored: Stored): Promise<void> {
    const { answers, target } = this.options
    const answer = reply(stored)
    if (mark !== 0n) {
      const kept = { dataset: target.name, mark, answer }
      // Of a batch without loss the rows tell as much, should a crash come first.
      if (stored.ingested > 0 && stored.rejected.length === 0) answers.keep(kept)
      else await answers.keepNow(kept)
    }
    resolve(answer)
  }

  private async storedRows(marks: readonly bigint[]): Promise<ReadonlyMap<bigint, number>> {
    const { name, engine, current } = this.options.target
    if (current() === undefined) return new Map()
    const answer = await engine.ask(sql`
      SELECT toString(_batch) AS mark, toString(count()) AS rows FROM ${tableOf(name)}
      WHERE _batch IN (${marksSql(marks)}) GROUP BY _batch`)
    const rows = textsIn(answer, 'rows')
    return new Map(textsIn(answer, 'mark').map((mark, i) => [BigInt(mark), Number(rows[i])]))
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
