import { Countdown } from '../../text/countdown.js'
import { GRACE_MS, queryTimeout, type ReadLimits, statementTimeout } from '../engine.js'

/**
 * Starts the timeout of a query in this process: the engine has no timeout while it plans. Returns a signal that is aborted with the
 * query, at its timeout plus the grace period, or with one of the other signals, until it is cleared.
 */
export function deadlineOf(limits: ReadLimits, ...others: readonly AbortSignal[]) {
  const ended = new AbortController()
  const countdown = new Countdown(limits.timeoutMs + GRACE_MS, () =>
    ended.abort(queryTimeout(limits)),
  )
  // Not `AbortSignal.any`: a signal that outlives the query would use some memory for it from then on.
  const signals = limits.signal ? [limits.signal, ...others] : others
  const abort = (): void => ended.abort(signals.find(({ aborted }) => aborted)?.reason)
  for (const signal of signals) {
    if (signal.aborted) abort()
    signal.addEventListener('abort', abort)
  }
  return {
    signal: ended.signal,
    clear(): void {
      countdown.stop()
      for (const signal of signals) signal.removeEventListener('abort', abort)
    },
  }
}

/**
 * Returns a function that returns the limits with the remaining time as their timeout, for attempts that share one timeout. When no
 * time is left after an attempt, it throws the `EngineError` for a server that does not respond. The first attempt always begins: a
 * query whose time is over has exceeded its limit.
 */
export function remainingLimits<Limits extends ReadLimits>(limits: Limits): () => Limits {
  const began = performance.now()
  let isFirst = true
  return () => {
    const leftMs = Math.ceil(limits.timeoutMs - (performance.now() - began))
    if (leftMs <= 0 && !isFirst) throw statementTimeout(limits.timeoutMs)
    isFirst = false
    return { ...limits, timeoutMs: Math.max(leftMs, 1) }
  }
}
