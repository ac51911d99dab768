import type { Limits } from '../limits.js'
import { RefusedError } from '../refused-error.js'

const RETRY_AFTER_SECONDS = 1

/** Of a request that was let in. */
export interface Permit {
  /** It has brought so many bytes by now; refuses it where it did not say so and there is no room. */
  grow(bytes: number): void
  /** Lets it out. */
  release(): void
}

/** Lets ingest requests in while what they brought, and is not stored yet, is within limits. */
export class AdmissionControl {
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

  /** What they bring. */
  get bytes(): number {
    return this.#bytes
  }

  /** Lets a request in that says it brings so many bytes, or refuses it. */
  admit(declared: number): Permit {
    const { waitingRequests } = this.limits
    if (this.requests > 0 && this.requests >= waitingRequests) throw tooMany()
    this.#take(declared)
    this.#requests += 1
    let held = declared
    return {
      grow: (bytes) => {
        if (bytes <= held) return
        this.#take(bytes - held, held)
        held = bytes
      },
      release: () => {
        this.#requests -= 1
        this.#bytes -= held
      },
    }
  }

  #take(bytes: number, own = 0): void {
    // A single request within its own limit must not be refused for ever.
    const isAlone = this.#bytes === own
    if (!isAlone && this.#bytes + bytes > this.limits.waitingBytes) throw tooMany()
    this.#bytes += bytes
  }
}

function tooMany(): RefusedError {
  return new RefusedError(
    'too-many-requests',
    'More events are waiting to be stored than the service takes on. The same request can be sent again in a second.',
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  )
}
