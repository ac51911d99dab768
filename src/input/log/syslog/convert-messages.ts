import type { TimeZone } from '../../../wire/time/time-zone.js'
import { newConversionState } from '../conversion-state.js'
import { convertRecords } from '../convert-records.js'
import { syslogReader } from './syslog.js'
import { SyslogTimes } from './syslog-time.js'

/** Syslog messages without the framing of their transport. */
interface Messages {
  readonly bytes: Buffer
  /** The start and the end of each message, alternating. */
  readonly extents: readonly number[]
}

interface MessageEvents {
  /** JSON objects, one per line. */
  readonly lines: Buffer
  /** The number of messages that are not in the format; these have only a `message`. */
  readonly unmatched: number
}

/** The initial size of the buffer for events, as a multiple of the length of the messages. */
const GROWTH = 2

/**
 * Converts messages as `evq ingest` does. `now`, in nanoseconds since 1970, determines the year of times without a year. Times
 * without a zone are in `zone`, by default UTC.
 */
export function convertMessages(
  { bytes, extents }: Messages,
  now: bigint,
  zone?: TimeZone,
): MessageEvents {
  const times = new SyslogTimes({ now, times: zone && { zone }, state: newConversionState() })
  const read = syslogReader(times, { findsTime: true })
  const { output, length, unmatched } = convertRecords(
    { body: bytes, extents, line: 1 },
    { read },
    Buffer.allocUnsafe(bytes.length * GROWTH),
  )
  return { lines: output.subarray(0, length), unmatched: unmatched?.events ?? 0 }
}
