import {
  decodeStarredQueries,
  decodeStarredQuery,
  type StarredFilter,
  type StarredQuery,
  type StoredStarredQuery,
} from '../wire/starred.js'
import type { Connection, Outgoing } from './connection.js'
import { accepted } from './refusal.js'
import { DEFAULT_RETRY, retried } from './retry.js'

const PATH = '/v2/apl-starred-queries'

/** Saved queries of a deployment. Hosted ones may have the update alone. */
export interface StarredQueries {
  list(filter: StarredFilter): Promise<readonly StoredStarredQuery[]>
  get(id: string): Promise<StoredStarredQuery>
  create(record: StarredQuery): Promise<StoredStarredQuery>
  /** Replaces the whole of a saved query. */
  update(id: string, record: StarredQuery): Promise<StoredStarredQuery>
  remove(id: string): Promise<void>
}

/** Speaks of saved queries over a connection. */
export function starredQueries(connection: Connection, signal?: AbortSignal): StarredQueries {
  async function exchange(
    method: Outgoing['method'],
    path: string,
    more: Pick<Outgoing, 'query' | 'body'> = {},
  ): Promise<string> {
    const outgoing: Outgoing = {
      method,
      path: PATH + path,
      ...more,
      ...(more.body !== undefined && { headers: { 'content-type': 'application/json' } }),
      purpose: 'manage',
      ...(signal && { signal }),
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
  const at = (id: string) => `/${encodeURIComponent(id)}`
  return {
    async list({ limit, offset, ...words }) {
      const query = { limit: limit?.toString(), offset: offset?.toString(), ...words }
      return decodeStarredQueries(await exchange('GET', '', { query }))
    },
    get: async (id) => decodeStarredQuery(await exchange('GET', at(id))),
    create: async (record) =>
      decodeStarredQuery(await exchange('POST', '', { body: JSON.stringify(record) })),
    update: async (id, record) =>
      decodeStarredQuery(await exchange('PUT', at(id), { body: JSON.stringify(record) })),
    async remove(id) {
      await exchange('DELETE', at(id))
    },
  }
}
