import type { Refusal } from './auth/audit.js'
import type { RequestEvent } from './request-event.js'
import type { Expiry } from './retention.js'

/** Who is told of what the service does. */
export interface Observers {
  /** Is told of failures that are the service's own fault, with the id that the answer carries. */
  report?(error: unknown, traceId: string): void
  /** Is told of each request that was answered. */
  answered?(event: RequestEvent): void
  /** Is told of each request that was refused for want of a permission. */
  refused?(refusal: Refusal): void
  /** Is told of events that were deleted since they were too old. */
  expired?(expiry: Expiry): void
}
