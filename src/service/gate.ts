import type { Limits } from './limits.js'
import { RefusedError } from './refused-error.js'

const RETRY_AFTER_SECONDS = 1

/** Lets ingest requests in while what they brought, and is not stored yet, is within limits. */
export class Gate {
  private readonly limits: Limits
  #requests = 0
  #bytes = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Requests whose events wait. */
  get requests(): number {
    return this.#requests
  }

  /** What they said they bring. */
  get bytes(): number {
    return this.#bytes
  }

  /** Lets a request in that says it brings so many bytes, or refuses it; what it returns lets it out. */
  enter(bytes: number): () => void {
    const { waitingRequests, waitingBytes } = this.limits
    // One is always let in: a single request within its own limit must not be refused for ever.
    if (
      this.requests > 0 &&
      (this.requests >= waitingRequests || this.bytes + bytes > waitingBytes)
    ) {
      throw new RefusedError(
        'too-many-requests',
        'More events are waiting to be stored than the service takes on. The same request can be sent again in a second.',
        { retryAfterSeconds: RETRY_AFTER_SECONDS },
      )
    }
    this.#requests += 1
    this.#bytes += bytes
    return () => {
      this.#requests -= 1
      this.#bytes -= bytes
    }
  }
}
