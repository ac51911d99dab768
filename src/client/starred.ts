import { randomUUID } from 'node:crypto'
import { IDEMPOTENCY_KEY } from '../wire/http/header.js'
import {
  decodeStarredQueries,
  decodeStarredQuery,
  type StarredFilter,
  type StarredQuery,
  type StoredStarredQuery,
} from '../wire/http/starred.js'
import type { Connection } from './connection.js'
import { manager } from './manage.js'

const PATH = '/v2/apl-starred-queries'

export type StarredQueries = ReturnType<typeof starredQueries>

/** Returns the management of saved queries over a connection. Hosted deployments may offer updates only. */
export function starredQueries(connection: Connection, signal: AbortSignal) {
  const ask = manager(connection, PATH, signal)
  const at = (id: string) => `/${encodeURIComponent(id)}`
  return {
    async list({ limit, offset, ...filters }: StarredFilter) {
      const query = { limit: limit?.toString(), offset: offset?.toString(), ...filters }
      return decodeStarredQueries(await ask('GET', '', { query }))
    },
    get: async (id: string) => decodeStarredQuery(await ask('GET', at(id))),
    async create(record: StarredQuery) {
      const headers = { [IDEMPOTENCY_KEY]: randomUUID() }
      return decodeStarredQuery(await ask('POST', '', { value: record, headers }))
    },
    update: async (id: string, record: StarredQuery) =>
      decodeStarredQuery(await ask('PUT', at(id), { value: record })),
    async remove(id: string): Promise<void> {
      await ask('DELETE', at(id), { repeated: async () => '' })
    },
  }
}

/** The number of queries to request at once. A service may return fewer, even when there are more. */
const PAGE = 100

/** Returns all saved queries that match a filter, or the first `limit` of them. */
export async function listStarredQueries(
  queries: StarredQueries,
  { limit = Number.POSITIVE_INFINITY, ...filter }: Omit<StarredFilter, 'offset'> = {},
): Promise<readonly StoredStarredQuery[]> {
  const found: StoredStarredQuery[] = []
  while (found.length < limit) {
    const requested = Math.min(PAGE, limit - found.length)
    const page = await queries.list({ ...filter, limit: requested, offset: found.length })
    // A service that ignores `offset` returns the same queries again.
    const fresh = page.filter(({ id }) => found.every((known) => known.id !== id))
    found.push(...fresh)
    if (fresh.length === 0) break
  }
  return found
}
