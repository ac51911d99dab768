import { formatTimestamp } from '../../wire/time/timestamp.js'
import type { ServiceRequest } from '../http.js'

/** A request that was refused for lack of a permission, for the log. Never contains a token. */
export interface Refusal {
  readonly kind: 'refused'
  /** An RFC 3339 time. */
  readonly at: string
  readonly traceId: string
  /** The name of the token, if the token is known. */
  readonly token?: string
  readonly remoteAddress?: string
  readonly method: string
  readonly path: string
  readonly reason: string
}

export function refusalOf(
  { method, path, remoteAddress }: ServiceRequest,
  {
    at,
    reason,
    ...caller
  }: Pick<Refusal, 'traceId' | 'token' | 'reason'> & { readonly at: bigint },
): Refusal {
  return {
    kind: 'refused',
    at: formatTimestamp(at),
    ...caller,
    remoteAddress,
    method,
    path: withoutTokens(path),
    reason: withoutTokens(reason),
  }
}

/** The beginnings of tokens within base64, at any alignment: Basic credentials and API keys contain tokens. */
const BASE64_STARTS = ['xaat-', 'xapt-'].flatMap((start) => [
  base64(start).slice(0, 6),
  base64(` ${start}`).slice(2, 8),
  base64(`  ${start}`).slice(3, 9),
])
const TOKEN = new RegExp(`xa[ap]t-[\\w%-]*|(?:${BASE64_STARTS.join('|')})[\\w%+/=-]*`, 'gi')

/** Redacts tokens, which may have been pasted in place of a name. */
function withoutTokens(text: string): string {
  return text.replace(TOKEN, 'xa*t-…')
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64')
}
