import { listOf, object, TEXT } from '../wire/shape/json-schema.js'
import { type Grant, organizationOf } from './auth/grant.js'
import { json } from './http.js'
import { RefusedError } from './refused-error.js'
import type { Handler } from './route.js'

// Clients of the hosted service ask who they are before they do anything else. A token stands for a user and its organization;
// neither has an email address.

export const USER_SCHEMA = object({
  id: TEXT,
  name: TEXT,
  email: TEXT,
  emails: listOf(TEXT),
  role: object({ id: TEXT, name: TEXT }),
})

export const ORGANIZATION_SCHEMA = object({
  id: TEXT,
  name: TEXT,
  slug: TEXT,
  plan: TEXT,
  paymentStatus: TEXT,
  role: TEXT,
  primaryEmail: TEXT,
})

/** `GET /v2/user`: the owner of the token. */
export const currentUser: Handler = async (_, { caller }) => {
  const { name } = caller
  const role = { id: roleOf(caller), name: roleOf(caller) }
  return json(200, { id: name, name, email: '', emails: [], role })
}

/** `GET /v2/orgs`: the organization of the token. */
export const organizations: Handler = async (_, { caller }) => {
  return json(200, [organization(caller)])
}

/** `GET /v2/orgs/<id>`: the organization of the token, by its id. */
export const organizationById: Handler = async ({ parameters }, { caller }) => {
  const { id = '' } = parameters
  if (id === organizationOf(caller)) return json(200, organization(caller))
  throw new RefusedError(
    'not-found',
    `There is no organization \`${id}\`. The token \`${caller.name}\` belongs to \`${organizationOf(caller)}\`.`,
  )
}

function organization(caller: Grant) {
  const id = organizationOf(caller)
  return {
    id,
    name: id,
    slug: id,
    // Clients know a few plans only; this one has no limits.
    plan: 'enterprise',
    paymentStatus: 'na',
    role: roleOf(caller),
    primaryEmail: '',
  }
}

/** A personal token has all permissions. Any other set of permissions is the role `custom`. */
function roleOf({ personal }: Grant): string {
  return personal ? 'owner' : 'custom'
}
