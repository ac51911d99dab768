import { unicodeEscape } from '../text/control-escapes.js'
import { HEADER } from '../wire/http/header.js'
import {
  decodeIngestResult,
  decodeNamedEvents,
  type IngestFailure,
  type IngestResult,
} from '../wire/http/ingest.js'
import { MalformedResponseError } from '../wire/http/response-json.js'
import { MAX_BATCH_EVENTS } from '../wire/limits.js'
import type { Connection, HttpRequest, HttpResponse } from './connection.js'
import { ensureSuccess, NetworkError, requestIdOf } from './error.js'
import { INGEST_RETRY } from './limits.js'
import { type RetryPolicy, withRetry } from './retry.js'
import type { WireCompression } from './wire-compression.js'

/** The parameters of an ingest request that describe its events. */
export interface IngestParameters {
  readonly timestampField?: string | undefined
  readonly timestampFormat?: string | undefined
  /** Labels to add to each event as top-level fields. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

/** One batch for a dataset. */
export interface IngestRequest {
  readonly dataset: string
  readonly contentType: 'application/x-ndjson' | 'text/csv'
  /** The differences from default CSV: the delimiter, and the fields when there is no header. */
  readonly csv?: { readonly delimiter?: string; readonly fields?: readonly string[] } | undefined
  readonly body: Buffer
  readonly events: number
  /** The id of the batch: batches with the same id are stored once. */
  readonly batchId: string
  readonly parameters?: IngestParameters
  readonly compression?: WireCompression | undefined
  readonly retry?: RetryPolicy
  /** Aborting cancels a request in flight. */
  readonly signal?: AbortSignal | undefined
}

/** The length from which a body may be rejected before it is read: the connection may then be lost before the response arrives. */
const LARGE_BODY = 256 * 1024

/** The outcome of sending a batch, after all retries. */
export type Delivery = BatchAccepted | BatchFailed

/** The batch was accepted; individual events may have been rejected. */
export interface BatchAccepted {
  readonly kind: 'accepted'
  readonly result: IngestResult
  readonly requestId: string | undefined
  readonly retries: number
}

/** The whole batch was rejected, or there was no response. */
export interface BatchFailed {
  readonly kind: 'failed'
  /** An `ApiError` if there was a response. */
  readonly error: Error
  /** True when one of the attempts may have stored the batch. */
  readonly mayBeStored: boolean
  /** The events that caused the error, according to the response. */
  readonly named: readonly IngestFailure[]
  readonly retries: number
}

/** Sends a batch, with retries. Resolves with the outcome; rejects only for values that are not errors. */
export async function ingest(connection: Connection, request: IngestRequest): Promise<Delivery> {
  const plain = outgoingOf(request)
  let outgoing = await compressed(plain, request)
  let attempts = 0
  let mayBeStored = false
  let named: readonly IngestFailure[] = []
  const isStopped = () => request.retry?.signal?.aborted === true
  async function send(): Promise<HttpResponse> {
    attempts += 1
    try {
      let response = await connection.send(outgoing)
      if (response.status === 415 && outgoing !== plain && !isStopped()) {
        request.compression?.turnOff()
        outgoing = plain
        response = await connection.send(outgoing)
      }
      mayBeStored ||= mayHaveStored(response.status)
      return response
    } catch (error) {
      const denial = isStopped() ? undefined : await denialFor(connection, { outgoing, error })
      if (denial !== undefined) return denial
      mayBeStored ||= error instanceof NetworkError && error.failure !== 'unreachable'
      throw error
    }
  }
  try {
    const response = await withRetry(send, request.retry ?? INGEST_RETRY)
    named = namedEvents(response)
    const { body, headers } = ensureSuccess(response)
    const result = decodeIngestResult(body.toString(), request.events)
    return { kind: 'accepted', result, requestId: requestIdOf(headers), retries: attempts - 1 }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // The batch may be stored although the response is malformed. A service without batch ids would store it twice.
    mayBeStored ||= error instanceof MalformedResponseError
    return { kind: 'failed', error, mayBeStored, named, retries: attempts - 1 }
  }
}

function outgoingOf(request: IngestRequest): HttpRequest {
  const { dataset, contentType, batchId, body, signal, csv = {}, parameters = {} } = request
  const { timestampField, timestampFormat, labels } = parameters
  return {
    method: 'POST',
    path: `/v1/ingest/${encodeURIComponent(dataset)}`,
    query: {
      'timestamp-field': timestampField,
      'timestamp-format': timestampFormat,
      'csv-delimiter': csv.delimiter,
    },
    headers: {
      'content-type': contentType,
      [HEADER.batchId]: batchId,
      // A rejects file needs the position of every rejected event.
      [HEADER.failureLimit]: String(MAX_BATCH_EVENTS),
      ...(labels !== undefined && { [HEADER.eventLabels]: headerJson(labels) }),
      // Names are UTF-8 like the body, but a header is sent with one byte per character.
      ...(csv.fields !== undefined && {
        [HEADER.csvFields]: Buffer.from(csv.fields.join(',')).toString('latin1'),
      }),
    },
    body,
    purpose: 'ingest',
    signal,
  }
}

/** Returns JSON in ASCII, as headers require. */
function headerJson(value: object): string {
  return JSON.stringify(value).replace(/[^ -~]/g, unicodeEscape)
}

async function compressed(outgoing: HttpRequest, request: IngestRequest): Promise<HttpRequest> {
  const body = await request.compression?.compress(request.body)
  if (body === undefined) return outgoing
  return { ...outgoing, body, headers: { ...outgoing.headers, 'content-encoding': 'gzip' } }
}

/**
 * Sends a request whose large body was cut off again, without a body: the service may have refused the token and closed the
 * connection before the response was read. An empty body stores nothing. Returns the response if it is such a refusal.
 */
async function denialFor(
  connection: Connection,
  { outgoing, error }: { readonly outgoing: HttpRequest; readonly error: unknown },
): Promise<HttpResponse | undefined> {
  const isCut = error instanceof NetworkError && error.failure === 'cut'
  if (!isCut || (outgoing.body?.length ?? 0) < LARGE_BODY) return undefined
  const { [HEADER.batchId]: _, 'content-encoding': __, ...headers } = outgoing.headers ?? {}
  const response = await connection.send({ ...outgoing, headers, body: '' }).catch(() => undefined)
  return response !== undefined && [401, 403, 404].includes(response.status) ? response : undefined
}

/** Returns the events that caused an error response, according to the response. */
function namedEvents({ status, body }: HttpResponse): readonly IngestFailure[] {
  return status < 400 || status >= 500 ? [] : decodeNamedEvents(body.toString(), status)
}

/**
 * True for statuses after which the batch may have been stored: a component of the service, or a proxy in front of it, gave up
 * waiting.
 */
function mayHaveStored(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 503
}
