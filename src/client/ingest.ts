import { HEADER } from '../wire/http/header.js'
import {
  decodeIngestResult,
  decodeNamedEvents,
  type IngestFailure,
  type IngestResult,
  MOST_BATCH_EVENTS,
} from '../wire/http/ingest.js'
import { MalformedResponseError } from '../wire/http/malformed-response.js'
import type { Connection, HttpRequest, HttpResponse } from './connection.js'
import { ensureSuccess, requestIdOf } from './ensure-success.js'
import { NetworkError } from './error.js'
import { DEFAULT_RETRY, type RetryPolicy, withRetry } from './retry.js'
import type { WireCompression } from './wire-compression.js'

/** How a service is to read the events, in the terms of the interface. */
export interface IngestParameters {
  readonly timestampField?: string | undefined
  readonly timestampFormat?: string | undefined
  /** Added to each event as top-level fields. */
  readonly labels?: Readonly<Record<string, string>> | undefined
}

/** One batch on its way into a dataset. */
export interface IngestRequest {
  readonly dataset: string
  readonly contentType: 'application/x-ndjson' | 'application/json' | 'text/csv'
  /** What CSV is not told by default: its delimiter, and its fields where it has no header. */
  readonly csv?: { readonly delimiter?: string; readonly fields?: readonly string[] } | undefined
  readonly body: Buffer
  /** Under the same id a batch is stored once, however often it arrives. */
  readonly batchId: string
  readonly parameters?: IngestParameters
  readonly compression?: WireCompression | undefined
  readonly retry?: RetryPolicy
  /** Aborting gives up a request that is under way. */
  readonly signal?: AbortSignal | undefined
}

/** A service that is started again, or a laptop that changes networks, is back within this. */
export const INGEST_RETRY: RetryPolicy = { ...DEFAULT_RETRY, attempts: 10 }

/** A body above this may be refused before it is read, and then the connection breaks before the answer is seen. */
const LARGE_BODY = 256 * 1024

/** What came of sending a batch, after all that could be tried. */
export type Delivery = BatchAccepted | BatchFailed

/** The service took the batch, though perhaps not each event of it. */
export interface BatchAccepted {
  readonly kind: 'answered'
  readonly result: IngestResult
  readonly requestId: string | undefined
  /** How often it was sent again. */
  readonly retries: number
}

/** There was a refusal of the whole batch, or no answer. */
export interface BatchFailed {
  readonly kind: 'failed'
  /** An `ApiError` where there was an answer. */
  readonly error: Error
  /** Whether one of the attempts may have been carried out all the same. */
  readonly mayBeStored: boolean
  /** The events that a refusal of the whole names as the bad ones. */
  readonly named: readonly IngestFailure[]
  readonly retries: number
}

/** Stores a batch, sending it again when that may help. */
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
      let answer = await connection.send(outgoing)
      if (answer.status === 415 && outgoing !== plain && !isStopped()) {
        request.compression?.turnOff()
        outgoing = plain
        answer = await connection.send(outgoing)
      }
      mayBeStored ||= mayHaveStored(answer.status)
      return answer
    } catch (error) {
      const denial = isStopped() ? undefined : await denialFor(connection, { outgoing, error })
      if (denial !== undefined) return denial
      mayBeStored ||= error instanceof NetworkError && error.failure !== 'unreachable'
      throw error
    }
  }
  try {
    const answer = await withRetry(send, request.retry ?? INGEST_RETRY)
    named = namedEvents(answer)
    const { body, headers } = ensureSuccess(outgoing, answer)
    const result = decodeIngestResult(body.toString())
    return { kind: 'answered', result, requestId: requestIdOf(headers), retries: attempts - 1 }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    // What answers like this may have stored it; sent again, a service without batch ids would store it twice.
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
      // A rejects file needs the place of every rejected event.
      [HEADER.failureLimit]: String(MOST_BATCH_EVENTS),
      ...(labels !== undefined && { [HEADER.eventLabels]: headerJson(labels) }),
      // Names are UTF-8 like the body; a header goes out a byte for each character.
      ...(csv.fields !== undefined && {
        [HEADER.csvFields]: Buffer.from(csv.fields.join(',')).toString('latin1'),
      }),
    },
    body,
    purpose: 'ingest',
    ...(signal && { signal }),
  }
}

/** JSON for a header, which holds ASCII alone. */
function headerJson(value: object): string {
  return JSON.stringify(value).replace(
    /[^ -~]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

async function compressed(outgoing: HttpRequest, request: IngestRequest): Promise<HttpRequest> {
  const body = await request.compression?.compress(request.body)
  if (body === undefined) return outgoing
  return { ...outgoing, body, headers: { ...outgoing.headers, 'content-encoding': 'gzip' } }
}

/**
 * What a service that broke off in the middle of a large body says to an empty one: it may have denied the
 * token, and closed the connection before the answer was seen. An empty body stores nothing anywhere.
 */
async function denialFor(
  connection: Connection,
  { outgoing, error }: { readonly outgoing: HttpRequest; readonly error: unknown },
): Promise<HttpResponse | undefined> {
  const isCut = error instanceof NetworkError && error.failure === 'cut'
  if (!isCut || (outgoing.body?.length ?? 0) < LARGE_BODY) return undefined
  const { [HEADER.batchId]: _, 'content-encoding': __, ...headers } = outgoing.headers ?? {}
  const answer = await connection.send({ ...outgoing, headers, body: '' }).catch(() => undefined)
  return answer !== undefined && [401, 403, 404].includes(answer.status) ? answer : undefined
}

/** The events that a refusal of the whole batch names as the bad ones. */
function namedEvents({ status, body }: HttpResponse): readonly IngestFailure[] {
  return status < 400 || status >= 500 ? [] : decodeNamedEvents(body.toString(), status)
}

/** Whether a service that answers so may have stored the batch: something behind it, or in front, gave up on it. */
function mayHaveStored(status: number): boolean {
  return status >= 500 && status !== 501 && status !== 503
}
