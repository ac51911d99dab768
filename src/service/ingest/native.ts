import type { BatchOutcome } from '../../engine/batch.js'
import { LINE_FEED } from '../../text/bytes.js'
import { formatInteger } from '../../text/integer.js'
import { HEADER } from '../../wire/http/header.js'
import type { IngestResult } from '../../wire/http/ingest.js'
import { LISTED_FAILURES, MAX_BATCH_EVENTS } from '../../wire/limits.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { jsonText, type ServiceRequest, type ServiceResponse } from '../http.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import { bodyLines } from './body-lines.js'
import { eventOptions } from './ingest-options.js'
import { isLogplex, logplexBatchId, logplexPieces } from './logplex.js'
import {
  checkDataset,
  type DecodedBatch,
  type DecodingSteps,
  type IngestProtocol,
  type IngestRequest,
  outcomeOf,
} from './protocol.js'

const NOTHING = Buffer.alloc(0)

/**
 * `POST /v1/ingest/<dataset>` or `/v1/datasets/<dataset>/ingest`: NDJSON, JSON, CSV or Heroku's frames for one dataset. The
 * response lists rejected events.
 */
export const native: IngestProtocol = {
  name: 'native',
  decode({ request, parameters }, service) {
    const { dataset = '' } = parameters
    checkDataset(dataset)
    checkDatasetHeader(request, dataset)
    const batch: DecodedBatch = { dataset, ...eventOptions(request) }
    const failureLimit = failureLimitOf(request)
    if (!isLogplex(request)) return linesRequest(request, batch, failureLimit)
    const named = { ...batch, batchId: logplexBatchId(request) }
    return {
      decodeBody: (body) => logplexPieces(body, { batch: named, service }),
      encode: (results) => encode(outcomeOf(results), failureLimit),
    }
  },
}

/** Decodes a body of lines, or of an array, which is read as lines. */
function linesRequest(
  request: ServiceRequest,
  options: DecodedBatch,
  failureLimit: number,
): IngestRequest {
  const lines = bodyLines(request)
  const batch: DecodedBatch = {
    ...options,
    batchId: request.headers[HEADER.batchId] || undefined,
    convert: lines.convert,
    rejectedEvents: (rejected, limit) => ({
      failed: lines.failed(rejected.length),
      rejected: lines.failures(rejected, limit),
    }),
  }
  // A client that streams the body may not be able to send the events again, so events that arrived before a stall are stored. A
  // client that declared a length or a batch id is expected to send the whole body again.
  const isStreamed = request.headers['content-length'] === undefined && batch.batchId === undefined
  let hasStalled = false
  return {
    async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
      let length = 0
      /** The length of the complete lines. */
      let complete = 0
      try {
        for await (const piece of body) {
          const bodyBytes = piece.length
          const decoded = lines.push(piece)
          const end = decoded.lastIndexOf(LINE_FEED) + 1
          if (end > 0) complete = length + end
          length += decoded.length
          yield [{ batch, lines: decoded, bodyBytes }]
        }
      } catch (error) {
        hasStalled = error instanceof RefusedError && error.reason === 'too-slow'
        if (!hasStalled || !isStreamed || complete === 0) throw error
        yield [{ batch, lines: NOTHING, bodyBytes: 0, keep: complete }]
        return
      }
      const { bytes, keep } = lines.end()
      yield [{ batch, lines: bytes, bodyBytes: 0, keep }]
    },
    encode(results) {
      const outcome = outcomeOf(results)
      if (hasStalled) throw stalled(outcome)
      return encode(outcome, failureLimit)
    },
  }
}

function stalled({ ingested, failed }: BatchOutcome): RefusedError {
  return new RefusedError(
    'too-slow',
    `The request body stopped arriving. Events before that: ${formatInteger(ingested)} stored, ${formatInteger(failed)} rejected. Send only the events after them.`,
  )
}

/** Throws a `RefusedError` when a header names a different dataset than the path. */
function checkDatasetHeader({ headers }: ServiceRequest, dataset: string): void {
  const named = headers[HEADER.dataset] || dataset
  if (named === dataset) return
  throw invalidRequest(
    `The path names the dataset \`${dataset}\`, and the header \`${HEADER.dataset}\` names \`${named}\`. Omit the header.`,
  )
}

function encode(outcome: BatchOutcome, failureLimit: number): ServiceResponse {
  const { ingested, failed, rejected, bytes, blocksCreated, arrivedAt } = outcome
  const listed = rejected.slice(0, failureLimit)
  const timestamp = formatTimestamp(arrivedAt)
  const result: IngestResult = {
    ingested,
    failed,
    failures: listed.map(({ reason, ...place }) => ({ timestamp, ...place, error: reason })),
    ...(listed.length < failed && { failuresOmitted: failed - listed.length }),
    processedBytes: bytes,
    blocksCreated,
    // Queries find the events when the response is sent.
    walLength: 0,
  }
  return jsonText(200, JSON.stringify(result))
}

/**
 * Returns the maximum number of failures in the response. A line of two bytes can fail, so without a maximum a body of a few
 * megabytes could cause a response of hundreds of megabytes.
 */
function failureLimitOf(request: ServiceRequest): number {
  const header = request.headers[HEADER.failureLimit]
  if (header === undefined) return LISTED_FAILURES
  if (/^\d{1,9}$/.test(header)) return Math.min(Number(header), MAX_BATCH_EVENTS)
  throw invalidRequest(
    `\`${HEADER.failureLimit}\` must be a non-negative integer, not \`${header}\`. At most ${formatInteger(MAX_BATCH_EVENTS)} failures are listed.`,
  )
}
