import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { HEADER } from '../wire/header.js'
import type { Access, Grant } from './access.js'
import { json } from './answer.js'
import { aplQuery } from './apl.js'
import { check } from './check.js'
import { listDatasets } from './dataset-list.js'
import { failure } from './failure.js'
import { Gate } from './gate.js'
import { alive, ready } from './health.js'
import type { App, ServiceRequest, ServiceResponse } from './http.js'
import { ingest } from './ingest.js'
import { legacyQuery } from './legacy/query.js'
import type { Limits } from './limits.js'
import { RefusedError } from './refused-error.js'
import { matchPath, type Route, type Service } from './route.js'
import {
  createStarred,
  deleteStarred,
  getStarred,
  listStarred,
  updateStarred,
} from './starred/routes.js'
import { Turns } from './turns.js'

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/healthz', open: true, handle: alive },
  { method: 'GET', path: '/readyz', open: true, handle: ready },
  { method: 'POST', path: '/v1/ingest/:dataset', handle: ingest },
  { method: 'GET', path: '/v1/datasets', handle: listDatasets },
  { method: 'POST', path: '/v1/datasets/_apl', handle: aplQuery },
  { method: 'POST', path: '/v1/datasets/_apl/check', handle: check },
  { method: 'POST', path: '/v1/datasets/:dataset/query', handle: legacyQuery },
  { method: 'GET', path: '/v2/apl-starred-queries', handle: listStarred },
  { method: 'POST', path: '/v2/apl-starred-queries', handle: createStarred },
  { method: 'GET', path: '/v2/apl-starred-queries/:id', handle: getStarred },
  { method: 'PUT', path: '/v2/apl-starred-queries/:id', handle: updateStarred },
  { method: 'DELETE', path: '/v2/apl-starred-queries/:id', handle: deleteStarred },
]

export interface AppOptions {
  readonly store: Store
  readonly access: Access
  readonly limits: Limits
  now(): bigint
  /** Is told of failures that are the service's own fault, with the id that the answer carries. */
  report?(error: unknown, traceId: string): void
}

/** The whole interface as one function. It never rejects: what goes wrong becomes an answer. */
export function createApp(options: AppOptions): App {
  const { store, limits, now } = options
  const turns = new Turns({ running: limits.runningQueries, waiting: limits.waitingQueries })
  const shared = { store, limits, now, gate: new Gate(limits) }
  const serviceFor = (caller: string): Service => ({
    ...shared,
    turn: (signal) => turns.take(caller, signal),
  })
  return async (request) => {
    const traceId = randomUUID()
    const response = await carryOut(request, { serviceFor, access: options.access }).catch(
      (error: unknown) => {
        if (isGone(request, error))
          return json(499, { code: 499, message: 'The caller went away.' })
        return failure(error, { traceId, report: options.report })
      },
    )
    return { ...response, headers: { ...response.headers, [HEADER.traceId]: traceId } }
  }
}

/** Nobody reads the answer then; what failed is the caller's connection, not the service. */
function isGone({ signal }: ServiceRequest, error: unknown): boolean {
  return (
    signal.aborted || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
  )
}

async function carryOut(
  request: ServiceRequest,
  { serviceFor, access }: { serviceFor(caller: string): Service; readonly access: Access },
): Promise<ServiceResponse> {
  const found = ROUTES.flatMap((route) => {
    const parameters = matchPath(route.path, request.path)
    return parameters === undefined ? [] : [{ route, parameters }]
  })
  const match = found.find(({ route }) => route.method === request.method)
  // Without a token not even the difference between a path and none is told.
  const grant = match?.route.open ? undefined : authenticate(request, access)
  if (match === undefined) throw unroutable(request, found)
  const service = serviceFor(grant?.name ?? '')
  return match.route.handle({ request, parameters: match.parameters, grant }, service)
}

/** The file system let the caller reach the data directory's socket: the data is theirs. */
const OWNER: Grant = { name: 'owner', personal: true }

function authenticate(request: ServiceRequest, access: Access): Grant {
  if (request.trusted) return OWNER
  const token = /^Bearer +(\S+) *$/i.exec(request.headers.authorization ?? '')?.[1]
  const grant = token === undefined ? undefined : access.grantOf(token)
  if (grant !== undefined) return grant
  throw new RefusedError(
    'forbidden',
    token === undefined
      ? 'The request carries no token. It needs the header `Authorization: Bearer <token>`.'
      : 'The token is not one of this service.',
  )
}

function unroutable(
  { method, path }: ServiceRequest,
  found: readonly { route: Route }[],
): RefusedError {
  if (found.length === 0) return new RefusedError('not-found', `There is nothing at \`${path}\`.`)
  const methods = found.map(({ route }) => `\`${route.method}\``).join(', ')
  return new RefusedError('wrong-method', `\`${path}\` takes ${methods}, not \`${method}\`.`)
}
