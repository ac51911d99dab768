import { decodeAplRequest } from '../../wire/http/query.js'
import type { StarredQuery } from '../../wire/http/starred.js'
import { mapOf, ref, TEXT } from '../../wire/shape/json-schema.js'
import { anyObject, mapped, optionalMembers, text } from '../../wire/shape/request.js'
import type { Shape } from '../../wire/shape/shape.js'
import { invalidField } from '../refused-error.js'

const KIND: Shape<'apl'> = {
  schema: { const: 'apl' },
  decode(name, value) {
    if (text().decode(name, value) === 'apl') return 'apl'
    throw invalidField('`kind` must be `apl`.')
  },
}

const METADATA: Shape<StarredQuery['metadata']> = {
  schema: mapOf(TEXT),
  decode: (name, value) =>
    Object.fromEntries(
      Object.entries(anyObject().decode(name, value)).map(([key, one]) => [
        key,
        text().decode(`\`${key}\` in ${name}`, one),
      ]),
    ),
}

const QUERY: Shape<StarredQuery['query']> = {
  schema: ref('AplRequest'),
  decode: (name, value) => decodeAplRequest(anyObject().decode(name, value)),
}

const REQUIRED = ['kind', 'metadata', 'name', 'query', 'who'] as const

/** The body of a request that writes a saved query. */
export const NEW_STARRED_QUERY = optionalMembers(
  {
    dataset: mapped(text(), (name) => name || undefined),
    kind: KIND,
    metadata: METADATA,
    name: text('The name.', { minLength: 1 }),
    query: QUERY,
    who: text('The owner: an id, `team`, `all` or `user`.', { minLength: 1 }),
  },
  REQUIRED,
)

/** Decodes the body. Missing or empty members are refused with 422, wrong types with 400; unknown members are ignored. */
export function decodeStarredQuery(body: unknown): StarredQuery {
  const members = NEW_STARRED_QUERY.decode('The request body', body)
  const missing = REQUIRED.find((name) => isEmpty(members[name]))
  if (missing === undefined) return members as StarredQuery
  throw invalidField(`The starred query has no \`${missing}\`.`)
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'string' ? value.trim() === '' : value === undefined
}
