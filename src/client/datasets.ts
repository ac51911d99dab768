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
import { manager } from './manage.js'

const PATH = '/v1/datasets'

export type ManagedDatasets = ReturnType<typeof managedDatasets>

/** Returns the management of the datasets of a local service; hosted deployments do not offer it. */
export function managedDatasets(connection: Connection, signal: AbortSignal) {
  const ask = manager(connection, PATH, signal)
  const at = (dataset: string) => `/${encodeURIComponent(dataset)}`
  return {
    /** Returns the statistics of each dataset, by name. */
    stats: async () => decodeResponse(await ask('GET', '/_stats'), listOf(DATASET_STATS)),
    info: async (dataset: string) =>
      decodeResponse(await ask('GET', `${at(dataset)}/info`), DATASET_INFO),
    async remove(dataset: string): Promise<void> {
      await ask('DELETE', at(dataset), { repeated: async () => '' })
    },
    /** Renames a dataset; resolves with the number of tokens that named it. */
    async rename(dataset: string, to: string): Promise<number> {
      // Rejects when there is no dataset with the new name.
      const repeated = () => ask('GET', `${at(to)}/info`).then(() => '{"tokens":0}')
      const response = await ask('POST', `${at(dataset)}/rename`, { value: { name: to }, repeated })
      return decodeResponse(response, RENAMED).tokens
    },
    /** Sets the maximum age of events; `undefined` removes the setting. */
    async retain(dataset: string, duration: string | undefined): Promise<void> {
      const path = `${at(dataset)}/retention`
      if (duration === undefined) await ask('DELETE', path)
      else await ask('PUT', path, { value: { duration } })
    },
    /** Deletes the events before a time; resolves with their number. */
    trim: async (dataset: string, before: string) =>
      decodeResponse(await ask('POST', `${at(dataset)}/trim`, { value: { before } }), TRIMMED)
        .deleted,
    damage: async () => decodeResponse(await ask('GET', '/_damage'), listOf(DAMAGE)),
    /** Accepts the loss of damaged data of a dataset; `undefined` stands for the metadata. */
    acceptLoss: async (dataset: string | undefined) =>
      decodeResponse(await ask('POST', '/_damage/accept', { value: { dataset } }), ACCEPTED_LOSS),
    /**
     * Deletes the events of up to 1,000 batches, and prevents the batches from being stored later. Resolves with the number of events
     * that the batches had.
     */
    async removeBatches(dataset: string, ids: readonly string[]): Promise<number> {
      const path = `${at(dataset)}/_batches/remove`
      const response = await ask('POST', path, { value: { ids }, isRepeatable: true })
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
