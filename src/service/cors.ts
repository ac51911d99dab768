import type { ServiceRequest, ServiceResponse } from './http.js'
import type { MatchingRoute } from './routes.js'

// Cross-origin requests of browsers. Only ingest and queries allow them: operations that need a personal token are not for web pages.

/** The time for which a browser may cache the response to a preflight request, in seconds. */
const MAX_AGE_S = 7_200

/** The CORS headers of a response; empty when the browser must not pass it to the page. */
export type CorsHeaders = Readonly<Record<string, string>>

/** Returns the headers of the response to a request from an allowed origin. `matching` are the routes of its path. */
export function corsHeaders(
  { headers }: ServiceRequest,
  matching: readonly MatchingRoute[],
  origins: readonly string[],
): CorsHeaders {
  const { origin } = headers
  if (origin === undefined || !matching.some(isShared)) return {}
  const all = { 'access-control-expose-headers': '*' }
  if (origins.includes('*')) return { 'access-control-allow-origin': '*', ...all }
  if (!origins.includes(origin)) return {}
  // A cache must not return the response to a page of another origin.
  return { 'access-control-allow-origin': origin, vary: 'origin', ...all }
}

/** Returns the response to a preflight request, which has no token; undefined for any other request. */
export function preflight(
  { method, headers }: ServiceRequest,
  matching: readonly MatchingRoute[],
  allowed: CorsHeaders,
): ServiceResponse | undefined {
  const isAsking = headers['access-control-request-method'] !== undefined
  if (method !== 'OPTIONS' || !isAsking || Object.keys(allowed).length === 0) return undefined
  const methods = matching.filter(isShared).map(({ route }) => route.method)
  return {
    status: 204,
    headers: {
      'access-control-allow-methods': methods.join(', '),
      // The headers that the page wants to send: `*` would not include `authorization`.
      'access-control-allow-headers': headers['access-control-request-headers'] ?? 'authorization',
      'access-control-max-age': String(MAX_AGE_S),
    },
    body: '',
  }
}

function isShared({ route: { permission } }: MatchingRoute): boolean {
  return permission === 'ingest' || permission === 'query'
}
