import { availableParallelism } from 'node:os'

/** What requests may cost the service. */
export interface Limits {
  /** The longest body of an ingest request, uncompressed. */
  readonly bodyBytes: number
  /** The most ingest requests that wait to be stored at once. */
  readonly waitingRequests: number
  /** The most bytes that they bring together. */
  readonly waitingBytes: number
  /** The most rows of a result. */
  readonly rows: number
  readonly queryTimeoutMs: number
  readonly queryMemoryBytes: number
  /** The most queries that run at once. */
  readonly runningQueries: number
  /** The most that wait for others to end. */
  readonly waitingQueries: number
}

/** The limits where nothing is said about them. */
export const DEFAULT_LIMITS: Limits = {
  bodyBytes: 64 * 1024 * 1024,
  waitingRequests: 4_096,
  waitingBytes: 1024 * 1024 * 1024,
  rows: 50_000,
  queryTimeoutMs: 60_000,
  queryMemoryBytes: 2 * 1024 * 1024 * 1024,
  // Each keeps several threads of the engine busy; with more, all of them take longer.
  runningQueries: Math.min(4, Math.max(2, availableParallelism())),
  waitingQueries: 256,
}
