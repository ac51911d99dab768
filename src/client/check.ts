import { type AplCheck, decodeAplCheck } from '../wire/http/check.js'
import type { AplRequest } from '../wire/http/query.js'
import { exactJsonText } from '../wire/json/exact-json.js'
import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'

/** Has the local service compile a query without running it. */
export async function check(
  connection: Connection,
  request: AplRequest,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<AplCheck> {
  const outgoing: Outgoing = {
    method: 'POST',
    path: '/v1/datasets/_apl/check',
    headers: { 'content-type': 'application/json' },
    body: exactJsonText(request),
    purpose: 'query',
    ...(signal && { signal }),
  }
  const answer = await connection.send(outgoing)
  return decodeAplCheck(accepted(outgoing, answer).body.toString())
}
