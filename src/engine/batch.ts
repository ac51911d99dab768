import type { RejectedEvent, RejectedLine } from '../wire/event/event-lines.js'
import type { EventOptions } from '../wire/event/event-options.js'
import type { Leaf } from '../wire/json/json-line.js'
import type { Lines } from './line-reader.js'

/** Events to store: one JSON object per line, in a spool file or in memory. */
export interface Batch extends EventOptions {
  readonly dataset: string
  readonly lines: Lines
  /** Nanoseconds since 1970. */
  readonly arrivedAt: bigint
  /** Chosen by the client: a batch is stored once per id, however often it is sent. */
  readonly batchId?: string
  /** Bytes of the request that the lines were decoded from; by default the bytes of the lines. */
  readonly bytes?: number
  /**
   * Returns the rejected events of the request, given the rejected lines: also events that could not be decoded and have no
   * line. Without it each line is an event of the request. There may be a million, of which only the first `limit` are listed.
   */
  rejectedEvents?(rejected: readonly RejectedLine[], limit: number): RejectedEvents
  /** The leaves of an event with all fields that the dataset has from its first events on, also before one has a value there. */
  readonly definedFields?: readonly Leaf[]
  /** True when the outcome lists all rejected events. Not for batches with an id, whose outcome is saved. */
  readonly listsAllRejected?: true
  /** Called once when this call has stored the batch or rejected all of it. */
  onStored?(outcome: BatchOutcome): void
  /** Called before the outcome is returned when the batch has created its dataset. */
  onCreated?(): void
}

export interface StoredLines {
  readonly ingested: number
  readonly rejected: readonly RejectedLine[]
  readonly blocksCreated: number
}

/** The result of storing a batch, for any protocol to encode. */
export interface BatchOutcome extends RejectedEvents {
  readonly ingested: number
  readonly blocksCreated: number
  /** Bytes of the request that the events were decoded from. */
  readonly bytes: number
  /** Time of the first arrival of the batch, in nanoseconds since 1970. */
  readonly arrivedAt: bigint
}

interface RejectedEvents {
  /** The number of all of them. */
  readonly failed: number
  /** The first 10,000, or all of them when the batch asks for that, in the order of the request. */
  readonly rejected: readonly RejectedEvent[]
}
