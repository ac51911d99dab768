import type { Refusal } from './auth/audit.js'
import type { RequestEvent } from './request-event.js'
import type { Expiry } from './retention.js'

/** Callbacks for events of the service, for logging. */
export interface Observers {
  /** Called for each internal error, with the request id from the response. */
  report?(error: unknown, traceId: string): void
  /** Called for each request that was handled. */
  answered?(event: RequestEvent): void
  /** Called for each request that was refused for lack of a permission. */
  refused?(refusal: Refusal): void
  /** Called when events were deleted because of their age. */
  expired?(expiry: Expiry): void
}
