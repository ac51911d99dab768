import { HEADER, hostedName } from '../../wire/http/header.js'
import type { ServiceRequest } from '../http.js'
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
const SCHEMES: ReadonlyMap<string, (credentials: string) => string | undefined> = new Map([
  ['bearer', (credentials: string) => credentials],
  ['splunk', (credentials: string) => credentials],
  ['basic', basicToken],
  ['apikey', apiKeyToken],
])

/** The header in which Amazon Data Firehose sends the token. */
const ACCESS_KEY = 'x-amz-firehose-access-key'

/** Returns the grant of a request's caller. Throws a `RefusedError` when its token is missing, unknown or expired. */
export async function authenticate(
  request: ServiceRequest,
  authenticator: Authenticator,
): Promise<Grant> {
  if (request.trusted) return OWNER
  const { authorization = '', [ACCESS_KEY]: accessKey } = request.headers
  const token = tokenIn(authorization) ?? (authorization === '' ? accessKey : undefined)
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

function tokenIn(authorization: string): string | undefined {
  const [, scheme = '', credentials = ''] = /^(\S+) +(\S+) *$/.exec(authorization) ?? []
  return SCHEMES.get(scheme.toLowerCase())?.(credentials)
}

/** `<user>:<token>` in base64. The token can also be the user, with an empty password. */
function basicToken(credentials: string): string | undefined {
  const [, user = '', password = ''] = /^([^:]*):(.*)$/s.exec(fromBase64(credentials)) ?? []
  return password || user || undefined
}

/** `<id>:<token>` in base64, as Elasticsearch's clients send it, or the token itself: no token is valid base64. */
function apiKeyToken(credentials: string): string | undefined {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
  const [, token] = (isBase64 && /^[^:]*:(.*)$/s.exec(fromBase64(credentials))) || []
  return token ?? credentials
}

function fromBase64(text: string): string {
  return Buffer.from(text, 'base64').toString()
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
