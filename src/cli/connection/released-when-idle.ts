import type { Connection, HttpRequest } from '../../client/connection.js'

/** Shorter than the time that `evq serve` waits for the directory; opening it again takes about 0.1 s. */
const IDLE_MS = 1_000

/**
 * Returns a connection that is closed after a second without requests, and opened again by the next one. A prompt that waits
 * for input thus leaves the data directory to `evq serve`.
 */
export function releasedWhenIdle(connection: Connection, idleMs = IDLE_MS): Connection {
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined

  function release(): void {
    // An error of closing is reported by the request that can't open the directory again.
    closing = connection.close().catch(() => {})
  }

  return {
    name: connection.name,
    async send(request: HttpRequest) {
      clearTimeout(timer)
      inFlight += 1
      try {
        await closing
        return await connection.send(request)
      } finally {
        inFlight -= 1
        if (inFlight === 0) timer = setTimeout(release, idleMs)
      }
    },
    async close() {
      clearTimeout(timer)
      await closing
      await connection.close()
    },
  }
}
