import { formatTimestamp } from '../../wire/time/timestamp.js'
import type { ServiceRequest } from '../http.js'

/** A request that was refused for want of a permission, for the log. It never holds a token. */
export interface Refusal {
  readonly kind: 'refused'
  /** An RFC 3339 time. */
  readonly at: string
  readonly traceId: string
  /** The name of the token, when it was one of this service. */
  readonly token?: string
  readonly remoteAddress?: string
  readonly method: string
  readonly path: string
  readonly reason: string
}

/** What the log is told of a refused request. */
export function refusalOf(
  { method, path, remoteAddress }: ServiceRequest,
  told: {
    readonly at: bigint
    readonly traceId: string
    readonly token: string | undefined
    readonly reason: string
  },
): Refusal {
  return {
    kind: 'refused',
    at: formatTimestamp(told.at),
    traceId: told.traceId,
    ...(told.token !== undefined && { token: told.token }),
    ...(remoteAddress && { remoteAddress }),
    method,
    path: withoutTokens(path),
    reason: withoutTokens(told.reason),
  }
}

/** One that came by mistake in place of a name is a token all the same. */
function withoutTokens(text: string): string {
  return text.replace(/xa[ap]t-[\w%-]*/gi, 'xa*t-…')
}
