import {
  ACCEPTED_LOSS,
  BATCHES_REMOVED,
  DAMAGE,
  DATASET_INFO,
  DATASET_STATS,
  decodeDatasetNames,
  RENAMED,
  TRIMMED,
} from '../wire/http/dataset-info.js'
import { decodeResponse, listOf } from '../wire/shape/response.js'
import type { Connection } from './connection.js'
import { ensureSuccess } from './error.js'
import { type ManageOptions, type ManageRequest, manage } from './manage.js'

const PATH = '/v1/datasets'

export type ManagedDatasets = ReturnType<typeof managedDatasets>

/** Returns the management of the datasets of a local service; hosted deployments do not offer it. */
export function managedDatasets(connection: Connection, signal: AbortSignal) {
  const request = (method: ManageRequest['method'], path: string, body?: object) => ({
    method,
    path: PATH + path,
    body: body && JSON.stringify(body),
  })
  const ask = (...parts: Parameters<typeof request>) =>
    manage(connection, request(...parts), { signal })
  const change = (repeated: ManageOptions['repeated'], ...parts: Parameters<typeof request>) =>
    manage(connection, request(...parts), { signal, repeated })
  const at = (dataset: string) => `/${encodeURIComponent(dataset)}`
  return {
    /** Returns the statistics of each dataset, by name. */
    stats: async () => decodeResponse(await ask('GET', '/_stats'), listOf(DATASET_STATS)),
    info: async (dataset: string) =>
      decodeResponse(await ask('GET', `${at(dataset)}/info`), DATASET_INFO),
    async remove(dataset: string): Promise<void> {
      await change(async () => '', 'DELETE', at(dataset))
    },
    /** Renames a dataset; resolves with the number of tokens that named it. */
    async rename(dataset: string, to: string): Promise<number> {
      // Rejects when there is no dataset with the new name.
      const repeated = () => ask('GET', `${at(to)}/info`).then(() => '{"tokens":0}')
      const response = await change(repeated, 'POST', `${at(dataset)}/rename`, { name: to })
      return decodeResponse(response, RENAMED).tokens
    },
    /** Sets the maximum age of events; `undefined` removes the setting. */
    async retain(dataset: string, duration: string | undefined): Promise<void> {
      const path = `${at(dataset)}/retention`
      if (duration === undefined) await ask('DELETE', path)
      else await ask('PUT', path, { duration })
    },
    /** Deletes the events before a time; resolves with their number. */
    trim: async (dataset: string, before: string) =>
      decodeResponse(await ask('POST', `${at(dataset)}/trim`, { before }), TRIMMED).deleted,
    damage: async () => decodeResponse(await ask('GET', '/_damage'), listOf(DAMAGE)),
    /** Accepts the loss of damaged data of a dataset; `undefined` stands for the metadata. */
    acceptLoss: async (dataset: string | undefined) =>
      decodeResponse(await ask('POST', '/_damage/accept', { dataset }), ACCEPTED_LOSS),
    /**
     * Deletes the events of up to 1,000 batches, and prevents the batches from being stored later. Resolves with the number of events
     * that the batches had.
     */
    async removeBatches(dataset: string, ids: readonly string[]): Promise<number> {
      const removal = request('POST', `${at(dataset)}/_batches/remove`, { ids })
      const response = await manage(connection, removal, { signal, isRepeatable: true })
      return decodeResponse(response, BATCHES_REMOVED).removed
    },
  }
}

export async function datasets(
  connection: Connection,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const response = await connection.send({ method: 'GET', path: PATH, purpose: 'query', signal })
  return decodeDatasetNames(ensureSuccess(response).body.toString())
}
