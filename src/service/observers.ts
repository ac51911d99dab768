import type { Refusal } from './auth/audit.js'
import type { Expiry } from './retention.js'

/** Callbacks for events of the service, for logging. */
export interface Observers {
  /** Called for each internal error, with the request id from the response. */
  report?(error: unknown, traceId: string): void
  handled?(event: RequestEvent): void
  /** Called for each request that was refused for lack of a permission. */
  refused?(refusal: Refusal): void
  expired?(expiry: Expiry): void
}

/** A request that was handled, for logs and metrics. Contains no token, body or query. */
export interface RequestEvent {
  readonly id: string
  readonly method: string
  /** The pattern of the path, such as `/v1/ingest/:dataset`; undefined when no route matches. */
  readonly route: string | undefined
  readonly status: number
  readonly ms: number
  /** The size of the body as received, possibly compressed. */
  readonly receivedBytes: number
  readonly sentBytes: number
  /** The name of the token. */
  readonly caller: string | undefined
}
