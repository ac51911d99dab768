import { setImmediate } from 'node:timers/promises'

/** The longest time without serving other requests. */
const TURN_MS = 10

/** Limits the time for which the decoding of a request holds up others. */
export class Turn {
  private endsAt = performance.now() + TURN_MS

  /** True when other requests should be served first. */
  get isOver(): boolean {
    return performance.now() >= this.endsAt
  }

  /** Resolves after other requests were served. */
  async next(): Promise<void> {
    await setImmediate()
    this.endsAt = performance.now() + TURN_MS
  }
}
