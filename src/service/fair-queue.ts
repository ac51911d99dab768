import { deferred } from '../text/deferred.js'
import { tooManyRequests } from './refused-error.js'

interface FairQueueLimits {
  readonly running: number
  readonly waiting: number
}

/** Releases a permit. Calls after the first have no effect. */
export type Release = () => void

interface Waiting {
  readonly caller: string
  /** The round in which it is served: each caller is served once in a round. */
  readonly round: number
  start(): void
  refuse(error: Error): void
}

/** Limits concurrency. Waiting callers are served round robin, so that one caller cannot starve the others. */
export class FairQueue {
  private readonly limits: FairQueueLimits
  /** Waiting requests in the order in which they are served. */
  private queue: Waiting[] = []
  /** The round of the last request that was served. */
  private round = 0
  running = 0

  constructor(limits: FairQueueLimits) {
    this.limits = limits
  }

  get waiting(): number {
    return this.queue.length
  }

  /** Resolves when the caller may run. Rejects with a `RefusedError` when too many are waiting, or when the signal is aborted. */
  async acquire(caller: string, signal: AbortSignal): Promise<Release> {
    signal.throwIfAborted()
    if (this.running >= this.limits.running) await this.wait(caller, signal)
    else this.running++
    let isOver = false
    return () => {
      if (isOver) return
      isOver = true
      this.startNext()
    }
  }

  private wait(caller: string, signal: AbortSignal): Promise<void> {
    const own = this.queue.findLast((one) => one.caller === caller)
    const round = (own?.round ?? this.round) + 1
    if (this.queue.length >= this.limits.waiting) this.makeRoom(round)
    const { promise, resolve, reject } = deferred()
    const waiting: Waiting = { caller, round, start: resolve, refuse: reject }
    const later = this.queue.findIndex((one) => one.round > round)
    this.queue.splice(later === -1 ? this.queue.length : later, 0, waiting)
    const gone = (): void => {
      this.queue = this.queue.filter((one) => one !== waiting)
      reject(signal.reason)
    }
    signal.addEventListener('abort', gone, { once: true })
    return promise.finally(() => signal.removeEventListener('abort', gone))
  }

  /** Passes the released permit to the next request. */
  private startNext(): void {
    const next = this.queue.shift()
    if (next === undefined) {
      this.running--
      return
    }
    this.round = next.round
    next.start()
  }

  /** Rejects the last request in the queue, of the caller with most requests. Throws instead when it is not after a round. */
  private makeRoom(round: number): void {
    const error = tooManyRequests('Too many queries are waiting.', this.limits.waiting)
    const last = this.queue.at(-1)
    if (last === undefined || last.round <= round) throw error
    this.queue.pop()
    last.refuse(error)
  }
}
