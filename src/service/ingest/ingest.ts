import { setImmediate } from 'node:timers/promises'
import type { Lines } from '../../engine/ingest/line-reader.js'
import type { Stored } from '../../engine/store.js'
import { grouped } from '../../text/grouped.js'
import type { EventFailure, EventLines } from '../../wire/event/event-lines.js'
import { isDatasetName, noDatasetName } from '../../wire/http/dataset-name.js'
import { HEADER } from '../../wire/http/header.js'
import { type IngestResult, LISTED_FAILURES, MOST_BATCH_EVENTS } from '../../wire/http/ingest.js'
import { formatTimestamp } from '../../wire/time/timestamp.js'
import { readBody } from '../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../http.js'
import { jsonText } from '../json-response.js'
import { RefusedError } from '../refused-error.js'
import type { Call, Service } from '../route.js'
import type { Pass } from './admission.js'
import { bodyLines } from './body-lines.js'
import { eventTerms } from './ingest-options.js'
import { SpoolFile } from './spool-file.js'

/** `POST /v1/ingest/<dataset>`: stores the events of the body and says which it could not store. */
export async function ingest(
  { request, parameters }: Call,
  service: Service,
): Promise<ServiceResponse> {
  const dataset = datasetName(parameters.dataset ?? '')
  const terms = eventTerms(request)
  const lines = bodyLines(request)
  const failureLimit = failureLimitOf(request)
  const arrivedAt = service.now()
  const limit = service.limits.bodyBytes
  const bytes = Math.min(Number(request.headers['content-length'] ?? 0), limit)
  const pass = service.gate.enter(bytes)
  const spool = new SpoolFile({ folder: service.store.spool, bytes })
  try {
    const { processedBytes, written } = await write(request, { lines, spool, limit, pass })
    const answer = await service.store.ingest({
      dataset,
      lines: written,
      arrivedAt,
      ...terms,
      ...batchId(request),
      onStored({ ingested, rejected }) {
        const failed = lines.failed(rejected.length)
        service.metrics.stored({ events: ingested, rejected: failed, bytes: processedBytes })
      },
      reply(stored) {
        const failed = lines.failed(stored.rejected.length)
        const failures = lines.failures(stored.rejected, failureLimit)
        return JSON.stringify(ingestResult({ stored, failed, failures, processedBytes, arrivedAt }))
      },
    })
    return jsonText(200, answer)
  } finally {
    pass.leave()
    await spool.remove()
  }
}

/** Puts the body into the spool as lines. */
async function write(
  request: ServiceRequest,
  options: {
    readonly lines: EventLines
    readonly spool: SpoolFile
    readonly limit: number
    readonly pass: Pass
  },
): Promise<{ readonly processedBytes: number; readonly written: Lines }> {
  const { lines, spool } = options
  let bytes = 0
  for await (const piece of readBody(request, options.limit)) {
    bytes += piece.length
    // More than was said where the body is compressed, or comes in chunks.
    options.pass.brought(bytes)
    await spool.write(lines.push(piece))
    // Node reads up to 2 MB of a connection before it looks at others: pieces that are not written wait for nothing else.
    await setImmediate()
  }
  const last = lines.end()
  await spool.write(last.bytes)
  return { processedBytes: bytes, written: await spool.finish(last.keep) }
}

function ingestResult(options: {
  readonly stored: Stored
  readonly failed: number
  readonly failures: readonly EventFailure[]
  readonly processedBytes: number
  readonly arrivedAt: bigint
}): IngestResult {
  const { stored, failed, failures, processedBytes } = options
  const timestamp = formatTimestamp(options.arrivedAt)
  return {
    ingested: stored.ingested,
    failed,
    failures: failures.map((failure) => ({ timestamp, ...failure })),
    ...(failures.length < failed && { failuresOmitted: failed - failures.length }),
    processedBytes,
    blocksCreated: stored.blocksCreated,
    // What is answered is stored: there is no log of what still waits.
    walLength: 0,
  }
}

function datasetName(name: string): string {
  if (isDatasetName(name)) return name
  throw new RefusedError('invalid-request', noDatasetName(name))
}

/**
 * The most failures that the response lists. A line of two bytes can fail, so a body of a few megabytes
 * could otherwise cause a response of hundreds.
 */
function failureLimitOf(request: ServiceRequest): number {
  const header = request.headers[HEADER.failureLimit]
  if (header === undefined) return LISTED_FAILURES
  if (/^\d{1,9}$/.test(header)) return Math.min(Number(header), MOST_BATCH_EVENTS)
  throw new RefusedError(
    'invalid-request',
    `\`${HEADER.failureLimit}\` must be a whole number from 0, not \`${header}\`. At most ${grouped(MOST_BATCH_EVENTS)} failures are listed.`,
  )
}

function batchId(request: ServiceRequest): { batchId?: string } {
  const batchId = request.headers[HEADER.batchId]
  return batchId ? { batchId } : {}
}
