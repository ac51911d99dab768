import {
  type AcceptedLoss,
  type Damage,
  type DatasetInfo,
  type DatasetStats,
  decodeAcceptedLoss,
  decodeDamage,
  decodeDatasetInfo,
  decodeDatasetNames,
  decodeDatasetStats,
  decodeRemovedBatches,
  decodeRenamed,
  decodeTrimmed,
} from '../wire/http/dataset-info.js'
import type { Connection, HttpRequest } from './connection.js'
import { ensureSuccess } from './error.js'
import { type ManageOptions, type ManageRequest, manage } from './manage.js'

const PATH = '/v1/datasets'

/** Management of the datasets of a local service; hosted deployments do not offer it. */
export interface ManagedDatasets {
  /** Returns the statistics of each dataset, by name. */
  stats(): Promise<readonly DatasetStats[]>
  info(dataset: string): Promise<DatasetInfo>
  remove(dataset: string): Promise<void>
  /** Renames a dataset; resolves with the number of tokens that named it. */
  rename(dataset: string, to: string): Promise<number>
  /** Sets the maximum age of events; `undefined` removes the setting. */
  retain(dataset: string, duration: string | undefined): Promise<void>
  /** Deletes the events before a time; resolves with their number. */
  trim(dataset: string, before: string): Promise<number>
  /** Returns the damage of stored data. */
  damage(): Promise<readonly Damage[]>
  /** Accepts the loss of damaged data of a dataset; `undefined` stands for the metadata. */
  acceptLoss(dataset: string | undefined): Promise<AcceptedLoss>
  /**
   * Deletes the events of up to 1,000 batches, and prevents the batches from being stored later. Resolves with the number of events
   * that the batches had.
   */
  removeBatches(dataset: string, ids: readonly string[]): Promise<number>
}

/** Returns the management of datasets over a connection. */
export function managedDatasets(connection: Connection, signal: AbortSignal): ManagedDatasets {
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
    stats: async () => decodeDatasetStats(await ask('GET', '/_stats')),
    info: async (dataset) => decodeDatasetInfo(await ask('GET', `${at(dataset)}/info`)),
    async remove(dataset) {
      await change(async () => '', 'DELETE', at(dataset))
    },
    async rename(dataset, to) {
      // Rejects when there is no dataset with the new name.
      const repeated = () => ask('GET', `${at(to)}/info`).then(() => '{"tokens":0}')
      return decodeRenamed(await change(repeated, 'POST', `${at(dataset)}/rename`, { name: to }))
    },
    async retain(dataset, duration) {
      const path = `${at(dataset)}/retention`
      if (duration === undefined) await ask('DELETE', path)
      else await ask('PUT', path, { duration })
    },
    trim: async (dataset, before) =>
      decodeTrimmed(await ask('POST', `${at(dataset)}/trim`, { before })),
    damage: async () => decodeDamage(await ask('GET', '/_damage')),
    acceptLoss: async (dataset) =>
      decodeAcceptedLoss(await ask('POST', '/_damage/accept', { dataset })),
    async removeBatches(dataset, ids) {
      const removal = request('POST', `${at(dataset)}/_batches/remove`, { ids })
      return decodeRemovedBatches(await manage(connection, removal, { signal, isRepeatable: true }))
    },
  }
}

/** Returns the names of the datasets of a deployment. */
export async function datasets(
  connection: Connection,
  { signal }: { readonly signal: AbortSignal },
): Promise<readonly string[]> {
  const outgoing: HttpRequest = {
    method: 'GET',
    path: '/v1/datasets',
    purpose: 'query',
    signal,
  }
  const response = await connection.send(outgoing)
  return decodeDatasetNames(ensureSuccess(outgoing, response).body.toString())
}
