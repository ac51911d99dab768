import type { Connection, HttpRequest } from './connection.js'
import { ensureSuccess } from './ensure-success.js'
import { DEFAULT_RETRY, withRetry } from './retry.js'

/** What is asked of the things that a deployment keeps beside events. */
export type ManageRequest = Pick<HttpRequest, 'method' | 'path' | 'query' | 'body'>

/** Has a request about them carried out; resolves with the text of the answer. */
export async function manage(
  connection: Connection,
  request: ManageRequest,
  signal?: AbortSignal,
): Promise<string> {
  const outgoing: HttpRequest = {
    ...request,
    ...(request.body !== undefined && { headers: { 'content-type': 'application/json' } }),
    purpose: 'manage',
    ...(signal && { signal }),
  }
  const answer = await withRetry(() => connection.send(outgoing), {
    ...DEFAULT_RETRY,
    // A change must not be made twice.
    once: request.method !== 'GET',
    attempts: 4,
    maxWaitMs: 30_000,
    signal,
  })
  return ensureSuccess(outgoing, answer).body.toString()
}
