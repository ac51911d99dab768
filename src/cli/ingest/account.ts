import type { Batch, Position, Unsendable } from '../../input/batch.js'

/** An event that the service did not take, by its place in the batch that was sent. */
export interface Rejection {
  /** From 0; missing where the service does not tell which one it means. */
  readonly index?: number
  /** The line of the body, from 1, where the service tells. */
  readonly line?: number
  readonly field?: string
  readonly reason: string
}

/** What became of a batch, or of a part of one that had to be split. */
export interface Outcome {
  readonly batch: Batch
  readonly accepted: number
  readonly rejections: readonly Rejection[]
  /** Events that surely were not stored, though nothing is wrong with them: they never reached the service. */
  readonly unsent: number
  /** Events that may be stored or not: the answer was lost, or leaves them out. */
  readonly unconfirmed: number
  /** The service's name for the exchange, to be quoted. */
  readonly requestId?: string
}

/** What keeps books of a run: the summary, the rejects file, the receipt, the checkpoint. */
export interface Account {
  /** A batch, or a part of one, is about to be sent under an id; it goes out when this resolves. */
  sending?(batch: Batch, batchId: string): Promise<void>
  /** A batch, or all parts of one, have come to their end; its bytes may be looked at until this resolves. */
  settled(outcome: Outcome): Promise<void>
  /** An event that can't be sent at all. */
  unsendable?(event: Unsendable): Promise<void>
  /** An input was read to its end, or to where it could be read. */
  ended?(input: string, end: Position): Promise<void>
  /** Finishes what it writes. */
  close?(): Promise<void>
}
