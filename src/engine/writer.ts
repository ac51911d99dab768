import { dirname } from 'node:path'
import { sql } from '../sql/sql.js'
import type { BatchAnswers } from './batch-answers.js'
import { batchMark } from './batch-mark.js'
import { batchPasts } from './batch-past.js'
import { tableOf } from './catalog.js'
import { EngineError } from './engine.js'
import { Gathering } from './gathering.js'
import { GUARD_CODE, type InsertionFile, insertStatement } from './insertion.js'
import { countLines } from './lines.js'
import { type Growing, OddBatch } from './odd-batch.js'
import type { Pool } from './pool.js'
import type { Sequence } from './sequence.js'
import { storeError } from './space.js'
import { refusePattern } from './spool-path.js'
import type { Batch, Stored } from './store.js'

export interface WriterOptions {
  readonly target: Growing
  readonly sequence: Sequence
  readonly answers: BatchAnswers
  readonly slots: Pool<object>
  /** Is told how many events were stored. */
  stored(events: number): void
}

interface Job {
  readonly file: InsertionFile
  readonly timestampField: string
  reply(stored: Stored): string
  resolve(answer: string): void
  reject(error: unknown): void
}

/** Inserts of a dataset that run at once. */
const RUNNING = 2
const WORTH_ANOTHER_BYTES = 8 * 1024 * 1024
const GROUP_BYTES = 32 * 1024 * 1024
const GROUP_FILES = 256
const NOTHING: Stored = { ingested: 0, rejected: [], blocksCreated: 0 }

/**
 * Stores the batches of one dataset. Batches that are what the dataset expects go into the engine
 * unread, and those that wait meanwhile go in together. A batch that is not has the dataset for
 * itself: its odd lines are read, and the dataset grows or the lines are rejected.
 */
export class Writer {
  private readonly options: WriterOptions
  private readonly waiting: Job[] = []
  private readonly lone: (() => Promise<void>)[] = []
  private readonly named = new Map<string, Promise<string>>()
  private readonly unsettled = new Set<Promise<string>>()
  private readonly gathering = new Gathering()
  private gatherTimer: NodeJS.Timeout | undefined
  private running = 0
  private isAlone = false
  /** Some of the dataset's events are such that a quick look never vouches for them. */
  private exact = false
  private opened: Promise<void> | undefined

  constructor(options: WriterOptions) {
    this.options = options
  }

  store(batch: Batch): Promise<string> {
    const { batchId } = batch
    const before = batchId === undefined ? undefined : this.named.get(batchId)
    // The sender gave up waiting, and sends again what is still on its way.
    if (before !== undefined) return before
    const stored = this.begin(batch).catch((error: unknown) => {
      throw storeError(error)
    })
    this.unsettled.add(stored)
    if (batchId !== undefined) this.named.set(batchId, stored)
    const settled = (): void => {
      this.unsettled.delete(stored)
      if (batchId !== undefined) this.named.delete(batchId)
    }
    stored.then(settled, settled)
    return stored
  }

  /** Runs what changes the dataset, while nothing is being stored. */
  alone(work: () => Promise<void>): Promise<void> {
    return new Promise((resolve, reject) => {
      this.lone.push(() => work().then(resolve, reject))
      this.pump()
    })
  }

  async settled(): Promise<void> {
    await Promise.allSettled(this.unsettled)
  }

  private async begin(batch: Batch): Promise<string> {
    const { file: path, batchId, arrivedAt, timestampField } = batch
    refusePattern(path)
    const [facts] = await Promise.all([countLines(path), this.open()])
    const mark = batchMark(batchId)
    if (facts.filled === 0 && mark === 0n) return batch.reply(NOTHING)
    const firstSeq = this.options.sequence.take(facts.lines)
    const file: InsertionFile = { path, facts, arrivedAt, firstSeq, batch: mark }
    return await new Promise((resolve, reject) => {
      const reply = (stored: Stored): string => batch.reply(stored)
      this.waiting.push({ file, timestampField, reply, resolve, reject })
      this.gathering.came()
      this.pump()
    })
  }

  private open(): Promise<void> {
    this.opened ??= this.skipTaken().catch((error: unknown) => {
      this.opened = undefined
      throw error
    })
    return this.opened
  }

  private async skipTaken(): Promise<void> {
    const { target, sequence } = this.options
    if (target.current() === undefined) return
    const last = await this.number(sql`SELECT max(_seq) AS n FROM ${tableOf(target.name)}`)
    sequence.skip(last)
  }

  private async number(query: Parameters<Growing['engine']['ask']>[0]): Promise<bigint> {
    const answer = await this.options.target.engine.ask(query)
    return BigInt(answer.columns.get('n')?.slice(1, -1) ?? '0')
  }

  /** Starts what may start now. */
  private pump(): void {
    if (this.isAlone) return
    const lone = this.lone[0]
    if (lone !== undefined) {
      if (this.running > 0) return
      this.lone.shift()
      this.isAlone = true
      this.start(lone)
      return
    }
    while (this.mayStart()) {
      const group = this.takeGroup()
      this.gathering.began({ count: group.length, left: this.waiting.length })
      this.start(() => this.storeGroup(group).catch((error) => fail(group, error)))
    }
  }

