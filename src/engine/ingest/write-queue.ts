import { isDeepStrictEqual } from 'node:util'
import type { LimitFunction } from 'p-limit'
import { FULL_BYTES, GroupCommit } from './group-commit.js'
import type { Job } from './insert-job.js'

interface QueueOptions {
  readonly slots: LimitFunction
  /** True when a batch with an id is stored alone. */
  readonly storesNamedAlone: boolean
  /** Stores jobs together and settles them; never rejects. */
  store(group: readonly Job[]): Promise<void>
}

/** Concurrent inserts into a dataset. */
const MAX_RUNNING = 2
/** Concurrent inserts of batches that are stored alone: each waits for several servers, and for seconds when one was lost. */
const MAX_ALONE = 8
const GROUP_FILES = 256

/** Decides when the batches of one dataset are stored, and which of them together. Exclusive work takes precedence. */
export class WriteQueue {
  private readonly options: QueueOptions
  private readonly waiting: Job[] = []
  private readonly exclusive: (() => Promise<void>)[] = []
  private readonly groupCommit = new GroupCommit()
  private commitTimer: NodeJS.Timeout | undefined
  private running = 0
  /** True until an insert that may start has one of the slots of all datasets. */
  private awaitsSlot = false
  private isExclusive = false

  constructor(options: QueueOptions) {
    this.options = options
  }

  add(job: Job): void {
    this.waiting.push(job)
    this.groupCommit.added()
    this.pump()
  }

  /** Queues work to run while nothing is being stored; it must not reject. */
  addExclusive(work: () => Promise<void>): void {
    this.exclusive.push(work)
    this.pump()
  }

  /** Starts all work that may start now. */
  private pump(): void {
    if (this.isExclusive) return
    const work = this.exclusive[0]
    if (work !== undefined) {
      if (this.running > 0) return
      this.exclusive.shift()
      this.isExclusive = true
      this.start(work)
      return
    }
    if (!this.mayStart()) return
    this.awaitsSlot = true
    this.start(() => this.storeGroup())
  }

  /** Stores the jobs that are waiting now: more may have been added since the slot was requested. */
  private storeGroup(): Promise<void> {
    this.awaitsSlot = false
    const group = this.takeGroup()
    this.groupCommit.started({ count: group.length, left: this.waiting.length })
    this.pump()
    return this.options.store(group)
  }

  private mayStart(): boolean {
    const [first] = this.waiting
    if (first === undefined || this.awaitsSlot) return false
    if (this.isAlone(first)) return this.running < MAX_ALONE
    const bytes = this.waiting.reduce((sum, { counts }) => sum + counts.bytes, 0)
    // A second insert needs enough data: other batches wait and are stored together.
    if (this.running > 0) return this.running < MAX_RUNNING && bytes >= FULL_BYTES
    const delayMs = this.groupCommit.delay({ count: this.waiting.length, bytes })
    if (delayMs > 0) this.pumpLater(delayMs)
    return delayMs === 0
  }

  private pumpLater(delayMs: number): void {
    this.commitTimer ??= setTimeout(() => {
      this.commitTimer = undefined
      this.pump()
    }, delayMs)
  }

  private start(work: () => Promise<void>): void {
    this.running++
    void this.options.slots(work).finally(() => {
      this.running--
      this.groupCommit.finished()
      if (this.running === 0) this.isExclusive = false
      this.pump()
    })
  }

  private takeGroup(): Job[] {
    const [first] = this.waiting
    let bytes = 0
    let count = 0
    for (const job of this.waiting) {
      bytes += job.counts.bytes
      const fits = count < GROUP_FILES && bytes <= FULL_BYTES
      if (first !== job && !(fits && first !== undefined && this.canShareInsert(first, job))) break
      count++
    }
    return this.waiting.splice(0, count)
  }

  /** True when one statement can read both: it has files of one batch each, or one file of small batches, and one set of event options. */
  private canShareInsert(one: Job, other: Job): boolean {
    if (this.isAlone(one) || this.isAlone(other)) return false
    return isDeepStrictEqual(one.terms, other.terms) && hasOwnFile(one) === hasOwnFile(other)
  }

  private isAlone({ batchHash }: Job): boolean {
    return this.options.storesNamedAlone && batchHash !== 0n
  }
}

function hasOwnFile({ columns }: Job): boolean {
  return columns !== undefined
}
