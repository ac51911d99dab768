import { setTimeout as sleep } from 'node:timers/promises'
import type { HttpResponse } from './connection.js'
import { NetworkError } from './error.js'

/** How often, and how long apart, a request is sent again. */
export interface RetryPolicy {
  readonly attempts: number
  readonly firstDelayMs: number
  /** Of the delays that this side chooses. */
  readonly longestDelayMs: number
  /** A service that says when to come back is waited for, whatever the number of attempts, up to so much in all. */
  readonly maxWaitMs: number
  /** For a change that must not be made twice: tried again only where it surely was not carried out. */
  readonly once?: boolean
  /** Aborting ends the waiting, not a request that is under way. */
  readonly signal?: AbortSignal | undefined
  /** Told before each wait. */
  readonly onRetry?: ((wait: RetryDelay) => void) | undefined
  /** Told when the service asks for more patience than there is. */
  readonly onWaitTooLong?: ((wait: RetryDelay) => void) | undefined
}

/** A pause before something is sent again. */
export interface RetryDelay {
  readonly reason: string
  readonly delayMs: number
  /** Which attempt failed, from 1. */
  readonly attempt: number
}

/** What every kind of request begins with; most set a number of attempts of their own. */
export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 6,
  firstDelayMs: 200,
  longestDelayMs: 30_000,
  maxWaitMs: 15 * 60_000,
}

/** Sends again, after a pause, while the failure is one that may pass: only for what may arrive twice. */
export async function withRetry(
  attempt: () => Promise<HttpResponse>,
  policy: RetryPolicy,
): Promise<HttpResponse> {
  const { signal } = policy
  let remainingMs = policy.maxWaitMs
  for (let count = 1, counted = 0; ; count++) {
    const outcome = await attempt().catch((error: unknown) => error)
    const reason = transientReason(outcome, policy)
    if (reason === undefined || signal?.aborted) return unwrapped(outcome)
    const askedMs = isAnswer(outcome) ? retryAfterMs(outcome) : undefined
    if (askedMs !== undefined && askedMs > remainingMs) {
      policy.onWaitTooLong?.({ reason, delayMs: askedMs, attempt: count })
      return unwrapped(outcome)
    }
    if (askedMs === undefined || askedMs < SHORTEST_ASKED_MS) counted += weight(outcome)
    if (counted >= policy.attempts) return unwrapped(outcome)
    const delayMs = askedMs ?? backOff(counted, policy)
    remainingMs -= delayMs
    policy.onRetry?.({ reason, delayMs, attempt: count })
    const isGivenUp = await sleep(delayMs, false, { ...(signal && { signal }) }).catch(() => true)
    if (isGivenUp) return unwrapped(outcome)
  }
}

const FULL = 507

/** A disk that is full seldom has space again within a minute. */
function weight(outcome: unknown): number {
  return isAnswer(outcome) && outcome.status === FULL ? 2 : 1
}

/** Whoever asks for less is not tried more often than one that asks for nothing. */
const SHORTEST_ASKED_MS = 1000

/** Why a failure may pass by itself, or nothing when it will not. */
function transientReason(outcome: unknown, { once }: RetryPolicy): string | undefined {
  if (outcome instanceof NetworkError) {
    const { failure, message } = outcome
    const passes = once === true ? failure === 'unreachable' : failure !== 'stopped'
    return passes ? message : undefined
  }
  if (!isAnswer(outcome)) return undefined
  const { status } = outcome
  if (once === true && status !== 429) return undefined
  const passes = status === 408 || status === 429 || status === 430 || status >= 500
  return passes && status !== 501 ? `status ${status}` : undefined
}

function unwrapped(outcome: unknown): HttpResponse {
  if (isAnswer(outcome)) return outcome
  throw outcome
}

function isAnswer(outcome: unknown): outcome is HttpResponse {
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome
}

/** Chance alone, below a bound that doubles each time, so that many clients do not come back at once. */
function backOff(attempt: number, { firstDelayMs, longestDelayMs }: RetryPolicy): number {
  return Math.random() * Math.min(firstDelayMs * 2 ** (attempt - 1), longestDelayMs)
}

/** `Retry-After` in seconds or as a date. */
function retryAfterMs({ headers }: HttpResponse): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
