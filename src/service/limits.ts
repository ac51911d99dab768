// Limits that only the service half uses. Limits that also concern its clients are in `wire/limits.ts`.
import { availableParallelism } from 'node:os'
import { SERVE_LIMITS, type ServeLimits } from '../wire/serve-limits.js'

const SERVE_DEFAULTS = Object.fromEntries(
  Object.entries(SERVE_LIMITS).map(([limit, { usual }]) => [limit, usual]),
) as ServeLimits

export const DEFAULT_LIMITS = {
  ...SERVE_DEFAULTS,
  /** The maximum number of ingest requests that wait to be stored. */
  waitingRequests: 4_096,
  /** The maximum total size of the bodies of ingest requests that wait to be stored. */
  waitingBytes: 1024 * 1024 * 1024,
  /** The maximum number of queries that run at once. Each keeps several threads of the engine busy; with more, all are slower. */
  runningQueries: Math.min(4, Math.max(2, availableParallelism())),
  /** The maximum number of queries that wait to run. */
  waitingQueries: 256,
}

export type Limits = { readonly [Limit in keyof typeof DEFAULT_LIMITS]: number }

/** The time that requests in flight have when the service stops. */
export const SHUTDOWN_GRACE_MS = 5_000

/** The maximum size of a request's body, unless the endpoint has another limit. */
export const SMALL_BODY_BYTES = 64 * 1024
/** The maximum size of a request's body with a saved query, or with the ids of batches. */
export const DOCUMENT_BODY_BYTES = 1024 * 1024
