import type { Connection, HttpRequest } from '../../client/connection.js'

/** The idle time, which is shorter than the time that `evq serve` waits for the directory. Opening it again takes about 0.1 s. */
const IDLE_MS = 1_000

/**
 * Returns a connection that is closed after a second without requests, and opened again by the next request. A prompt that waits
 * for input thus leaves the data directory to `evq serve`.
 */
export function releasedWhenIdle(connection: Connection, idleMs = IDLE_MS): Connection {
  let inFlight = 0
  let timer: NodeJS.Timeout | undefined
  let closing: Promise<void> | undefined

  function release(): void {
    // After an error, the next request can't open the directory again, and reports why.
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
