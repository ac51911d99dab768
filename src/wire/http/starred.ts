import { parseExactJson } from '../json/exact-json.js'
import { MalformedResponseError } from './malformed-response.js'
import type { AplRequest } from './query.js'
import { parseResponseJson } from './response-json.js'

/** What a token may be allowed to do with saved queries: the scopes `starredQueries|read` and so on. */
export const STARRED_ACTIONS = ['read', 'create', 'update', 'delete'] as const

/** Something to do with saved queries. */
export type StarredAction = (typeof STARRED_ACTIONS)[number]

/** A saved query, as it is sent. */
export interface StarredQuery {
  readonly dataset?: string
  readonly kind: 'apl'
  readonly metadata: Readonly<Record<string, string>>
  readonly name: string
  readonly query: AplRequest
  /** Whose it is: an id of a user, `team`, `all` or `user`. */
  readonly who: string
}

/** A saved query, as it is answered. */
export interface StoredStarredQuery extends StarredQuery {
  readonly id: string
}

/** Whom a list of saved queries is narrowed to. */
export interface StarredFilter {
  readonly limit?: number
  readonly offset?: number
  readonly dataset?: string
  readonly who?: string
  /** A text that the name or the APL holds. */
  readonly qs?: string
}

/** Reads an answer with one saved query. Deployments may add members, which are passed over by whoever reads it. */
export function decodeStarredQuery(text: string): StoredStarredQuery {
  return starredQuery(parseResponseJson(text, parseExactJson))
}

/** Reads an answer with a list of them. */
export function decodeStarredQueries(text: string): readonly StoredStarredQuery[] {
  const value = parseResponseJson(text, parseExactJson)
  if (value === null) return []
  if (!Array.isArray(value)) throw new MalformedResponseError('it is no list of starred queries')
  return value.map(starredQuery)
}

function starredQuery(value: unknown): StoredStarredQuery {
  const record = value as Partial<StoredStarredQuery> | null
  if (typeof record !== 'object' || record === null || typeof record.id !== 'string') {
    throw new MalformedResponseError('it is no starred query with an `id`')
  }
  if (typeof record.query?.apl !== 'string') {
    throw new MalformedResponseError(`the starred query \`${record.id}\` has no \`query.apl\``)
  }
  return {
    ...record,
    id: record.id,
    kind: 'apl',
    metadata: record.metadata ?? {},
    name: record.name ?? '',
    query: record.query,
    who: record.who ?? '',
  }
}
