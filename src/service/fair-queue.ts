import { tooManyRequests } from './refused-error.js'

interface FairQueueLimits {
  readonly running: number
  readonly waiting: number
}

/** Releases a permit. Calls after the first have no effect. */
export type Release = () => void

interface Waiting {
  start(): void
  refuse(error: Error): void
}

/** Limits concurrency. Waiting callers are served round robin, so that one caller cannot starve the others. */
export class FairQueue {
  private readonly limits: FairQueueLimits
  /** Waiting requests by caller, in the order of the round. Callers without waiting requests are absent. */
  private readonly queues = new Map<string, Waiting[]>()
  running = 0
  waiting = 0

  constructor(limits: FairQueueLimits) {
    this.limits = limits
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
    if (this.waiting >= this.limits.waiting) this.makeRoom(caller)
    return new Promise((resolve, reject) => {
      const gone = (): void => {
        this.remove(caller, waiting)
        reject(signal.reason)
      }
      const waiting: Waiting = {
        start() {
          signal.removeEventListener('abort', gone)
          resolve()
        },
        refuse(error) {
          signal.removeEventListener('abort', gone)
          reject(error)
        },
      }
      signal.addEventListener('abort', gone, { once: true })
      this.queues.set(caller, [...(this.queues.get(caller) ?? []), waiting])
      this.waiting++
    })
  }

  /** Passes the released permit to the next in the round. */
  private startNext(): void {
    const [next] = this.queues
    if (next === undefined) {
      this.running--
      return
    }
    const [caller, [first, ...others]] = next
    this.queues.delete(caller)
    if (others.length > 0) this.queues.set(caller, others)
    this.waiting--
    first?.start()
  }

  /**
   * Rejects the last waiting request of the caller with the longest queue. Throws instead when the queue of `next` would become as
   * long.
   */
  private makeRoom(next: string): void {
    const own = this.queues.get(next)?.length ?? 0
    const [caller, queue] = [...this.queues].reduce(
      (most, one) => (one[1].length > most[1].length ? one : most),
      [next, this.queues.get(next) ?? []],
    )
    const last = queue.at(-1)
    if (last === undefined || queue.length <= own + 1) throw this.tooMany()
    this.remove(caller, last)
    last.refuse(this.tooMany())
  }

  private remove(caller: string, waiting: Waiting): void {
    const rest = (this.queues.get(caller) ?? []).filter((one) => one !== waiting)
    if (rest.length > 0) this.queues.set(caller, rest)
    else this.queues.delete(caller)
    this.waiting--
  }

  private tooMany(): Error {
    return tooManyRequests('Too many queries are waiting.', this.limits.waiting)
  }
}
