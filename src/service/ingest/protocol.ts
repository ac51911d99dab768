import type { Batch, BatchOutcome } from '../../engine/batch.js'
import type { Lines } from '../../engine/line-reader.js'
import { StoreError } from '../../engine/store-error.js'
import type { EventOptions } from '../../wire/event/event-options.js'
import { datasetNameError, isDatasetName } from '../../wire/http/dataset-name.js'
import type { EncodeError } from '../error-response.js'
import type { ServiceResponse } from '../http.js'
import { invalidRequest } from '../refused-error.js'
import type { Call, Service } from '../route.js'

/**
 * A protocol for sending events over HTTP. A protocol decodes requests and encodes outcomes; it stores nothing, and is
 * independent of tokens, limits and metrics.
 */
export interface IngestProtocol {
  /** The value of the label `protocol` in metrics. */
  readonly name: string
  /** Decodes the head of a request, before any of its body is read. Throws a `RefusedError` when it is malformed. */
  decode(
    call: Call,
    service: Pick<Service, 'defaultDataset' | 'limits' | 'caller' | 'loadSyslog' | 'now'>,
  ): IngestRequest
  /** Content encodings that the protocol decodes itself. */
  readonly ownEncodings?: readonly string[]
  /** Encodes the response to a request that fails; by default JSON with `code` and `message`. */
  readonly encodeError?: EncodeError
}

/** A request whose head has been decoded. */
export interface IngestRequest {
  /**
   * Decodes the uncompressed body as it arrives, in pieces of up to 64 KiB. The outcomes passed to `encode` are in the order of
   * the batches' first pieces. A batch without events needs an empty piece.
   */
  decodeBody(body: AsyncIterable<Buffer>): AsyncIterable<DecodingSteps>
  /**
   * Encodes the results of all batches. An outcome lists up to 10,000 rejected events, unless its batch has `listsAllRejected`.
   * An error that this function throws becomes the response.
   */
  encode(results: readonly BatchResult[]): ServiceResponse | Promise<ServiceResponse>
  /** Returns the number of rejected events that belong to no batch, once the body is decoded. */
  rejectedOutsideBatches?(): number
}

/**
 * Decodes a part of a body in steps that take a fraction of a millisecond each, such as a line, an entry or a member of the
 * request. A step that completes no piece yields undefined.
 */
export type DecodingSteps = Iterable<BatchPiece | undefined>

/** Events of a request for the same dataset with the same options. All pieces of a batch refer to the same object. */
export interface DecodedBatch
  extends EventOptions,
    Pick<Batch, 'dataset' | 'batchId' | 'rejectedEvents' | 'listsAllRejected' | 'definedFields'> {
  /** Converts the pieces of the batch to lines, if they are not NDJSON. */
  readonly convert?: Lines['convert']
}

export interface BatchPiece {
  readonly batch: DecodedBatch
  /** NDJSON, one event per line; a piece can end inside a line. The caller must not change the buffer. */
  readonly lines: Buffer
  /** Length in bytes of the part of the body that the piece was decoded from. */
  readonly bodyBytes: number
  /** Drops everything after the first `keep` bytes of the batch; only with its last piece. */
  readonly keep?: number
}

/** The outcome of a batch, or the error because of which the batch was not stored. */
export type BatchResult = BatchOutcome | StoreError

/** Throws a `RefusedError` when the name is not a valid dataset name. */
export function checkDataset(name: string): void {
  if (!isDatasetName(name)) throw invalidRequest(datasetNameError(name))
}

/** Returns the outcome of a request with one batch. Throws its error when it was not stored. */
export function outcomeOf(results: readonly BatchResult[]): BatchOutcome {
  const [outcome] = outcomesOf(results)
  if (outcome === undefined) throw new Error('the request has no batch')
  return outcome
}

/** Returns the outcomes of all batches. Throws the error of the first batch that was not stored. */
export function outcomesOf(results: readonly BatchResult[]): readonly BatchOutcome[] {
  return results.map((result) => {
    if (result instanceof StoreError) throw result
    return result
  })
}
