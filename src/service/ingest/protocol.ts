import type { Batch, BatchOutcome } from '../../engine/batch.js'
import { StoreError } from '../../engine/store-error.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import { datasetNameError, isDatasetName } from '../../wire/http/dataset-name.js'
import type { ServiceResponse } from '../http.js'
import { RefusedError } from '../refused-error.js'
import type { Call } from '../route.js'

/**
 * A way to send events over HTTP. A protocol decodes requests and encodes outcomes; it stores nothing, and it knows nothing
 * of tokens, limits and metrics.
 */
export interface IngestProtocol {
  /** The value of the label `protocol` in metrics. */
  readonly name: string
  /** Decodes the head of a request, before any of its body is read. Throws a `RefusedError` when it is malformed. */
  decode(call: Call): IngestRequest
}

/** A request whose head was decoded. */
export interface IngestRequest {
  /**
   * Decodes the body, which is uncompressed already, as it arrives. The order of the first pieces of batches is the order
   * in which `encode` gets their outcomes. A batch without events needs a piece too, of no bytes.
   */
  decodeBody(body: AsyncIterable<Buffer>): AsyncIterable<BatchPiece>
  /**
   * Encodes the results of all batches. An outcome lists up to 10,000 rejected events: a protocol with a status for each event
   * has to refuse requests with more events. An error that it throws is the response.
   */
  encode(results: readonly BatchResult[]): ServiceResponse
}

/** Events of a request that go into the same dataset on the same terms: one batch has the same object in all its pieces. */
export interface DecodedBatch
  extends EventOptions,
    Pick<Batch, 'dataset' | 'batchId' | 'rejectedEvents'> {}

/** The next bytes of a batch. */
export interface BatchPiece {
  readonly batch: DecodedBatch
  /** NDJSON, an event a line; a piece can end inside a line. The caller may not change them any more. */
  readonly lines: Buffer
  /** Length in bytes of the part of the body that the piece was decoded from. */
  readonly bodyBytes: number
  /** Drops everything after the first `keep` bytes of the batch; only with its last piece. */
  readonly keep?: number
}

/** The outcome of a batch, or the reason why nothing of it was stored. */
export type BatchResult = BatchOutcome | StoreError

/** Throws a `RefusedError` when no dataset can have the name. */
export function checkDataset(name: string): void {
  if (!isDatasetName(name)) throw new RefusedError('invalid-request', datasetNameError(name))
}

/** Returns the outcomes of a request that fails as a whole: throws the error of the first batch that could not be stored. */
export function outcomesOf(results: readonly BatchResult[]): readonly BatchOutcome[] {
  return results.map((result) => {
    if (result instanceof StoreError) throw result
    return result
  })
}
