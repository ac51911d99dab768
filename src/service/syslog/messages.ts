import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { SYSLOG_MESSAGE_BYTES, SYSLOG_QUEUE_BYTES } from '../../wire/limits.js'

/** Syslog messages, without the framing of the transport. */
export interface SyslogMessages {
  readonly bytes: Buffer
  /** The start and the end of the first message, of the second one, and so on. */
  readonly extents: readonly number[]
}

/** The maximum number and size of the messages that are converted in one step. */
const STEP_MESSAGES = 1024
const STEP_BYTES = 16 * 1024

/** Messages that are converted in one step, unless a single one is longer. */
export class MessageStep implements SyslogMessages {
  readonly extents: number[] = []
  private readonly writer = new ByteWriter(STEP_BYTES)

  get bytes(): Buffer {
    return this.writer.written
  }

  /** True when a message of this length can be added, also as the first one. */
  hasRoom(length: number): boolean {
    return this.extents.length < 2 * STEP_MESSAGES && this.writer.size + length < STEP_BYTES
  }

  /** Adds a message, which has some parts. */
  add(...parts: readonly Buffer[]): void {
    const from = this.writer.size
    for (const part of parts) this.writer.addBytes(part)
    this.extents.push(from, this.writer.size)
    // Keeps the records apart for readers that look beyond their ends.
    this.writer.addLineFeed()
  }
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
