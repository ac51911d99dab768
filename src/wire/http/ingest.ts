import { decodeError } from './error-body.js'
import { MalformedResponseError } from './response-json.js'

/** The most events in a request of evq, and the most that hosted services accept. */
export const MAX_BATCH_EVENTS = 10_000

/** Default limit of the failures listed in a response; all are counted. */
export const DEFAULT_FAILURE_LIMIT = 1_000

/** The response of `POST /v1/ingest/<dataset>`. */
export interface IngestResult {
  readonly ingested: number
  readonly failed: number
  readonly failures: readonly IngestFailure[]
  /** Number of failures counted in `failed` but not listed; missing when all are listed. */
  readonly failuresOmitted?: number
  readonly processedBytes: number
  readonly blocksCreated: number
  readonly walLength: number
}

/** A rejected event. */
export interface IngestFailure {
  /** RFC 3339. */
  readonly timestamp: string
  readonly error: string
  /** Index of the event in the request, from 0; omitted by hosted services. */
  readonly index?: number
  /** The line it begins on, from 1, for formats with lines; omitted by hosted services. */
  readonly line?: number
  /** The field at fault, if the service reports it. */
  readonly field?: string
}

/** Decodes the response for an accepted batch; missing numbers become 0. Throws `MalformedResponseError`. */
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

/**
 * Returns the events blamed by an error response: its list of failures, or, for hosted services, the text `index N` in
 * its message.
 */
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

/** The error page of a proxy names no events. */
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
