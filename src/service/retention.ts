import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { formatTimestamp } from '../wire/time/timestamp.js'
import { retentionPeriods } from './dataset/record.js'

export interface Expiry {
  readonly dataset: string
  readonly events: number
  /** The deleted events are older than this RFC 3339 time. */
  readonly before: string
}

interface RetentionOptions {
  readonly store: Store
  /** The maximum age of events in datasets without a setting of their own; by default unlimited. */
  readonly keptMs?: number | undefined
  /** Nanoseconds since 1970. */
  now(): bigint
  /** Called for each failure, with an id. The next pass may succeed. */
  report?(error: unknown, id: string): void
  expired?(expiry: Expiry): void
}

const SECOND_MS = 1_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/**
 * Returns the time that events may be kept beyond their maximum age, since each deletion rewrites neighboring events. It is also
 * the pause between two passes, and at least a second.
 */
const slackOf = (keptMs: number): number =>
  Math.min(Math.max(Math.ceil(keptMs / 24), SECOND_MS), DAY_MS)

/** Deletes events that exceed the maximum age of their dataset, until it is stopped. */
export function startRetention(options: RetentionOptions): { stop(): void } {
  let isStopped = false
  let timer: NodeJS.Timeout | undefined

  async function pass(isFirst: boolean): Promise<void> {
    const pauseMs = await deleteExpired(options, { isFirst, isStopped: () => isStopped })
    if (isStopped) return
    timer = setTimeout(() => pass(false), pauseMs).unref()
  }

  void pass(true)
  return {
    stop() {
      isStopped = true
      clearTimeout(timer)
    },
  }
}

/**
 * Deletes the events that exceed the maximum age of their dataset, if one of them exceeds it by more than the slack; the first pass
 * ignores the slack. Resolves with the time until the next pass is useful, in milliseconds: at most an hour, since settings may
 * change.
 */
export async function deleteExpired(
  options: RetentionOptions,
  { isFirst, isStopped }: { readonly isFirst: boolean; readonly isStopped: () => boolean },
): Promise<number> {
  const { store, now, report } = options
  const reportError = (error: unknown): undefined => {
    // After `stop`, the store is closed; a deletion that was started is completed when the store is opened again.
    if (!isStopped()) report?.(error, randomUUID())
    return undefined
  }
  let pauseMs = Math.min(HOUR_MS, slackOf(options.keptMs ?? DAY_MS))
  const own = await retentionPeriods(store).catch(reportError)
  if (own === undefined || (own.size === 0 && options.keptMs === undefined)) return pauseMs
  const all = (await store.statistics().catch(reportError)) ?? []
  for (const { dataset, times } of all) {
    if (isStopped()) break
    const keptMs = own.get(dataset) ?? options.keptMs
    if (keptMs === undefined) continue
    pauseMs = Math.min(pauseMs, slackOf(keptMs))
    const before = beforeNow(now(), keptMs)
    const isDue = (at: bigint): boolean => times !== undefined && times.first < at
    if (!isDue(isFirst ? before : beforeNow(now(), keptMs + slackOf(keptMs)))) continue
    const events = await store.trim(dataset, before).catch(reportError)
    if (events) options.expired?.({ dataset, events, before: formatTimestamp(before) })
  }
  return pauseMs
}

function beforeNow(now: bigint, ms: number): bigint {
  return now - BigInt(Math.ceil(ms)) * 1_000_000n
}
