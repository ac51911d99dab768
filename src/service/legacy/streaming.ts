import { setTimeout as sleep } from 'node:timers/promises'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import type { ServiceRequest } from '../http.js'
import { requestTime } from '../query/request-range.js'
import { invalidField } from '../refused-error.js'
import type { LegacyRequest } from './decode-request.js'

const MAX_HOLD_MS = 60_000
/** The share of the requested duration for which a request is held: clients time out after the whole duration. */
const HELD_SHARE = 0.9
const POLL_MS = 250
/** The minimum delay between two queries in a cluster, where the service does not know whether new events were stored. */
const UNKNOWN_POLL_MS = 1_000

/** Returns the time for which `streaming-duration` holds a request without matches, in milliseconds; 0 when it is absent. */
export function holdMs({ query }: ServiceRequest): number {
  const text = query.get('streaming-duration')
  if (!text) return 0
  const duration = parseDuration(text)
  if (duration === undefined) {
    throw invalidField(`\`streaming-duration\` must be ${DURATION_SYNTAX}, not \`${text}\`.`)
  }
  return Math.min((Number(duration) / 1e6) * HELD_SHARE, MAX_HOLD_MS)
}

/** The age up to which the end of a range means the present, which allows for the duration of a request and for inexact clocks. */
const PRESENT_NS = 5_000_000_000n

/** Returns the request with a range up to `now` if its range ended in the present, so that events stored since then match, too. */
export function untilNow(
  request: LegacyRequest,
  { arrivedAt, now }: { readonly arrivedAt: bigint; readonly now: bigint },
): LegacyRequest {
  if (request.endTime === undefined) return request
  const end = requestTime('endTime', { text: request.endTime, now: arrivedAt })
  const isPresent = end > arrivedAt - PRESENT_NS
  return isPresent && end < now ? { ...request, endTime: formatTimestamp(now) } : request
}

/**
 * Runs a query until it has a match or the time is up, and returns the last result. The query runs again when events were stored,
 * after a pause at least as long as its last run. No query permit is held during the pause.
 */
export async function firstMatch<Result>(
  run: () => Promise<Result>,
  options: {
    readonly holdMs: number
    readonly signal: AbortSignal
    hasMatch(result: Result): boolean
    /** A number that changes when events are stored in the dataset; undefined when the service does not know. */
    changes(): number | undefined
  },
): Promise<Result> {
  const { signal, hasMatch, changes } = options
  const deadline = performance.now() + options.holdMs
  for (;;) {
    const seen = changes()
    const started = performance.now()
    const result = await run()
    if (hasMatch(result)) return result
    const ended = performance.now()
    const pauseMs = Math.max(seen === undefined ? UNKNOWN_POLL_MS : POLL_MS, ended - started)
    do {
      const leftMs = deadline - performance.now()
      if (leftMs <= 0) return result
      await sleep(Math.min(leftMs, POLL_MS), undefined, { signal })
    } while (performance.now() < ended + pauseMs || (seen !== undefined && changes() === seen))
  }
}
