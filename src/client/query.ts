import type { Pieces } from '../wire/bytes/pieces.js'
import { decodeTabularResult } from '../wire/http/decode-result.js'
import type { AplRequest, TabularResult } from '../wire/http/query.js'
import { exactJsonText } from '../wire/json/exact-json.js'
import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'
import { DEFAULT_RETRY, type RetryPolicy, retried } from './retry.js'

export interface QueryOptions {
  readonly retry?: RetryPolicy
  readonly signal?: AbortSignal
}

/** Someone waits for the answer, so it is not tried as long as for a batch. */
const QUERY_RETRY: RetryPolicy = { ...DEFAULT_RETRY, attempts: 4, patienceMs: 30_000 }

/** Runs a query once and returns the whole of its result. */
export async function query(
  connection: Connection,
  request: AplRequest,
  options: QueryOptions = {},
): Promise<TabularResult> {
  const body = await queryAnswer(connection, request, options)
  return decodeTabularResult(body.toString())
}

/** Runs a query once and returns the service's answer as it came: a result in JSON, tabular unless asked otherwise. */
export async function queryAnswer(
  connection: Connection,
  request: AplRequest,
  { form = 'tabular', ...options }: QueryOptions & { readonly form?: AnswerForm } = {},
): Promise<Pieces> {
  const to = { path: '/v1/datasets/_apl', query: { format: form } }
  return await answerTo(connection, { ...to, body: exactJsonText(request) }, options)
}

/** How a result is written. */
export type AnswerForm = 'tabular' | 'legacy'

/** Asks for something that changes nothing, and may so be asked for again; returns the answer as it came. */
export async function answerTo(
  connection: Connection,
  question: Pick<Outgoing, 'path' | 'query' | 'body'>,
  { retry = QUERY_RETRY, signal }: QueryOptions = {},
): Promise<Pieces> {
  const outgoing: Outgoing = {
    method: 'POST',
    ...question,
    headers: { 'content-type': 'application/json' },
    purpose: 'query',
    ...(signal && { signal }),
  }
  const answer = await retried(() => connection.send(outgoing), { ...retry, signal })
  return accepted(outgoing, answer).body
}
