import { dirname } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { LimitFunction } from 'p-limit'
import { GroupCommit } from './group-commit.js'
import type { Job } from './insert-job.js'

interface QueueOptions {
  readonly slots: LimitFunction
  /** Stores jobs that go together, and tells them what became of them; never rejects. */
  store(group: readonly Job[]): Promise<void>
}

/** Inserts of a dataset that run at once. */
const MAX_RUNNING = 2
const PARALLEL_INSERT_BYTES = 8 * 1024 * 1024
const GROUP_BYTES = 32 * 1024 * 1024
const GROUP_FILES = 256

/**
 * When the batches of one dataset are stored, and which of them together. What has the dataset for itself
 * goes before those that wait.
 */
export class WriteQueue {
  private readonly slots: LimitFunction
  private readonly store: QueueOptions['store']
  private readonly waiting: Job[] = []
  private readonly exclusive: (() => Promise<void>)[] = []
  private readonly groupCommit = new GroupCommit()
  private commitTimer: NodeJS.Timeout | undefined
  private running = 0
  private isExclusive = false

  constructor({ slots, store }: QueueOptions) {
    this.slots = slots
    this.store = store
  }

  add(job: Job): void {
    this.waiting.push(job)
    this.groupCommit.added()
    this.pump()
  }

  /** Has work run while nothing is being stored; it tells of its failure itself. */
  addExclusive(work: () => Promise<void>): void {
    this.exclusive.push(work)
    this.pump()
  }

  /** Starts what may start now. */
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
    while (this.mayStart()) {
      const group = this.takeGroup()
      this.groupCommit.started({ count: group.length, left: this.waiting.length })
      this.start(() => this.store(group))
    }
  }

  private mayStart(): boolean {
    if (this.waiting.length === 0) return false
    const bytes = this.waiting.reduce((sum, { counts }) => sum + counts.bytes, 0)
    // Beside another insert only with enough to do: small ones rather wait and go in together.
    if (this.running > 0) return this.running < MAX_RUNNING && bytes >= PARALLEL_INSERT_BYTES
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

  /** Starts work that tells of its failure itself. */
  private start(work: () => Promise<void>): void {
    this.running++
    void this.slots(work).finally(() => {
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
      const fits = count < GROUP_FILES && bytes <= GROUP_BYTES
      if (first !== job && !(fits && first !== undefined && canShareInsert(first, job))) break
      count++
    }
    return this.waiting.splice(0, count)
  }
}

/** Whether one statement can read both: it has one pattern for the files, and is told one thing of the events. */
function canShareInsert(one: Job, other: Job): boolean {
  return isDeepStrictEqual(one.terms, other.terms) && folder(one) === folder(other)
}

/** Where its file is; nothing for one in memory, which becomes a file with others of its kind. */
function folder({ lines }: Job): string | undefined {
  return lines.kind === 'file' ? dirname(lines.path) : undefined
}
