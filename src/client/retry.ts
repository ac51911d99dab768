import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './connection.js'
import { NetworkError } from './error.js'

/** How often, and how long apart, a request is sent again. */
export interface RetryPolicy {
  readonly attempts: number
  readonly firstDelayMs: number
  readonly longestDelayMs: number
  /** Aborting ends the waiting, not a request that is under way. */
  readonly signal?: AbortSignal | undefined
  /** Told before each wait. */
  readonly onRetry?: ((wait: Wait) => void) | undefined
}

export interface Wait {
  readonly reason: string
  readonly delayMs: number
  /** Which attempt failed, from 1. */
  readonly attempt: number
}

export const DEFAULT_RETRY: RetryPolicy = {
  attempts: 6,
  firstDelayMs: 200,
  longestDelayMs: 30_000,
}

/** Sends again, after a pause, while the failure is one that may pass: only for what may arrive twice. */
export async function retried(
  attempt: () => Promise<Answer>,
  policy: RetryPolicy,
): Promise<Answer> {
  const { signal } = policy
  for (let count = 1; ; count++) {
    const outcome = await attempt().catch((error: unknown) => error)
    const reason = count < policy.attempts ? passing(outcome) : undefined
    if (reason === undefined || signal?.aborted) {
      return unwrapped(outcome)
    }
    const asked = isAnswer(outcome) ? retryAfterMs(outcome) : undefined
    const delayMs = Math.min(asked ?? backOff(count, policy), policy.longestDelayMs)
    policy.onRetry?.({ reason, delayMs, attempt: count })
    const isGivenUp = await sleep(delayMs, false, { ...(signal && { signal }) }).catch(() => true)
    if (isGivenUp) return unwrapped(outcome)
  }
}

/** Why a failure may pass by itself, or nothing when it will not. */
function passing(outcome: unknown): string | undefined {
  if (outcome instanceof NetworkError) {
    return outcome.failure === 'stopped' ? undefined : outcome.message
  }
  if (!isAnswer(outcome)) return undefined
  const { status } = outcome
  const passes = status === 408 || status === 429 || status === 430 || status >= 500
  return passes && status !== 501 ? `status ${status}` : undefined
}

function unwrapped(outcome: unknown): Answer {
  if (isAnswer(outcome)) return outcome
  throw outcome
}

function isAnswer(outcome: unknown): outcome is Answer {
  return typeof outcome === 'object' && outcome !== null && 'status' in outcome
}

/** Doubles each time; half of it is chance, so that many clients do not come back at once. */
function backOff(attempt: number, { firstDelayMs }: RetryPolicy): number {
  const full = firstDelayMs * 2 ** (attempt - 1)
  return full / 2 + (Math.random() * full) / 2
}

/** `Retry-After` in seconds or as a date. */
function retryAfterMs({ headers }: Answer): number | undefined {
  const value = headers['retry-after']
  if (value === undefined) return undefined
  if (/^\s*\d+(\.\d+)?\s*$/.test(value)) return Number(value) * 1000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
