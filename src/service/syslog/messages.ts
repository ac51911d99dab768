/** Syslog messages, without the framing of the transport that they came on. */
export interface SyslogMessages {
  readonly bytes: Buffer
  /** The start and the end of each message in turn. */
  readonly extents: readonly number[]
}

/** The events of syslog messages. */
export interface SyslogEvents {
  /** JSON objects, one per line. */
  readonly lines: Buffer
  /** The number of messages that are not in the format; these have only a `message`. */
  readonly unmatched: number
}

/** Converts messages to events. `now`, in nanoseconds since 1970, determines the year of times without one. */
export type ConvertSyslog = (messages: SyslogMessages, now: bigint) => SyslogEvents

/** The limits of a listener for syslog. */
export interface SyslogLimits {
  /** The rest of a longer message is dropped. */
  readonly messageBytes: number
  /** A batch is stored when it has this size. */
  readonly batchBytes: number
  /** A batch that waits for another one may grow to this size: large batches are stored faster. */
  readonly maxBatchBytes: number
  /** A smaller batch is stored this time after its first message. */
  readonly batchMs: number
  /** At this size of messages that are not stored yet, TCP connections are not read, and datagrams are dropped. */
  readonly queueBytes: number
  readonly connections: number
  /** The time for the rest of a message. */
  readonly unfinishedMs: number
  /** The time after which a connection without messages is closed. */
  readonly idleMs: number
}

/** The default limits. */
export const SYSLOG_LIMITS: SyslogLimits = {
  messageBytes: 64 * 1024,
  batchBytes: 1024 * 1024,
  maxBatchBytes: 4 * 1024 * 1024,
  batchMs: 1_000,
  queueBytes: 32 * 1024 * 1024,
  connections: 1_024,
  unfinishedMs: 60_000,
  // Senders keep their connection between messages, and lose the next one when it was closed.
  idleMs: 24 * 3_600_000,
}
