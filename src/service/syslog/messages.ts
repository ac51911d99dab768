import { SYSLOG_MESSAGE_BYTES, SYSLOG_QUEUE_BYTES } from '../../wire/limits.js'

/** Syslog messages, without the framing of the transport. */
export interface SyslogMessages {
  readonly bytes: Buffer
  /** The start and the end of the first message, of the second one, and so on. */
  readonly extents: readonly number[]
}

export interface SyslogEvents {
  /** JSON objects, one per line. */
  readonly lines: Buffer
  /** The number of messages that do not follow the format; their events have only a `message`. */
  readonly unmatched: number
}

/** Converts messages to events. `now`, in nanoseconds since 1970, determines the year of times without a year. */
export type ConvertSyslog = (messages: SyslogMessages, now: bigint) => SyslogEvents

export const SYSLOG_LIMITS = {
  messageBytes: SYSLOG_MESSAGE_BYTES,
  batchBytes: 1024 * 1024,
  /** The size to which a batch may grow while another batch is stored: large batches are stored faster. */
  maxBatchBytes: 4 * 1024 * 1024,
  /** The time after its first message at which a smaller batch is stored. */
  batchMs: 1_000,
  queueBytes: SYSLOG_QUEUE_BYTES,
  connections: 1_024,
  /** The time for the rest of a message. */
  unfinishedMs: 60_000,
  /**
   * The time after which a connection without messages is closed. Senders keep their connection between messages, and lose the next
   * message when the connection was closed.
   */
  idleMs: 24 * 3_600_000,
}

export type SyslogLimits = Readonly<typeof SYSLOG_LIMITS>
