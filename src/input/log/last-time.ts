import { parseEventTime } from '../../wire/event/event-time.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { SECOND } from '../../wire/time/units.js'
import type { EventTimeText } from './event-text.js'

/** The time of the last event of a log that has one, which events without a time get. Plain data. */
export interface LastTime {
  time: EventTimeText | undefined
  /** True when that event was written to the log just before it was read. */
  isLive: boolean
}

/** Returns the time of the last write to a log, in nanoseconds since 1970. */
type LastWritten = (() => bigint) | undefined

/** An event that was written at most this many nanoseconds before it is read shows that a log is read while it is written. */
const LIVE = 10n * SECOND

/**
 * Returns the time of an event without a time at the beginning of a batch: the time of the event in front of it. In a log that
 * is read while it is written, that event may be old, but the batch is not.
 */
export function timeInFront(last: LastTime, lastWritten: LastWritten): EventTimeText | undefined {
  if (!last.isLive || lastWritten === undefined) return last.time
  return { text: formatTimestamp(lastWritten()), isJson: false }
}

/** Sets the time of the last event of a batch that has one; without such an event, `time` is the time of an earlier batch. */
export function setLastTime(
  last: LastTime,
  time: EventTimeText | undefined,
  lastWritten: LastWritten,
): void {
  if (time === last.time) return
  last.time = time
  const written = time === undefined ? undefined : parseEventTime(unquoted(time))
  last.isLive = written !== undefined && lastWritten !== undefined && lastWritten() - written < LIVE
}

export function unquoted({ text, isJson }: EventTimeText): string {
  return isJson && text.startsWith('"') ? text.slice(1, -1) : text
}
