import type { Batch, InputEnd, UnsendableEvent } from '../../../input/batch.js'
import type { BatchOutcome } from '../send/outcome.js'

/** The events of an input that an earlier run of the same command delivered, and that are not read again. */
export interface EarlierProgress {
  readonly input: string
  readonly accepted: number
  readonly rejected: number
  readonly bytes: number
}

/** Receives the events of a run: the summary, the rejects file, the receipt, the checkpoints. */
export interface Reporter {
  /** Called before the first batch of an input that an earlier run sent in part. */
  restored?(restored: EarlierProgress): Promise<void>
  /** Called before a batch is sent, which waits until the promise resolves. Not called for parts of a split batch. */
  sending?(batch: Batch, batchId: string): Promise<void>
  /** Called before a part of a batch is sent again under its own id. */
  sendingPart?(batch: Batch, id: string): Promise<void>
  /** Called with the outcome of each batch, sent or not. The bytes of the batch are valid until the promise resolves. */
  settled?(outcome: BatchOutcome): Promise<void>
  /** Called when a reporter could not record that a batch is sent, or its outcome. */
  unrecorded?(batch: Batch, batchId: string): Promise<void>
  /** Called for an event that can't be sent at all. */
  unsendable?(event: UnsendableEvent): Promise<void>
  /** Called at the end of an input, whose batches may still be in flight. */
  ended?(end: InputEnd): Promise<void>
  /** Called when all events that were read have an outcome. Completes the output of the reporter. */
  close?(): Promise<void>
}

/** Combines reporters into one reporter, which calls them in order. */
export function combineReporters(reporters: readonly Reporter[]): Required<Reporter> {
  async function each(call: (reporter: Reporter) => Promise<void> | undefined): Promise<void> {
    for (const reporter of reporters) await call(reporter)
  }
  return {
    restored: (restored) => each((reporter) => reporter.restored?.(restored)),
    sending: (batch, batchId) => each((reporter) => reporter.sending?.(batch, batchId)),
    sendingPart: (batch, id) => each((reporter) => reporter.sendingPart?.(batch, id)),
    settled: (outcome) => each((reporter) => reporter.settled?.(outcome)),
    unrecorded: (batch, batchId) => each((reporter) => reporter.unrecorded?.(batch, batchId)),
    unsendable: (event) => each((reporter) => reporter.unsendable?.(event)),
    ended: (end) => each((reporter) => reporter.ended?.(end)),
    async close() {
      // All reporters are closed, even if one of them fails.
      const closed = await Promise.allSettled(reporters.map((reporter) => reporter.close?.()))
      for (const result of closed) if (result.status === 'rejected') throw result.reason
    },
  }
}
