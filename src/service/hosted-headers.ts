import { HEADER, HOSTED_PREFIX, hostedName } from '../wire/http/header.js'
import type { ServiceRequest } from './http.js'
import { invalidRequest, type RefusedError } from './refused-error.js'

/** Headers of hosted clients that have no effect on events. */
const WITHOUT_EFFECT = ['x-axiom-client', 'x-axiom-request-id']

const KNOWN = new Set([...Object.values(HEADER).map(hostedName), ...WITHOUT_EFFECT])

/**
 * Returns the request with the headers of hosted clients under the names of the service. Throws a `RefusedError` when a header
 * is given under both names with different values.
 */
export function withServiceHeaders(request: ServiceRequest): ServiceRequest {
  const { headers } = request
  const added: Record<string, string> = {}
  for (const name of Object.values(HEADER)) {
    const hosted = headers[hostedName(name)]
    if (hosted === undefined) continue
    if ((headers[name] ?? hosted) !== hosted) throw contradiction(name)
    added[name] = hosted
  }
  return { ...request, headers: { ...headers, ...added } }
}

/** Throws a `RefusedError` when a header with the prefix of the hosted service is unknown: it may be meant to change the events. */
export function rejectUnknownHeaders({ headers }: ServiceRequest): void {
  const unknown = Object.keys(headers).find(
    (name) => name.startsWith(HOSTED_PREFIX) && !KNOWN.has(name),
  )
  if (unknown === undefined) return
  throw invalidRequest(
    `The header \`${unknown}\` is not supported, and no events were stored. Remove it if the events do not depend on it.`,
  )
}

function contradiction(name: string): RefusedError {
  return invalidRequest(
    `The headers \`${name}\` and \`${hostedName(name)}\` have different values. Send one of them.`,
  )
}