  private mayStart(): boolean {
    if (this.waiting.length === 0) return false
    const bytes = this.waiting.reduce((sum, { file }) => sum + file.facts.bytes, 0)
    // Beside another insert only with enough to do: small ones rather wait and go in together.
    if (this.running > 0) return this.running < RUNNING && bytes >= WORTH_ANOTHER_BYTES
    const delayMs = this.gathering.delay({ count: this.waiting.length, bytes })
    if (delayMs > 0) this.pumpLater(delayMs)
    return delayMs === 0
  }

  private pumpLater(delayMs: number): void {
    this.gatherTimer ??= setTimeout(() => {
      this.gatherTimer = undefined
      this.pump()
    }, delayMs)
  }

  /** Starts work that tells of its failure itself. */
  private start(work: () => Promise<void>): void {
    this.running++
    void this.options.slots.use(work).finally(() => {
      this.running--
      this.gathering.finished()
      if (this.running === 0) this.isAlone = false
      this.pump()
    })
  }

  private takeGroup(): Job[] {
    const [first] = this.waiting
    let bytes = 0
    let count = 0
    for (const job of this.waiting) {
      bytes += job.file.facts.bytes
      const fits = count < GROUP_FILES && bytes <= GROUP_BYTES
      if (first !== job && !(fits && first !== undefined && goTogether(first, job))) break
      count++
    }
    return this.waiting.splice(0, count)
  }

  private async storeGroup(group: readonly Job[]): Promise<void> {
    const jobs = await this.newOnes(group)
    const [first] = jobs
    if (first === undefined) return
    const dataset = this.options.target.current()
    if (dataset === undefined) {
      this.storeAlone(jobs)
      return
    }
    const files = jobs.map(({ file }) => file)
    const { timestampField } = first
    try {
      await this.options.target.engine.run(
        insertStatement({ dataset, files, timestampField, exact: this.exact }),
      )
    } catch (error) {
      if (!(error instanceof EngineError && error.code === GUARD_CODE)) throw error
      this.storeAlone(jobs)
      return
    }
    for (const job of jobs) {
      const ingested = job.file.facts.filled
      this.options.stored(ingested)
      await this.answer(job, { ingested, rejected: [], blocksCreated: 1 })
    }
  }

  /** Answers the jobs that are done already, and returns those that are left. */
  private async newOnes(group: readonly Job[]): Promise<readonly Job[]> {
    const { target, answers } = this.options
    const marks = group.map(({ file }) => file.batch).filter((mark) => mark !== 0n)
    const pasts = await batchPasts(marks, { target, answers })
    const left: Job[] = []
    for (const job of group) {
      const past = pasts.get(job.file.batch)
      if (past?.kind === 'told') job.resolve(past.answer)
      else if (past?.kind === 'stored') await this.answer(job, await this.again(job, past.rows))
      else if (job.file.facts.filled === 0) await this.answer(job, NOTHING)
      else left.push(job)
    }
    return left
  }

  /** What became of a batch whose rows are stored already. */
  private async again({ file, timestampField }: Job, rows: number): Promise<Stored> {
    const stored = { ingested: rows, rejected: [], blocksCreated: 1 }
    if (rows === file.facts.filled) return stored
    const batch = new OddBatch({ target: this.options.target, file, timestampField })
    return { ...stored, rejected: await batch.rejections() }
  }

  /** Tells the sender, and keeps what it was told when the batch has a name. */
  private async answer({ file, reply, resolve }: Job, stored: Stored): Promise<void> {
    const { target, answers } = this.options
    const answer = reply(stored)
    if (file.batch !== 0n) {
      const kept = { dataset: target.name, mark: file.batch, answer }
      // Of a batch without loss the rows tell as much, should a crash come first.
      if (stored.ingested > 0 && stored.rejected.length === 0) answers.keep(kept)
      else await answers.keepNow(kept)
    }
    resolve(answer)
  }

  /** Stores jobs one by one, with the dataset for themselves. */
  private storeAlone(jobs: readonly Job[]): void {
    for (const job of jobs) {
      this.lone.push(() => this.storeOdd(job).catch((error) => fail([job], error)))
    }
  }

  private async storeOdd(job: Job): Promise<void> {
    const { file, timestampField } = job
    const isNew = this.options.target.current() === undefined
    const batch = new OddBatch({ target: this.options.target, file, timestampField })
    const stored = await batch.store()
    this.options.stored(stored.ingested)
    await this.answer(job, stored)
    if (batch.wasExpected && !isNew) this.exact = true
  }
}

function fail(jobs: readonly Job[], error: unknown): void {
  for (const job of jobs) job.reject(error)
}

/** Whether one statement can read both: it has one pattern for the files and one field for the time. */
function goTogether(one: Job, other: Job): boolean {
  return (
    one.timestampField === other.timestampField &&
    dirname(one.file.path) === dirname(other.file.path)
  )
}
