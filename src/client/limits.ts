// The numbers of the client half: the size of its requests, its patience, and how often it tries again.
import type { RetryPolicy } from './retry.js'

/** The size of a batch of `evq ingest`, unless `--batch-bytes` sets another one. */
export const BATCH_BYTES = 4 * 1024 * 1024
/** The time that an event waits for a batch, unless `--flush-every` sets another one. */
export const FLUSH_EVERY_MS = 1_000
/** The batches in flight, unless `--concurrency` sets another number. */
export const BATCHES_IN_FLIGHT = { deployment: 4, local: 12 } as const
/** The time that batches in flight have after Ctrl-C: less than the ten seconds after which container runtimes kill a process. */
export const SETTLE_MS = 8_000
/** The local service always responds, so batches in flight are waited for longer. */
export const LOCAL_SETTLE_MS = 30_000

/** The rows per page of `evq page` from a deployment, unless `--page-size` sets another number. */
export const PAGE_ROWS = 1_000
/** The most pages that `evq page --parallel` requests at once. */
export const MAX_PARALLEL_PAGES = 16

/** The default retries; most requests override the number of attempts. */
export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 6,
  firstDelayMs: 200,
  maxDelayMs: 30_000,
  maxWaitMs: 15 * 60_000,
}
/** The retries of a batch. */
export const INGEST_RETRY: RetryPolicy = { ...DEFAULT_RETRY, attempts: 10 }
/** The attempts for the first batch: until the first response the address may be wrong, so the wait is short. */
export const FIRST_BATCH_ATTEMPTS = 5
/** The retries of a query, which end sooner because someone is waiting. */
export const QUERY_RETRY: RetryPolicy = { ...DEFAULT_RETRY, attempts: 4, maxWaitMs: 30_000 }

/** Timeouts of a request, unless `--timeout` sets another one. */
export const TIMEOUTS = { connectMs: 10_000, responseMs: 300_000, idleMs: 120_000 } as const
/** The bytes that a response must bring within `idleMs`, unless it ends: a service could otherwise hold a command forever. */
export const PROGRESS_BYTES = 4 * 1024
/** The longest result of a query. A string in Node is no longer. */
export const RESULT_BYTES = 512 * 1024 * 1024
