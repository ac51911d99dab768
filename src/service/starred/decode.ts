import type { StarredQuery } from '../../wire/http/starred.js'
import { isJsonObject, type JsonObject } from '../../wire/json/json-object.js'
import { type JsonSchema, mapOf, object, ref, TEXT, text } from '../../wire/shape/json-schema.js'
import { wrongType } from '../body/decode.js'
import { decodeAplRequest } from '../query/apl-request.js'
import { invalidField, invalidRequest, type RefusedError } from '../refused-error.js'

/** The schema of a saved query. */
export const STARRED_QUERY_SCHEMA: JsonSchema = object(
  {
    dataset: TEXT,
    kind: { const: 'apl' },
    metadata: mapOf(TEXT),
    name: text('The name.', { minLength: 1 }),
    query: ref('AplRequest'),
    who: text('The owner: an id, `team`, `all` or `user`.', { minLength: 1 }),
  },
  { optional: ['dataset'] },
)

/**
 * Decodes the body of a request that writes a saved query. Missing or empty members are refused with 422, wrong types
 * with 400; unknown members are ignored.
 */
export function decodeStarredQuery(body: unknown): StarredQuery {
  if (!isJsonObject(body)) throw invalidRequest('The request body must be an object.')
  const name = required(body, 'name')
  const who = required(body, 'who')
  const dataset = body.dataset ?? undefined
  if (dataset !== undefined && typeof dataset !== 'string') throw wrongType('`dataset`', 'a string')
  if (required(body, 'kind') !== 'apl') throw invalidField('`kind` must be `apl`.')
  return {
    ...(dataset && { dataset }),
    kind: 'apl',
    metadata: metadata(body),
    name,
    query: decodeAplRequest(query(body)),
    who,
  }
}

function required(members: JsonObject, name: string): string {
  const value = members[name] ?? ''
  if (typeof value !== 'string') throw wrongType(`\`${name}\``, 'a string')
  if (value.trim() === '') throw missing(name)
  return value
}

function metadata(members: JsonObject): StarredQuery['metadata'] {
  const value = members.metadata ?? undefined
  if (value === undefined) throw missing('metadata')
  if (!isJsonObject(value)) throw wrongType('`metadata`', 'an object')
  const wrong = Object.entries(value).find(([, given]) => typeof given !== 'string')
  if (wrong !== undefined) throw wrongType(`\`${wrong[0]}\` in \`metadata\``, 'a string')
  return value as StarredQuery['metadata']
}

function query(members: JsonObject): unknown {
  const value = members.query ?? undefined
  if (value === undefined) throw missing('query')
  if (!isJsonObject(value)) throw wrongType('`query`', 'an object')
  return value
}

function missing(name: string): RefusedError {
  return invalidField(`The starred query has no \`${name}\`.`)
}
