import type { Connection, HttpRequest } from './connection.js'
import { ensureSuccess } from './error.js'
import { DEFAULT_RETRY } from './limits.js'
import { withRetry } from './retry.js'

/** A request about datasets or saved queries. */
export type ManageRequest = Pick<HttpRequest, 'method' | 'path' | 'query' | 'body'>

/** Sends such a request, with retries; resolves with the body of the response. Throws `ApiError` and `NetworkError`. */
export async function manage(
  connection: Connection,
  request: ManageRequest,
  {
    signal,
    isRepeatable = request.method === 'GET',
  }: {
    readonly signal?: AbortSignal | undefined
    /** True when a request that arrives twice has the same effect; by default for those that change nothing. */
    readonly isRepeatable?: boolean
  } = {},
): Promise<string> {
  const outgoing: HttpRequest = {
    ...request,
    ...(request.body !== undefined && { headers: { 'content-type': 'application/json' } }),
    purpose: 'manage',
    ...(signal && { signal }),
  }
  const response = await withRetry(() => connection.send(outgoing), {
    ...DEFAULT_RETRY,
    // A change must not be made twice.
    once: !isRepeatable,
    attempts: 4,
    maxWaitMs: 30_000,
    signal,
  })
  return ensureSuccess(outgoing, response).body.toString()
}
