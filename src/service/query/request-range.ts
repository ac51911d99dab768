import type { TimeRange } from '../../apl/environment.js'
import { FIRST_TIME, LAST_TIME } from '../../wire/event/event-time.js'
import type { AplRequest } from '../../wire/http/query.js'
import { DURATION_SYNTAX, parseDuration } from '../../wire/time/duration.js'
import { parseRequestTime } from '../../wire/time/timestamp.js'
import { invalidField, invalidRequest } from '../refused-error.js'

/** Returns the time range of a request; a missing bound is open. */
export function requestRange(request: AplRequest, now: bigint): TimeRange {
  const start = request.startTime
    ? requestTime('startTime', { text: request.startTime, now })
    : undefined
  const end = request.endTime ? requestTime('endTime', { text: request.endTime, now }) : undefined
  return { start, end }
}

/** Parses a time of a request, clamped to the range of event times. */
export function requestTime(
  name: string,
  { text, now }: { readonly text: string; readonly now: bigint },
): bigint {
  const instant = parseRequestTime(text, now)
  if (instant === undefined) {
    throw invalidRequest(
      `\`${name}\` is \`${text}\`, which is not a time such as \`2026-01-31T10:00:00Z\`, \`now\` or \`now-1h\`.`,
    )
  }
  if (instant < FIRST_TIME) return FIRST_TIME
  if (instant > LAST_TIME) return LAST_TIME
  return instant
}

/** Parses the resolution of a request, such as `30s` or `1h30m`, to nanoseconds; undefined for `auto`. */
export function requestResolution(text: string | undefined): bigint | undefined {
  if (text === undefined || text === '' || text === 'auto') return undefined
  const size = parseDuration(text)
  if (size !== undefined && size > 0n) return size
  throw invalidField(`\`resolution\` must be \`auto\` or ${DURATION_SYNTAX}, not \`${text}\`.`)
}
