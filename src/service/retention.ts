import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { formatTimestamp } from '../wire/time/timestamp.js'

/** Events that were deleted because of their age. */
export interface Expiry {
  readonly dataset: string
  readonly events: number
  /** All of them are older than this RFC 3339 time. */
  readonly before: string
}

interface RetentionOptions {
  readonly store: Store
  /** The maximum age of events. */
  readonly keptMs: number
  /** Nanoseconds since 1970. */
  now(): bigint
  /** Called for each failure, with an id. The next pass may succeed. */
  report?(error: unknown, id: string): void
  /** Called when events were deleted. */
  expired?(expiry: Expiry): void
}

const DAY_MS = 86_400_000

/**
 * Deletes events that exceed the maximum age, until it is stopped. Deleting rewrites neighboring events, so it runs
 * periodically: events can be kept up to 1/24 of the maximum age longer, at most a day.
 */
export function startRetention(options: RetentionOptions): { stop(): void } {
  const pauseMs = Math.min(Math.ceil(options.keptMs / 24), DAY_MS)
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function pass(): Promise<void> {
    await deleteOld(options, () => isStopped)
    if (isStopped) return
    timer = setTimeout(pass, pauseMs).unref()
  }

  void pass()
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

async function deleteOld(options: RetentionOptions, isStopped: () => boolean): Promise<void> {
  const { store, keptMs, now, report } = options
  const oldest = now() - BigInt(Math.ceil(keptMs)) * 1_000_000n
  const reportError = (error: unknown): undefined => {
    // The store was closed in the meantime; a deletion that was started is completed when it is opened again.
    if (!isStopped()) report?.(error, randomUUID())
    return undefined
  }
  const all = await store.statistics().catch((error: unknown) => {
    reportError(error)
    return []
  })
  for (const { dataset, times } of all) {
    if (isStopped()) return
    if (times !== undefined && times.first < oldest) {
      const events = await store.trim(dataset, oldest).catch(reportError)
      if (events) options.expired?.({ dataset, events, before: formatTimestamp(oldest) })
    }
  }
}
