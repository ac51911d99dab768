import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpResponse } from './connection.js'
import { NetworkError } from './error.js'

/** The number of attempts and the delays between them. */
export interface RetryPolicy {
  readonly attempts: number
  readonly firstDelayMs: number
  /** The upper bound of delays chosen by the client. */
  readonly maxDelayMs: number
  /** The maximum time between the first failure and a retry that `Retry-After` requests, regardless of the number of attempts. */
  readonly maxWaitMs: number
  /** True for changes, which are retried only when they were certainly not carried out. */
  readonly once?: boolean
  /** Aborting ends a delay, but not a request in flight. */
  readonly signal?: AbortSignal | undefined
  /** Called before each wait. */
  readonly onRetry?: ((wait: RetryDelay) => void) | undefined
  /** Called when `Retry-After` exceeds the remaining time. */
  readonly onWaitTooLong?: ((wait: RetryDelay) => void) | undefined
}

export interface RetryDelay {
  readonly reason: string
  readonly delayMs: number
  /** The time since the first failure. */
  readonly waitedMs: number
}

/**
 * Sends a request, with retries after transient failures. Returns the last response, or throws the last error. Without `once`, the
 * service may receive the request twice.
 */
export async function withRetry(
  attempt: () => Promise<HttpResponse>,
  policy: RetryPolicy,
): Promise<HttpResponse> {
  const { signal } = policy
  let failedAt: number | undefined
  let counted = 0
  for (;;) {
    const outcome = await attempt().catch((error: unknown) => error)
    const reason = transientReason(outcome, policy)
    if (reason === undefined || signal?.aborted) return unwrapped(outcome)
    const askedMs = isResponse(outcome) ? retryAfterMs(outcome) : undefined
    failedAt ??= performance.now()
    const waited = { reason, waitedMs: performance.now() - failedAt }
    if (askedMs !== undefined && waited.waitedMs + askedMs > policy.maxWaitMs) {
      policy.onWaitTooLong?.({ ...waited, delayMs: askedMs })
      return unwrapped(outcome)
    }
    if (askedMs === undefined || askedMs < MIN_RETRY_AFTER_MS) counted += weight(outcome)
    if (counted >= policy.attempts) return unwrapped(outcome)
    const delayMs = askedMs ?? backOff(counted, policy)
    policy.onRetry?.({ ...waited, delayMs })
    const isGivenUp = await sleep(delayMs, false, { signal }).catch(() => true)
    if (isGivenUp) return unwrapped(outcome)
  }
}

const FULL = 507

/** Returns the number of attempts that a failure counts as: 2 for a full disk, which rarely has space again within a minute. */
function weight(outcome: unknown): number {
  return isResponse(outcome) && outcome.status === FULL ? 2 : 1
}

/** The minimum `Retry-After` that does not count as an attempt. */
const MIN_RETRY_AFTER_MS = 1000

/** Returns the reason for a retry; undefined for permanent failures. */
function transientReason(outcome: unknown, { once }: RetryPolicy): string | undefined {
  if (outcome instanceof NetworkError) {
    const { failure, message } = outcome
    const passes = once === true ? failure === 'unreachable' : failure !== 'stopped'
    return passes ? message : undefined
  }
  if (!isResponse(outcome)) return undefined
  const { status } = outcome
  if (once === true && status !== 429) return undefined
  const passes = status === 408 || status === 429 || status === 430 || status >= 500
  return passes && status !== 501 ? `status ${status}` : undefined
}

function unwrapped(outcome: unknown): HttpResponse {
  if (isResponse(outcome)) return outcome
  throw outcome
}

function isResponse(outcome: unknown): outcome is HttpResponse {
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome
}

/** Exponential backoff with full jitter. */
function backOff(attempt: number, { firstDelayMs, maxDelayMs }: RetryPolicy): number {
  return Math.random() * Math.min(firstDelayMs * 2 ** (attempt - 1), maxDelayMs)
}

/** Parses `Retry-After`: seconds or a date. */
function retryAfterMs({ headers }: HttpResponse): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
