import { parseJson } from '../json/json-object.js'
import {
  count,
  decodeResponse,
  exactCount,
  listOf,
  listOfValid,
  mapped,
  object,
  optional,
  required,
  text,
  time,
} from '../shape/response.js'
import { named, type ValueOf } from '../shape/shape.js'
import { decodeError } from './error-body.js'
import { MalformedResponseError } from './response-json.js'

/** A rejected event. Hosted services omit `index` and `line`. */
export const INGEST_FAILURE = object({
  timestamp: time(),
  error: mapped(
    text('The reason why the event was rejected.'),
    (error) => error || 'no reason given',
  ),
  index: optional(count('The index of the event in the request, from 0.')),
  line: optional(count('The line that the event starts on.', { minimum: 1 })),
  field: optional(text('The field at fault, where the service reports it.')),
})
export type IngestFailure = ValueOf<typeof INGEST_FAILURE>

/** The response of `POST /v1/ingest/<dataset>`. */
export const INGEST_RESULT = object({
  ingested: required(exactCount('The number of stored events.')),
  failed: exactCount('Events that were rejected, whether or not they are listed.'),
  failures: listOfValid(
    named('IngestFailure', INGEST_FAILURE),
    'The first rejected events, at most `x-service-failure-limit`.',
  ),
  failuresOmitted: optional(count('The number of failures that are not listed.')),
  processedBytes: count('The length of the body, uncompressed.'),
  blocksCreated: count(),
  walLength: count(),
})
export type IngestResult = ValueOf<typeof INGEST_RESULT>

/**
 * Decodes the response for an accepted batch of `events` events. Throws a `MalformedResponseError`, also when the response counts
 * more events than the batch has, because such counts are meaningless.
 */
export function decodeIngestResult(text: string, events: number): IngestResult {
  const result = decodeResponse(text, INGEST_RESULT)
  const { ingested, failed, failures } = result
  const rejected = Math.max(failed, failures.length)
  if (ingested + rejected <= events) return result
  throw new MalformedResponseError(
    `it counts ${ingested} stored and ${rejected} rejected events, and the request had ${events}`,
  )
}

/**
 * Returns the events that caused an error response: its list of failures or, for hosted services, the event of `index N` in its
 * message.
 */
export function decodeNamedEvents(text: string, status: number): readonly IngestFailure[] {
  const listed = (parseJson(text) as { readonly failures?: unknown } | null | undefined)?.failures
  if (Array.isArray(listed) && listed.length > 0) return FAILURES.decode('`failures`', listed)
  const { message } = decodeError(text, status)
  const index = /\bindex\W{0,3}(\d{1,9})\b/i.exec(message)?.[1]
  return index === undefined ? [] : [{ timestamp: '', error: message, index: Number(index) }]
}

const FAILURES = listOf(INGEST_FAILURE)
