import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { formatTimestamp } from '../wire/time/timestamp.js'

/** Events that were deleted since they were too old. */
export interface Expiry {
  readonly dataset: string
  readonly events: number
  /** They were of times before this one: RFC 3339. */
  readonly before: string
}

interface RetentionOptions {
  readonly store: Store
  /** How old events get. */
  readonly keptMs: number
  /** Nanoseconds since 1970. */
  now(): bigint
  /** Is told of failures, with an id for each; the next time may go well. */
  report?(error: unknown, id: string): void
  /** Is told of what was deleted. */
  expired?(expiry: Expiry): void
}

const DAY_MS = 86_400_000

/**
 * Deletes events when they are too old, until it is stopped. The events beside them are written anew each time,
 * so it is not done the moment that one gets too old: that may take a 24th of its age more, a day at most.
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
  const tell = (error: unknown): undefined => {
    // The data was let go of meanwhile; what was begun is finished when it is opened again.
    if (!isStopped()) report?.(error, randomUUID())
    return undefined
  }
  const all = await store.statistics().catch((error: unknown) => {
    tell(error)
    return []
  })
  for (const { dataset, times } of all) {
    if (isStopped()) return
    if (times !== undefined && times.first < oldest) {
      const events = await store.trim(dataset, oldest).catch(tell)
      if (events) options.expired?.({ dataset, events, before: formatTimestamp(oldest) })
    }
  }
}
