import { setImmediate } from 'node:timers/promises'

/** The time for which the process does nothing else. */
const TURN_MS = 10

/** Limits the time for which the decoding of a request holds up others. */
export class Turn {
  private endsAt = performance.now() + TURN_MS

  /** True when other requests are to be handled first. */
  get isOver(): boolean {
    return performance.now() >= this.endsAt
  }

  /** Resolves after other requests were handled. */
  async next(): Promise<void> {
    await setImmediate()
    this.endsAt = performance.now() + TURN_MS
  }
}
