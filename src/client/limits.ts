// The limits of the client half: sizes of requests, timeouts and retries.
import type { RetryPolicy } from './retry.js'

/** The size of a batch of `evq ingest`, unless `--batch-bytes` sets another one. */
export const BATCH_BYTES = 4 * 1024 * 1024
/** The maximum time that an event waits until its batch is sent, unless `--flush-every` sets another one. */
export const FLUSH_EVERY_MS = 1_000
/** The maximum number of batches in flight, unless `--concurrency` sets another number. */
export const BATCHES_IN_FLIGHT = { deployment: 4, local: 32 } as const
/** So many batches of the maximum size are in flight to the local service: only smaller ones reach its number of batches. */
export const WHOLE_BATCHES_IN_FLIGHT = 8
/** The grace period of batches in flight after Ctrl-C, below the ten seconds after which container runtimes kill a process. */
export const SETTLE_MS = 8_000
/** The grace period with the local service, which always responds, so that waiting longer is useful. */
export const LOCAL_SETTLE_MS = 30_000

/** The number of rows per page of `evq page` from a deployment, unless `--page-size` sets another number. */
export const PAGE_ROWS = 1_000
/** The maximum number of pages that `evq page --parallel` requests at once. */
export const MAX_PARALLEL_PAGES = 16

export const RETRY_DELAYS = { firstDelayMs: 200, maxDelayMs: 30_000 } as const
export const INGEST_RETRY: RetryPolicy = {
  ...RETRY_DELAYS,
  attempts: 10,
  maxWaitMs: 15 * 60_000,
}
/** The number of attempts for the first batch, which is small because the address may be wrong. */
export const FIRST_BATCH_ATTEMPTS = 5
/** The retries of all other requests, which end sooner because a user is waiting. */
export const REQUEST_RETRY: RetryPolicy = { ...RETRY_DELAYS, attempts: 4, maxWaitMs: 30_000 }

/** The number of consecutive rejections for the same reason after which `evq ingest` fails, if no event was accepted. */
export const IDENTICAL_REJECTIONS = 20

/** The time between two requests of `evq tail`, unless `--interval` sets another one. */
export const TAIL_INTERVAL_MS = 1_000
/** The default of `--late` for remote deployments, which scan, and may charge for, all events of this duration. */
export const REMOTE_LATENESS_MS = 24 * 3_600_000
/** The number of events of `evq dataset sample`, unless `--limit` sets another one. */
export const SAMPLE_EVENTS = 10

/** The timeouts of a request, unless `--timeout` sets another one. */
export const TIMEOUTS = { connectMs: 10_000, responseMs: 300_000, idleMs: 120_000 } as const
/** The minimum number of bytes of a response within `idleMs`: without it, a service could keep a command waiting forever. */
export const PROGRESS_BYTES = 4 * 1024
/** The maximum length of a result, which is also the maximum length of a string in Node. */
export const RESULT_BYTES = 512 * 1024 * 1024
