import {
  type DatasetInfo,
  type DatasetStats,
  decodeDatasetInfo,
  decodeDatasetNames,
  decodeDatasetStats,
  decodeTrimmed,
} from '../wire/http/dataset-info.js'
import type { Connection, HttpRequest } from './connection.js'
import { ensureSuccess } from './ensure-success.js'
import { type ManageRequest, manage } from './manage.js'

const PATH = '/v1/datasets'

/** Management of the datasets of a local service; hosted deployments do not offer it. */
export interface ManagedDatasets {
  /** Returns the statistics of each dataset, by name. */
  stats(): Promise<readonly DatasetStats[]>
  info(dataset: string): Promise<DatasetInfo>
  remove(dataset: string): Promise<void>
  /** Deletes the events before a time; resolves with their number. */
  trim(dataset: string, before: string): Promise<number>
}

/** Returns the management of datasets over a connection. */
export function managedDatasets(connection: Connection, signal: AbortSignal): ManagedDatasets {
  const ask = (method: ManageRequest['method'], path: string, body?: object) =>
    manage(
      connection,
      { method, path: PATH + path, ...(body && { body: JSON.stringify(body) }) },
      signal,
    )
  const at = (dataset: string) => `/${encodeURIComponent(dataset)}`
  return {
    stats: async () => decodeDatasetStats(await ask('GET', '/_stats')),
    info: async (dataset) => decodeDatasetInfo(await ask('GET', `${at(dataset)}/info`)),
    async remove(dataset) {
      await ask('DELETE', at(dataset))
    },
    trim: async (dataset, before) =>
      decodeTrimmed(await ask('POST', `${at(dataset)}/trim`, { before })),
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
