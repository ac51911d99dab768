import { GRACE_MS, queryTimeout, type ReadLimits } from '../engine.js'

interface Deadline {
  /** Aborted with the query, at its timeout plus the grace period, or with one of the other signals. */
  readonly signal: AbortSignal
  clear(): void
}

/** Starts the timeout of a query in this process: the engine has none while it plans. */
export function deadlineOf(limits: ReadLimits, ...others: readonly AbortSignal[]): Deadline {
  const late = new AbortController()
  const timer = setTimeout(() => late.abort(queryTimeout(limits)), limits.timeoutMs + GRACE_MS)
  const { signal } = limits
  return {
    signal: AbortSignal.any([late.signal, ...others, ...(signal ? [signal] : [])]),
    clear: () => clearTimeout(timer),
  }
}
