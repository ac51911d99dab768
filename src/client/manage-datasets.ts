import {
  type DatasetInfo,
  type DatasetStats,
  decodeDatasetInfo,
  decodeDatasetStats,
  decodeTrimmed,
} from '../wire/dataset-info.js'
import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'
import { DEFAULT_RETRY, retried } from './retry.js'

const PATH = '/v1/datasets'

/** The datasets of a service of evq's own; hosted deployments do not tell these things. */
export interface ManagedDatasets {
  /** What each of them holds, by name. */
  stats(): Promise<readonly DatasetStats[]>
  info(dataset: string): Promise<DatasetInfo>
  remove(dataset: string): Promise<void>
  /** Deletes the events before a time; resolves with their number. */
  trim(dataset: string, before: string): Promise<number>
}

/** Speaks of datasets, rather than of the events in them, over a connection. */
export function managedDatasets(connection: Connection, signal: AbortSignal): ManagedDatasets {
  async function exchange(
    method: Outgoing['method'],
    path: string,
    body?: object,
  ): Promise<string> {
    const outgoing: Outgoing = {
      method,
      path: PATH + path,
      ...(body && {
        body: JSON.stringify(body),
        headers: { 'content-type': 'application/json' },
      }),
      purpose: 'manage',
      signal,
    }
    const answer = await retried(() => connection.send(outgoing), {
      ...DEFAULT_RETRY,
      once: method !== 'GET',
      attempts: 4,
      patienceMs: 30_000,
      signal,
    })
    return accepted(outgoing, answer).body.toString('utf8')
  }
  const at = (dataset: string) => `/${encodeURIComponent(dataset)}`
  return {
    stats: async () => decodeDatasetStats(await exchange('GET', '/_stats')),
    info: async (dataset) => decodeDatasetInfo(await exchange('GET', `${at(dataset)}/info`)),
    async remove(dataset) {
      await exchange('DELETE', at(dataset))
    },
    trim: async (dataset, before) =>
      decodeTrimmed(await exchange('POST', `${at(dataset)}/trim`, { before })),
  }
}
