import { availableParallelism } from 'node:os'

/** Resource limits of the service. */
export interface Limits {
  /** The maximum size of an ingest request's body, uncompressed. */
  readonly bodyBytes: number
  /** The maximum number of ingest requests that wait to be stored. */
  readonly waitingRequests: number
  /** The maximum total size of their bodies. */
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
  bodyBytes: 64 * 1024 * 1024,
  waitingRequests: 4_096,
  waitingBytes: 1024 * 1024 * 1024,
  rows: 50_000,
  queryTimeoutMs: 60_000,
  queryMemoryBytes: 2 * 1024 * 1024 * 1024,
  // Each query keeps several threads of the engine busy; with more of them, all are slower.
  runningQueries: Math.min(4, Math.max(2, availableParallelism())),
  waitingQueries: 256,
}
