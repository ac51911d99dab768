import { setTimeout as sleep } from 'node:timers/promises'
import type { App } from '../service/http.js'

/** Observes the requests of a service that ends when it is not used. */
export class Activity {
  private running = 0
  private endedAt = performance.now()

  /** Returns the service with its requests observed. */
  observing(app: App): App {
    return async (request) => {
      this.running++
      try {
        return await app(request)
      } finally {
        this.running--
        this.endedAt = performance.now()
      }
    }
  }

  /** Resolves when no request was in progress for a time, in milliseconds; rejects when the signal aborts. */
  async idle(durationMs: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const leftMs = this.running > 0 ? durationMs : this.endedAt + durationMs - performance.now()
      if (leftMs <= 0) return
      await sleep(leftMs, undefined, { signal })
    }
  }
}
