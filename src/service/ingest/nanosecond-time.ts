import { FIRST_TIME, LAST_TIME } from '../../wire/event/event-time.js'
import type { JsonText } from '../../wire/json/json-text.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'

/** Integers of at least this size are read as nanoseconds; a smaller integer could be seconds or milliseconds. */
const NANOSECONDS = 10n ** 18n

/** Returns nanoseconds since 1970 as the value of `_time`. */
export function nanosecondTime(time: bigint): JsonText {
  const isRead = time >= NANOSECONDS || time < FIRST_TIME || time > LAST_TIME
  return `"${isRead ? time : formatTimestamp(time)}"`
}
