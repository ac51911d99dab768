import type { BatchOutcome } from '../../engine/batch.js'
import { LINE_FEED } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import type { ServiceRequest } from '../http.js'
import { RefusedError } from '../refused-error.js'

/**
 * Decoded lines of a body that may stop arriving. If the client streams the body, it may not be able to send the events again, so
 * the events that arrived are stored. A client that declared a length or a batch id is expected to send the whole body again.
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

  /** Returns the length of the lines to store if the error means that a streamed body stalled; otherwise throws the error. */
  completeAfter(error: unknown): number {
    const isStall = error instanceof RefusedError && error.reason === 'too-slow'
    if (!isStall || !this.isStreamed || this.complete === 0) throw error
    this.hasStalled = true
    return this.complete
  }

  /** Throws a `RefusedError` with the number of stored events when the body stalled. */
  checkEnd({ ingested, failed }: Pick<BatchOutcome, 'ingested' | 'failed'>): void {
    if (!this.hasStalled) return
    throw new RefusedError(
      'too-slow',
      `The request body stopped arriving. Events before that: ${formatInteger(ingested)} stored, ${formatInteger(failed)} rejected. Send only the events after them.`,
    )
  }
}
