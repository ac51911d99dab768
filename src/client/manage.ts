import { exactJsonText } from '../wire/json/exact-json.js'
import type { Connection, HttpRequest } from './connection.js'
import { ensureSuccess } from './error.js'
import { REQUEST_RETRY } from './limits.js'
import { withRetry } from './retry.js'

const NOT_FOUND = 404

interface ManageOptions extends Pick<HttpRequest, 'query' | 'headers'> {
  /** The body of the request, before it is written as JSON. */
  readonly value?: object
  /** True when a request that arrives twice has the effect of one; by default for `GET`. */
  readonly isRepeatable?: boolean
  /** Returns the response to a change that was already made. Called when a repeated request finds nothing to change. */
  readonly repeated?: () => Promise<string>
}

/**
 * Returns a function that sends a request about datasets or saved queries, whose paths begin with `base`, with retries. It resolves
 * with the body of the response, and throws `ApiError` and `NetworkError`. A local service may receive a change twice, when the
 * process that runs the service ends: `repeated` handles that.
 */
export function manager(connection: Connection, base: string, signal: AbortSignal) {
  return async (
    method: HttpRequest['method'],
    path: string,
    options: ManageOptions = {},
  ): Promise<string> => {
    const { value, query, headers, isRepeatable = method === 'GET', repeated } = options
    const outgoing: HttpRequest = {
      method,
      path: base + path,
      query,
      headers: { ...(value && { 'content-type': 'application/json' }), ...headers },
      body: value && exactJsonText(value),
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
}
