import type { TimeRange } from '../sql/compile.js'
import type { AplRequest } from '../wire/query.js'
import { parseRequestTime } from '../wire/timestamp.js'
import { RefusedError } from './refused-error.js'

/** The times that an event can have: 1900 to 2262, where nanoseconds end in 64 bits. */
const EARLIEST = -2_208_988_800_000_000_000n
const LATEST = 2n ** 63n - 1n

/** The span of time that a request asks for, open where it says nothing. */
export function requestRange(request: AplRequest, now: bigint): TimeRange {
  const start = request.startTime ? time('startTime', { text: request.startTime, now }) : undefined
  const end = request.endTime ? time('endTime', { text: request.endTime, now }) : undefined
  return { ...(start !== undefined && { start }), ...(end !== undefined && { end }) }
}

function time(
  name: string,
  { text, now }: { readonly text: string; readonly now: bigint },
): bigint {
  const instant = parseRequestTime(text, now)
  if (instant === undefined) {
    throw new RefusedError(
      'invalid-request',
      `\`${name}\` is \`${text}\`, which is no time: \`2026-01-31T10:00:00Z\`, \`now\` and \`now-1h\` are.`,
    )
  }
  if (instant < EARLIEST) return EARLIEST
  return instant > LATEST ? LATEST : instant
}
