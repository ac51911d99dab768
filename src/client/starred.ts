import {
  decodeStarredQueries,
  decodeStarredQuery,
  type StarredFilter,
  type StarredQuery,
  type StoredStarredQuery,
} from '../wire/http/starred.js'
import { exactJsonText } from '../wire/json/exact-json.js'
import type { Connection } from './connection.js'
import { type ManageRequest, manage } from './manage.js'

const PATH = '/v2/apl-starred-queries'

/** Management of saved queries. Hosted deployments may offer updates only. */
export interface StarredQueries {
  list(filter: StarredFilter): Promise<readonly StoredStarredQuery[]>
  get(id: string): Promise<StoredStarredQuery>
  create(record: StarredQuery): Promise<StoredStarredQuery>
  /** Replaces a saved query. */
  update(id: string, record: StarredQuery): Promise<StoredStarredQuery>
  remove(id: string): Promise<void>
}

/** Returns the management of saved queries over a connection. */
export function starredQueries(connection: Connection, signal?: AbortSignal): StarredQueries {
  const ask = (
    method: ManageRequest['method'],
    path: string,
    more: Pick<ManageRequest, 'query' | 'body'> = {},
  ) => manage(connection, { method, path: PATH + path, ...more }, { signal })
  const at = (id: string) => `/${encodeURIComponent(id)}`
  return {
    async list({ limit, offset, ...filters }) {
      const query = { limit: limit?.toString(), offset: offset?.toString(), ...filters }
      return decodeStarredQueries(await ask('GET', '', { query }))
    },
    get: async (id) => decodeStarredQuery(await ask('GET', at(id))),
    create: async (record) =>
      decodeStarredQuery(await ask('POST', '', { body: exactJsonText(record) })),
    update: async (id, record) =>
      decodeStarredQuery(await ask('PUT', at(id), { body: exactJsonText(record) })),
    async remove(id) {
      await ask('DELETE', at(id))
    },
  }
}
