import { Countdown } from '../../text/countdown.js'
import { GRACE_MS, queryTimeout, type ReadLimits, statementTimeout } from '../engine.js'

interface Deadline {
  /** Aborted with the query, at its timeout plus the grace period, or with one of the other signals. */
  readonly signal: AbortSignal
  clear(): void
}

/** Starts the timeout of a query in this process: the engine has no timeout while it plans. */
export function deadlineOf(limits: ReadLimits, ...others: readonly AbortSignal[]): Deadline {
  const late = new AbortController()
  const countdown = new Countdown(limits.timeoutMs + GRACE_MS, () =>
    late.abort(queryTimeout(limits)),
  )
  const { signal } = limits
  return {
    signal: AbortSignal.any([late.signal, ...others, ...(signal ? [signal] : [])]),
    clear: () => countdown.stop(),
  }
}

/**
 * Returns a function that returns the limits with the remaining time as their timeout, for attempts that share one timeout. When no
 * time is left, it throws the `EngineError` for a server that does not respond.
 */
export function remainingLimits<Limits extends ReadLimits>(limits: Limits): () => Limits {
  const began = performance.now()
  return () => {
    const timeoutMs = Math.ceil(limits.timeoutMs - (performance.now() - began))
    if (timeoutMs <= 0) throw statementTimeout(limits.timeoutMs)
    return { ...limits, timeoutMs }
  }
}
