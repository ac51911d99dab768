import type { Connection, HttpRequest } from './connection.js'
import { ensureSuccess } from './error.js'
import { REQUEST_RETRY } from './limits.js'
import { withRetry } from './retry.js'

const NOT_FOUND = 404

/** A request about datasets or saved queries. */
export type ManageRequest = Pick<HttpRequest, 'method' | 'path' | 'query' | 'body' | 'headers'>

export interface ManageOptions {
  readonly signal?: AbortSignal | undefined
  /** True when a request that arrives twice has the effect of one; by default for `GET`. */
  readonly isRepeatable?: boolean
  /** Returns the response to a change that was already made. Called when a repeated request finds nothing to change. */
  readonly repeated?: () => Promise<string>
}

/**
 * Sends a request about datasets or saved queries, with retries, and resolves with the body of the response. Throws `ApiError` and
 * `NetworkError`. A local service may receive a change twice, when the process that runs the service ends: `repeated` handles that.
 */
export async function manage(
  connection: Connection,
  request: ManageRequest,
  { signal, isRepeatable = request.method === 'GET', repeated }: ManageOptions = {},
): Promise<string> {
  const outgoing: HttpRequest = {
    ...request,
    headers: {
      ...(request.body !== undefined && { 'content-type': 'application/json' }),
      ...request.headers,
    },
    purpose: 'manage',
    signal,
  }
  const response = await withRetry(() => connection.send(outgoing), {
    ...REQUEST_RETRY,
    // A change must not be made twice.
    once: !isRepeatable,
    signal,
  })
  const isDone = response.isRepeated && response.status === NOT_FOUND
  if (isDone && repeated !== undefined) return await repeated()
  return ensureSuccess(response).body.toString()
}
