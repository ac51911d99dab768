import { parseExactJson } from '../json/exact-json.js'
import type { AplRequest } from './query.js'
import { MalformedResponseError, parseResponseJson } from './response-json.js'

/** The actions on saved queries that a token can allow: the scopes `starredQueries|read` and so on. */
export const STARRED_ACTIONS = ['read', 'create', 'update', 'delete'] as const

/** An action on saved queries. */
export type StarredAction = (typeof STARRED_ACTIONS)[number]

/** A saved query in a request. */
export interface StarredQuery {
  readonly dataset?: string
  readonly kind: 'apl'
  readonly metadata: Readonly<Record<string, string>>
  readonly name: string
  readonly query: AplRequest
  /** The owner: the id of a user, `team`, `all` or `user`. */
  readonly who: string
}

/** A saved query in a response. */
export interface StoredStarredQuery extends StarredQuery {
  readonly id: string
}

/** Filters of the list of saved queries. */
export interface StarredFilter {
  readonly limit?: number
  readonly offset?: number
  readonly dataset?: string
  readonly who?: string
  /** A string that the name or the APL contains. */
  readonly qs?: string
}

/** Decodes a response with one saved query; unknown members are kept. Throws `MalformedResponseError`. */
export function decodeStarredQuery(text: string): StoredStarredQuery {
  return starredQuery(parseResponseJson(text, parseExactJson))
}

/** Decodes a response with a list of saved queries. Throws `MalformedResponseError`. */
export function decodeStarredQueries(text: string): readonly StoredStarredQuery[] {
  const value = parseResponseJson(text, parseExactJson)
  if (value === null) return []
  if (!Array.isArray(value)) throw new MalformedResponseError('it is not a list of starred queries')
  return value.map(starredQuery)
}

function starredQuery(value: unknown): StoredStarredQuery {
  const record = value as Partial<StoredStarredQuery> | null
  if (typeof record !== 'object' || record === null || typeof record.id !== 'string') {
    throw new MalformedResponseError('it is not a starred query with an `id`')
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
