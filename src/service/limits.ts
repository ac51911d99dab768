// Limits that only the service half uses. Limits that also concern its clients are in `wire/limits.ts`.
import { availableParallelism } from 'node:os'
import { BODY_BYTES, QUERY_MEMORY_MIB, QUERY_TIMEOUT_SECONDS, RESULT_ROWS } from '../wire/limits.js'

/** Resource limits of the service. */
export interface Limits {
  /** The maximum size of an ingest request's body, uncompressed. */
  readonly bodyBytes: number
  /** The maximum number of ingest requests that wait to be stored. */
  readonly waitingRequests: number
  /** The maximum total size of the bodies of ingest requests that wait to be stored. */
  readonly waitingBytes: number
  /** The maximum number of rows in a result. */
  readonly rows: number
  readonly queryTimeoutMs: number
  readonly queryMemoryBytes: number
  /** The maximum number of queries that run at once. */
  readonly runningQueries: number
  /** The maximum number of queries that wait to run. */
  readonly waitingQueries: number
}

/** The default limits. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: BODY_BYTES,
  waitingRequests: 4_096,
  waitingBytes: 1024 * 1024 * 1024,
  rows: RESULT_ROWS,
  queryTimeoutMs: QUERY_TIMEOUT_SECONDS * 1000,
  queryMemoryBytes: QUERY_MEMORY_MIB * 1024 * 1024,
  // Each query keeps several threads of the engine busy; with more queries, all of them are slower.
  runningQueries: Math.min(4, Math.max(2, availableParallelism())),
  waitingQueries: 256,
}

/** The time that requests in flight have when the service stops. */
export const SHUTDOWN_GRACE_MS = 5_000
