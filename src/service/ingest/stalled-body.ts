import type { BatchOutcome } from '../../engine/batch.js'
import { LINE_FEED } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import type { ServiceRequest } from '../http.js'
import { RefusedError } from '../refused-error.js'

/**
 * Lines that are decoded from a body which may stop arriving. When a client streams events that it may not have any more,
 * those that arrived are stored. A client that declared the length of the body, or a batch id, sends all of it again.
 */
export class StallableLines {
  private readonly isStreamed: boolean
  private length = 0
  private complete = 0
  private hasStalled = false

  constructor({ headers }: ServiceRequest, { batchId }: { readonly batchId?: string }) {
    this.isStreamed = headers['content-length'] === undefined && batchId === undefined
  }

  /** Counts the next decoded bytes. */
  add(bytes: Buffer): void {
    const end = bytes.lastIndexOf(LINE_FEED) + 1
    if (end > 0) this.complete = this.length + end
    this.length += bytes.length
  }

  /** Returns the length of the complete lines if an error means that the body stalled and they are to be stored; else throws it. */
  completeAfter(error: unknown): number {
    const isStall = error instanceof RefusedError && error.reason === 'too-slow'
    if (!isStall || !this.isStreamed || this.complete === 0) throw error
    this.hasStalled = true
    return this.complete
  }

  /** Throws a `RefusedError` when the body stalled: it says what was stored before. */
  checkEnd({ ingested, failed }: Pick<BatchOutcome, 'ingested' | 'failed'>): void {
    if (!this.hasStalled) return
    throw new RefusedError(
      'too-slow',
      `The request body stopped arriving. Events before that: ${formatInteger(ingested)} stored, ${formatInteger(failed)} rejected. Send only the events after them.`,
    )
  }
}
