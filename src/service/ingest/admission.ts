import type { Limits } from '../limits.js'
import { overloaded } from '../refused-error.js'

export interface Permit {
  /** Records the bytes received so far. Throws a `RefusedError` when bytes beyond the declared length exceed the limit. */
  grow(bytes: number): void
  release(): void
}

/** Admission control for ingest: limits the requests, and their bytes, that are not stored yet. */
export class AdmissionControl {
  private readonly limits: Limits
  /** The admitted requests, and their bytes. */
  requests = 0
  bytes = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  /** Admits a request with a declared length in bytes. Throws a `RefusedError` when a limit is exceeded. */
  admit(declared: number): Permit {
    const { waitingRequests } = this.limits
    if (this.requests > 0 && this.requests >= waitingRequests) throw tooMany()
    this.take(declared)
    this.requests += 1
    let held = declared
    return {
      grow: (bytes) => {
        if (bytes <= held) return
        this.take(bytes - held, held)
        held = bytes
      },
      release: () => {
        this.requests -= 1
        this.bytes -= held
      },
    }
  }

  private take(bytes: number, own = 0): void {
    // A single request within its own limit must not be refused permanently.
    const isAlone = this.bytes === own
    if (!isAlone && this.bytes + bytes > this.limits.waitingBytes) throw tooMany()
    this.bytes += bytes
  }
}

function tooMany(): Error {
  return overloaded('Too many events are waiting to be stored.')
}
