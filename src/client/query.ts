import type { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { APL_CHECK, type AplCheck } from '../wire/http/check.js'
import {
  NATIVE_RESULT,
  NATIVE_RESULT_WITH_DOUBLES,
  type NativeReals,
} from '../wire/http/native-result.js'
import type { AplRequest } from '../wire/http/query.js'
import {
  decodeTabularResult,
  EXACT_RESULT,
  type TabularResult,
} from '../wire/http/tabular-result.js'
import { exactJsonText } from '../wire/json/exact-json.js'
import { decodeResponse } from '../wire/shape/response.js'
import type { Connection, HttpRequest, HttpResponse } from './connection.js'
import { ensureSuccess } from './error.js'
import { REQUEST_RETRY } from './limits.js'
import { type RetryPolicy, withRetry } from './retry.js'

const APL = '/v1/datasets/_apl'

export interface QueryOptions {
  readonly retry?: RetryPolicy
  readonly signal?: AbortSignal
}

/** Runs a query and returns its whole result. Throws `ApiError`, `NetworkError` and `MalformedResponseError`. */
export async function query(
  connection: Connection,
  request: AplRequest,
  options: QueryOptions = {},
): Promise<TabularResult> {
  const body = await queryResponse(connection, request, options)
  return decodeTabularResult(body.toString())
}

/** Runs a query and returns the body of the response, a result in JSON. */
export async function queryResponse(
  connection: Connection,
  request: AplRequest,
  { form = 'tabular', ...options }: QueryOptions & { readonly form?: ResultFormat } = {},
): Promise<ChunkedBuffer> {
  const to = { path: APL, query: { format: form } }
  return (await sendQuery(connection, { ...to, body: exactJsonText(request) }, options)).body
}

export interface PageBody {
  /** The format Native is described in `wire/http/native-result.ts`. */
  readonly form: 'json' | 'native'
  readonly body: ChunkedBuffer
}

/**
 * Runs a query and returns a result in the format Native, if the service offers it, or in JSON. In the format Native, floating-point
 * numbers are `reals`.
 */
export async function queryPage(
  connection: Connection,
  request: AplRequest,
  { reals = 'texts', ...options }: QueryOptions & { readonly reals?: NativeReals } = {},
): Promise<PageBody> {
  const native = reals === 'texts' ? NATIVE_RESULT : NATIVE_RESULT_WITH_DOUBLES
  const accept = `${native}, ${ACCEPT}`
  const to = { path: APL, query: { format: 'tabular' }, headers: { accept } }
  const outgoing = { ...to, body: exactJsonText(request) }
  const { headers, body } = await sendQuery(connection, outgoing, options)
  return { form: headers['content-type'] === NATIVE_RESULT ? 'native' : 'json', body }
}

export type ResultFormat = 'tabular' | 'legacy'

const ACCEPT = `${EXACT_RESULT}, application/json`

async function sendQuery(
  connection: Connection,
  question: Pick<HttpRequest, 'path' | 'query' | 'headers' | 'body'>,
  { retry = REQUEST_RETRY, signal }: QueryOptions = {},
): Promise<HttpResponse> {
  const outgoing: HttpRequest = {
    method: 'POST',
    ...question,
    headers: { 'content-type': 'application/json', accept: ACCEPT, ...question.headers },
    purpose: 'query',
    signal,
  }
  const response = await withRetry(() => connection.send(outgoing), { ...retry, signal })
  return ensureSuccess(response)
}

/** Compiles a query on the local service without running it. */
export async function checkQuery(
  connection: Connection,
  request: AplRequest,
  options: QueryOptions = {},
): Promise<AplCheck> {
  const outgoing = { path: `${APL}/check`, body: exactJsonText(request) }
  const { body } = await sendQuery(connection, outgoing, options)
  return decodeResponse(body.toString(), APL_CHECK)
}

/** Runs a legacy query; the request is JSON text, so that no number in it is rounded. */
export async function legacyResponse(
  connection: Connection,
  { dataset, request }: { readonly dataset: string; readonly request: string },
  options: QueryOptions = {},
): Promise<ChunkedBuffer> {
  const path = `/v1/datasets/${encodeURIComponent(dataset)}/query`
  return (await sendQuery(connection, { path, body: request }, options)).body
}
