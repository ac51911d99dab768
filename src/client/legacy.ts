import type { Pieces } from '../wire/bytes/pieces.js'
import type { Connection } from './connection.js'
import { answerTo, type QueryOptions } from './query.js'

/** Runs a legacy query over a dataset; the request is JSON text, so that no number in it is rounded. */
export async function legacyAnswer(
  connection: Connection,
  { dataset, request }: { readonly dataset: string; readonly request: string },
  options: QueryOptions = {},
): Promise<Pieces> {
  const path = `/v1/datasets/${encodeURIComponent(dataset)}/query`
  return await answerTo(connection, { path, body: request }, options)
}
