import { decodeError } from './decode-error.js'
import { MalformedResponseError } from './malformed-response.js'

/** The most events that evq sends in a request, and the most that hosted services accept in one. */
export const MOST_BATCH_EVENTS = 10_000

/** The failures that a response lists unless the request asks for another number; all of them are counted. */
export const LISTED_FAILURES = 1_000

/** The answer of `POST /v1/ingest/<dataset>`. */
export interface IngestResult {
  readonly ingested: number
  readonly failed: number
  readonly failures: readonly IngestFailure[]
  /** How many of the failures are counted in `failed` and not listed; missing when all are listed. */
  readonly failuresOmitted?: number
  readonly processedBytes: number
  readonly blocksCreated: number
  readonly walLength: number
}

/** One event that was not stored. */
export interface IngestFailure {
  /** RFC 3339. */
  readonly timestamp: string
  readonly error: string
  /** The event's position in the request, from 0; hosted services leave it out. */
  readonly index?: number
  /** The line it begins on, from 1, where the format has lines; hosted services leave it out. */
  readonly line?: number
  /** The field that is to blame, where a service tells. */
  readonly field?: string
}

/** Reads the answer to a batch that was accepted, in whole or in part; what a deployment leaves out is 0. */
export function decodeIngestResult(text: string): IngestResult {
  const value = parsed(text)
  if (typeof value !== 'object' || value === null || !('ingested' in value)) {
    throw new MalformedResponseError('it has no `ingested`')
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

/** The events that a refusal names: in a list of failures, or as hosted services do, by the words `index N`. */
export function decodeNamedEvents(text: string, status: number): readonly IngestFailure[] {
  const listed = (parsed(text) as { readonly failures?: unknown } | null | undefined)?.failures
  if (Array.isArray(listed) && listed.length > 0) return listed.map(decodeFailure)
  const { message } = decodeError(text, status)
  const index = /\bindex\W{0,3}(\d{1,9})\b/i.exec(message)?.[1]
  return index === undefined ? [] : [{ timestamp: '', error: message, index: Number(index) }]
}

function decodeFailure(value: unknown): IngestFailure {
  const failure = (value ?? {}) as Partial<Record<keyof IngestFailure, unknown>>
  return {
    timestamp: typeof failure.timestamp === 'string' ? failure.timestamp : '',
    error: typeof failure.error === 'string' ? failure.error : 'no reason given',
    ...(typeof failure.index === 'number' && { index: failure.index }),
    ...(typeof failure.line === 'number' && { line: failure.line }),
    ...(typeof failure.field === 'string' && { field: failure.field }),
  }
}

/** A refusal may be a page of a proxy, which names no events. */
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
