import { HEADER } from '../wire/header.js'
import type { IngestFailure, IngestResult } from '../wire/ingest.js'
import { MalformedAnswerError } from '../wire/malformed-answer.js'
import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'
import { DEFAULT_RETRY, type RetryPolicy, retried } from './retry.js'

/** One batch on its way into a dataset. */
export interface IngestRequest {
  readonly dataset: string
  readonly contentType: 'application/x-ndjson' | 'application/json' | 'text/csv'
  readonly body: Buffer
  /** Under the same id a batch is stored once, however often it arrives. */
  readonly batchId: string
  readonly timestampField?: string | undefined
  readonly retry?: RetryPolicy
}

/** Stores a batch, sending it again when that may help. */
export async function ingest(
  connection: Connection,
  request: IngestRequest,
): Promise<IngestResult> {
  const outgoing: Outgoing = {
    method: 'POST',
    path: `/v1/ingest/${encodeURIComponent(request.dataset)}`,
    query: { 'timestamp-field': request.timestampField },
    headers: { 'content-type': request.contentType, [HEADER.batchId]: request.batchId },
    body: request.body,
    purpose: 'ingest',
  }
  const send = () => connection.send(outgoing)
  const answer = await retried(send, request.retry ?? DEFAULT_RETRY)
  return decodeIngestResult(accepted(outgoing, answer).body.toString('utf8'))
}

function decodeIngestResult(text: string): IngestResult {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || !('ingested' in value)) {
    throw new MalformedAnswerError('it has no `ingested`')
  }
  const result = value as Partial<Record<keyof IngestResult, unknown>>
  return {
    ingested: count(result.ingested),
    failed: count(result.failed),
    failures: Array.isArray(result.failures) ? result.failures.map(decodeFailure) : [],
    processedBytes: count(result.processedBytes),
    blocksCreated: count(result.blocksCreated),
    walLength: count(result.walLength),
  }
}

function decodeFailure(value: unknown): IngestFailure {
  const failure = (value ?? {}) as Partial<Record<keyof IngestFailure, unknown>>
  return {
    timestamp: typeof failure.timestamp === 'string' ? failure.timestamp : '',
    error: typeof failure.error === 'string' ? failure.error : 'no reason given',
    ...(typeof failure.index === 'number' && { index: failure.index }),
    ...(typeof failure.line === 'number' && { line: failure.line }),
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function count(value: unknown): number {
  return typeof value === 'number' ? value : 0
}
