import type { Refusal } from './audit.js'
import type { RequestEvent } from './request-event.js'

/** Who is told of what the service does. */
export interface Observers {
  /** Is told of failures that are the service's own fault, with the id that the answer carries. */
  report?(error: unknown, traceId: string): void
  /** Is told of each request that was answered. */
  answered?(event: RequestEvent): void
  /** Is told of each request that was refused for want of a permission. */
  refused?(refusal: Refusal): void
}
