import { parseExactJson } from '../json/exact-json.js'
import {
  constant,
  decodeResponse,
  listOf,
  mapOf,
  openObject,
  optional,
  type ResponseShape,
  required,
  text,
} from '../shape/response.js'
import { named } from '../shape/shape.js'
import type { AplRequest } from './query.js'

/** The actions on saved queries that a token can allow: the scopes `starredQueries|read` and so on. */
export const STARRED_ACTIONS = ['read', 'create', 'update', 'delete'] as const

export type StarredAction = (typeof STARRED_ACTIONS)[number]

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

export interface StarredFilter {
  readonly limit?: number
  readonly offset?: number
  readonly dataset?: string
  readonly who?: string
  /** A string that the name or the APL contains. */
  readonly qs?: string
}

/** A saved query in a response; unknown members are kept. */
export const STARRED_QUERY: ResponseShape<StoredStarredQuery> = openObject({
  id: required(text()),
  dataset: optional(text()),
  kind: constant('apl'),
  metadata: mapOf(text()),
  name: text('The name.'),
  query: required(named('AplRequest', openObject({ apl: required(text()) }))),
  who: text('The owner: an id, `team`, `all` or `user`.'),
})

/** Decodes a response with one saved query. Throws `MalformedResponseError`. */
export function decodeStarredQuery(text: string): StoredStarredQuery {
  return decodeResponse(text, STARRED_QUERY, parseExactJson)
}

/** Decodes a response with a list of saved queries. Throws `MalformedResponseError`. */
export function decodeStarredQueries(text: string): readonly StoredStarredQuery[] {
  return decodeResponse(text, listOf(STARRED_QUERY), parseExactJson)
}
