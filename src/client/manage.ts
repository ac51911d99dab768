import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'
import { DEFAULT_RETRY, retried } from './retry.js'

/** What is asked of the things that a deployment keeps beside events. */
export type ManageRequest = Pick<Outgoing, 'method' | 'path' | 'query' | 'body'>

/** Has a request about them carried out; resolves with the text of the answer. */
export async function manage(
  connection: Connection,
  request: ManageRequest,
  signal?: AbortSignal,
): Promise<string> {
  const outgoing: Outgoing = {
    ...request,
    ...(request.body !== undefined && { headers: { 'content-type': 'application/json' } }),
    purpose: 'manage',
    ...(signal && { signal }),
  }
  const answer = await retried(() => connection.send(outgoing), {
    ...DEFAULT_RETRY,
    // A change must not be made twice.
    once: request.method !== 'GET',
    attempts: 4,
    patienceMs: 30_000,
    signal,
  })
  return accepted(outgoing, answer).body.toString()
}
