import { decodeDatasetNames } from '../wire/http/dataset-list.js'
import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'

/** The names of the datasets that a deployment has. */
export async function datasets(
  connection: Connection,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const outgoing: Outgoing = {
    method: 'GET',
    path: '/v1/datasets',
    purpose: 'query',
    signal,
  }
  const answer = await connection.send(outgoing)
  return decodeDatasetNames(accepted(outgoing, answer).body.toString())
}
