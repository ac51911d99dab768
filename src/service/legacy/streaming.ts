import { setTimeout as sleep } from 'node:timers/promises'
import type { LegacyRequest } from '../../wire/http/legacy.js'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import type { ServiceRequest } from '../http.js'
import { requestTime } from '../query/request-range.js'
import { RefusedError } from '../refused-error.js'

/** The longest time for which a request is held. */
const MAX_HOLD_MS = 60_000
/** Clients time out after the duration that they request: the response has to arrive before. */
const HELD_SHARE = 0.9
const POLL_MS = 250
/** The delay between two queries when the service does not know about new events, in a cluster. */
const UNKNOWN_POLL_MS = 1_000

/** Returns the time for which `streaming-duration` asks to hold a request without matches, in milliseconds; 0 without it. */
export function holdMs({ query }: ServiceRequest): number {
  const text = query.get('streaming-duration')
  if (!text) return 0
  const duration = parseDuration(text)
  if (duration === undefined) {
    throw new RefusedError(
      'invalid-field',
      `\`streaming-duration\` must be ${DURATION_SYNTAX}, not \`${text}\`.`,
    )
  }
  return Math.min((Number(duration) / 1e6) * HELD_SHARE, MAX_HOLD_MS)
}

/** The age up to which the end of a range still means now: the time that a request takes, and the difference of two clocks. */
const PRESENT_NS = 5_000_000_000n

/** Returns the request with a range that ends now if its range ended when it was sent: later events match, too. */
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
 * Runs a query until it has a match or the time is up, and returns its last result. It is run again when events were
 * stored, and waits at least as long as it took. Between two runs it holds no permit.
 */
export async function firstMatch<Result>(
  run: () => Promise<Result>,
  options: {
    readonly holdMs: number
    readonly signal: AbortSignal
    hasMatch(result: Result): boolean
    /** The state of the dataset; undefined when it is not known. */
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
