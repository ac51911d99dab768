import { HEADER } from '../../wire/http/header.js'
import type { ServiceRequest } from '../http.js'
import { RefusedError } from '../refused-error.js'
import { type Access, type Grant, isExpired, OWNER } from './grant.js'
import type { AuthThrottle } from './throttle.js'

/** The dependencies of authentication. */
export interface Authenticator {
  readonly access: Access
  readonly throttle: AuthThrottle
  /** Nanoseconds since 1970. */
  now(): bigint
}

/** Functions that extract the token from the credentials of an `Authorization` header, by scheme in lower case. */
const SCHEMES: ReadonlyMap<string, (credentials: string) => string | undefined> = new Map([
  ['bearer', (credentials: string) => credentials],
])

/** Returns the grant of a request's caller. Throws a `RefusedError` when its token is missing, unknown or expired. */
export async function authenticate(
  request: ServiceRequest,
  authenticator: Authenticator,
): Promise<Grant> {
  if (request.trusted) return OWNER
  const token = tokenIn(request.headers.authorization ?? '')
  if (token === undefined) {
    throw forbidden('The request has no token. Send the header `Authorization: Bearer <token>`.')
  }
  const grant = await authenticator.access.grantOf(token)
  if (grant === undefined) {
    await authenticator.throttle.delayResponse(request.remoteAddress ?? '', request.signal)
    throw forbidden('The token is unknown to this service.')
  }
  if (isExpired(grant, authenticator.now())) {
    throw forbidden(`The token \`${grant.name}\` expired at ${grant.expires}.`)
  }
  checkOrganization(request.headers[HEADER.organization], grant)
  return grant
}

function tokenIn(authorization: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? []
  return SCHEMES.get(scheme.toLowerCase())?.(credentials)
}

/** A personal token does not require an organization, but the header must not name another one. */
function checkOrganization(given: string | undefined, { personal, name, organization }: Grant) {
  if (!personal || !given || given === organization) return
  throw forbidden(
    `\`${HEADER.organization}\` does not name the organization of the token \`${name}\`. Omit the header, or correct it.`,
  )
}

function forbidden(message: string): RefusedError {
  return new RefusedError('forbidden', message)
}
