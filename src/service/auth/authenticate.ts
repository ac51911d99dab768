import { HEADER, hostedName } from '../../wire/http/header.js'
import type { ServiceRequest } from '../http.js'
import { FOREIGN_APIS } from '../ingest/foreign-apis.js'
import { RefusedError } from '../refused-error.js'
import { type Access, type Grant, isExpired, OWNER, organizationOf } from './grant.js'
import type { AuthThrottle } from './throttle.js'

export interface Authenticator {
  readonly access: Access
  readonly throttle: AuthThrottle
  /** Nanoseconds since 1970. */
  now(): bigint
}

/**
 * Functions that extract the token from the credentials of an `Authorization` header, by scheme in lower case. Responses
 * contain no challenge: with Basic, a browser would send the token with requests of other sites.
 */
const SCHEMES = new Map<string, (credentials: string) => string | undefined>([
  ['bearer', (credentials) => credentials],
  ['basic', basicToken],
  ...FOREIGN_APIS.flatMap(({ scheme, tokenIn = (credentials) => credentials }) =>
    scheme === undefined ? [] : [[scheme.toLowerCase(), tokenIn] as const],
  ),
])

/** Other headers in which clients send the token. */
const TOKEN_HEADERS = FOREIGN_APIS.flatMap(({ tokenHeader }) => tokenHeader ?? [])

/** Returns the grant of a request's caller. Throws a `RefusedError` when its token is missing, unknown or expired. */
export async function authenticate(
  request: ServiceRequest,
  authenticator: Authenticator,
): Promise<Grant> {
  if (request.trusted) return OWNER
  const { authorization = '' } = request.headers
  const token = authorization === '' ? tokenInHeader(request) : tokenIn(authorization)
  if (token === undefined) {
    throw new RefusedError(
      'no-token',
      'The request has no token. Send the header `Authorization: Bearer <token>`.',
    )
  }
  const grant = await authenticator.access.grantOf(token)
  if (grant === undefined) {
    await authenticator.throttle.delayResponse(request.remoteAddress ?? '', request.signal)
    throw new RefusedError('unknown-token', 'The token is unknown to this service.')
  }
  if (isExpired(grant, authenticator.now())) {
    throw forbidden(`The token \`${grant.name}\` expired at ${grant.expires}.`)
  }
  for (const header of ORGANIZATION_HEADERS) checkOrganization(header, { request, grant })
  return grant
}

function tokenInHeader({ headers }: ServiceRequest): string | undefined {
  return TOKEN_HEADERS.map((name) => headers[name]).find((token) => token !== undefined)
}

function tokenIn(authorization: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? []
  return SCHEMES.get(scheme.toLowerCase())?.(credentials)
}

/** `<user>:<token>` in base64. The token can also be the user, with an empty password. */
function basicToken(credentials: string): string | undefined {
  const [, user = '', password = ''] =
    /^([^:]*):(.*)$/s.exec(Buffer.from(credentials, 'base64').toString()) ?? []
  return password || user || undefined
}

const ORGANIZATION_HEADERS = [HEADER.organization, hostedName(HEADER.organization)]

/** A personal token does not require an organization, but the header must not name another one. */
function checkOrganization(
  header: string,
  { request, grant }: { readonly request: ServiceRequest; readonly grant: Grant },
): void {
  const given = request.headers[header]
  if (!grant.personal || !given || given === organizationOf(grant)) return
  throw forbidden(
    `\`${header}\` names the organization \`${given}\`, but the token \`${grant.name}\` belongs to \`${organizationOf(grant)}\`. Omit the header, or correct it.`,
  )
}

function forbidden(message: string): RefusedError {
  return new RefusedError('forbidden', message)
}
