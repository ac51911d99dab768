import { dirname } from 'node:path'
import { sql } from '../sql/sql.js'
import { batchMark } from './batch-mark.js'
import { tableOf } from './catalog.js'
import { EngineError } from './engine.js'
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
  readonly slots: Pool<object>
  /** Is told how many events were stored. */
  stored(events: number): void
}

interface Job {
  readonly file: InsertionFile
  readonly timestampField: string
  resolve(stored: Stored): void
  reject(error: unknown): void
}

/** Inserts of a dataset that run at once. */
const RUNNING = 2
const WORTH_ANOTHER_BYTES = 8 * 1024 * 1024
const GROUP_BYTES = 32 * 1024 * 1024
const GROUP_FILES = 256

/**
 * Stores the batches of one dataset. Batches that are what the dataset expects go into the engine
 * unread, and those that wait meanwhile go in together. A batch that is not has the dataset for
 * itself: its odd lines are read, and the dataset grows or the lines are rejected.
 */
export class Writer {
  private readonly options: WriterOptions
  private readonly waiting: Job[] = []
  private readonly lone: (() => Promise<void>)[] = []
  private readonly named = new Map<string, Promise<Stored>>()
  private readonly unsettled = new Set<Promise<Stored>>()
  private running = 0
  private isAlone = false
  /** Some of the dataset's events are such that a quick look never vouches for them. */
  private exact = false
  private opened: Promise<void> | undefined

  constructor(options: WriterOptions) {
    this.options = options
  }

  store(batch: Batch): Promise<Stored> {
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

  private async begin({ file: path, batchId, arrivedAt, timestampField }: Batch): Promise<Stored> {
    refusePattern(path)
    const [facts] = await Promise.all([countLines(path), this.open()])
    if (facts.filled === 0) return { ingested: 0, rejected: [], blocksCreated: 0 }
    const batch = batchMark(batchId)
    const firstSeq = this.options.sequence.take(facts.lines)
    const file: InsertionFile = { path, facts, arrivedAt, firstSeq, batch }
    const there = batch === 0n ? 0 : await this.rowsOf(batch)
    if (there > 0) return await this.again({ file, timestampField, there })
    return await new Promise((resolve, reject) => {
      this.waiting.push({ file, timestampField, resolve, reject })
      this.pump()
    })
  }

  /** Answers a batch that is stored already as it was answered before. */
  private async again(options: {
    readonly file: InsertionFile
    readonly timestampField: string
    readonly there: number
  }): Promise<Stored> {
    const { file, timestampField, there } = options
    const stored = { ingested: there, rejected: [], blocksCreated: 1 }
    if (there === file.facts.filled) return stored
    const { target } = this.options
    return {
      ...stored,
      rejected: await new OddBatch({ target, file, timestampField }).rejections(),
    }
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

  private async rowsOf(batch: bigint): Promise<number> {
    const { target } = this.options
    if (target.current() === undefined) return 0
    const table = tableOf(target.name)
    return Number(await this.number(sql`SELECT count() AS n FROM ${table} WHERE _batch = ${batch}`))
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
      if (this.options.target.current() === undefined) {
        this.storeAlone(group)
        this.pump()
        return
      }
      this.start(() => this.storeGroup(group).catch((error) => fail(group, error)))
    }
  }

  private mayStart(): boolean {
    if (this.running === 0) return this.waiting.length > 0
    // Beside another insert only with enough to do: small ones rather wait and go in together.
    const bytes = this.waiting.reduce((sum, { file }) => sum + file.facts.bytes, 0)
    return this.running < RUNNING && bytes >= WORTH_ANOTHER_BYTES
  }

  /** Starts work that tells of its failure itself. */
  private start(work: () => Promise<void>): void {
    this.running++
    void this.options.slots.use(work).finally(() => {
      this.running--
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
    const [first] = group
    const dataset = this.options.target.current()
    if (first === undefined || dataset === undefined) return
    const files = group.map(({ file }) => file)
    const { timestampField } = first
    try {
      await this.options.target.engine.run(
        insertStatement({ dataset, files, timestampField, exact: this.exact }),
      )
    } catch (error) {
      if (!(error instanceof EngineError && error.code === GUARD_CODE)) throw error
      this.storeAlone(group)
      return
    }
    for (const { file, resolve } of group) {
      this.options.stored(file.facts.filled)
      resolve({ ingested: file.facts.filled, rejected: [], blocksCreated: 1 })
    }
  }

  /** Stores jobs one by one, with the dataset for themselves. */
  private storeAlone(jobs: readonly Job[]): void {
    for (const job of jobs) {
      this.lone.push(() => this.storeOdd(job).catch((error) => fail([job], error)))
    }
  }

  private async storeOdd({ file, timestampField, resolve }: Job): Promise<void> {
    const isNew = this.options.target.current() === undefined
    const batch = new OddBatch({ target: this.options.target, file, timestampField })
    const stored = await batch.store()
    this.options.stored(stored.ingested)
    resolve(stored)
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
