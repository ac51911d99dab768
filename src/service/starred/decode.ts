import { decodeAplRequest } from '../../wire/http/query.js'
import type { StarredQuery } from '../../wire/http/starred.js'
import type { JsonObject } from '../../wire/json/json-object.js'
import * as schema from '../../wire/shape/json-schema.js'
import { object, optional, text } from '../../wire/shape/request-value.js'
import { invalidField, type RefusedError } from '../refused-error.js'

export const STARRED_QUERY_SCHEMA: schema.JsonSchema = schema.object(
  {
    dataset: schema.TEXT,
    kind: { const: 'apl' },
    metadata: schema.mapOf(schema.TEXT),
    name: schema.text('The name.', { minLength: 1 }),
    query: schema.ref('AplRequest'),
    who: schema.text('The owner: an id, `team`, `all` or `user`.', { minLength: 1 }),
  },
  { optional: ['dataset'] },
)

/**
 * Decodes the body of a request that writes a saved query. Missing or empty members are refused with 422, wrong types
 * with 400; unknown members are ignored.
 */
export function decodeStarredQuery(body: unknown): StarredQuery {
  const members = object('The request body', body)
  const name = required(members, 'name')
  const who = required(members, 'who')
  const dataset = optional(members, 'dataset', text)
  if (required(members, 'kind') !== 'apl') throw invalidField('`kind` must be `apl`.')
  return {
    ...(dataset && { dataset }),
    kind: 'apl',
    metadata: metadata(members),
    name,
    query: decodeAplRequest(requiredObject(members, 'query')),
    who,
  }
}

function required(members: JsonObject, name: string): string {
  const value = optional(members, name, text) ?? ''
  if (value.trim() === '') throw missing(name)
  return value
}

function requiredObject(members: JsonObject, name: string): JsonObject {
  const value = optional(members, name, object)
  if (value === undefined) throw missing(name)
  return value
}

function metadata(members: JsonObject): StarredQuery['metadata'] {
  const value = requiredObject(members, 'metadata')
  for (const [key, one] of Object.entries(value)) text(`\`${key}\` in \`metadata\``, one)
  return value as StarredQuery['metadata']
}

function missing(name: string): RefusedError {
  return invalidField(`The starred query has no \`${name}\`.`)
}
