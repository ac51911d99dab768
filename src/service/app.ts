import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { HEADER } from '../wire/header.js'
import type { Access, Grant } from './access.js'
import { json } from './answer.js'
import { aplQuery } from './apl.js'
import { check } from './check.js'
import { CountedBody } from './counted-body.js'
import { listDatasets } from './dataset-list.js'
import { failure } from './failure.js'
import { Gate } from './gate.js'
import { alive, ready } from './health.js'
import type { App, ServiceRequest, ServiceResponse } from './http.js'
import { ingest } from './ingest.js'
import { legacyQuery } from './legacy/query.js'
import type { Limits } from './limits.js'
import { type Gauge, Metrics } from './metrics/metrics.js'
import { metrics } from './metrics/route.js'
import { RefusedError } from './refused-error.js'
import type { RequestEvent } from './request-event.js'
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
  { method: 'GET', path: '/metrics', handle: metrics },
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
  /** Is told of each request that was answered. */
  answered?(event: RequestEvent): void
}

/** The whole interface as one function. It never rejects: what goes wrong becomes an answer. */
export function createApp(options: AppOptions): App {
  const { store, limits, now } = options
  const turns = new Turns({ running: limits.runningQueries, waiting: limits.waitingQueries })
  const gate = new Gate(limits)
  const metrics = new Metrics(gauges({ turns, gate }))
  const shared = { store, limits, now, gate, metrics }
  const serviceFor = (caller: string): Service => ({
    ...shared,
    turn: (signal) => turns.take(caller, signal),
  })
  return async (request) => {
    const traceId = randomUUID()
    const started = performance.now()
    const body = new CountedBody(request.body)
    const found: Found = {}
    const response = await carryOut(
      { ...request, body },
      { serviceFor, access: options.access, found },
    ).catch((error: unknown) => {
      if (isGone(request, error)) return json(499, { code: 499, message: 'The caller went away.' })
      return failure(error, { traceId, report: options.report })
    })
    const event = {
      id: traceId,
      method: request.method,
      route: found.route,
      status: response.status,
      ms: performance.now() - started,
      receivedBytes: body.bytes,
      sentBytes: Buffer.byteLength(response.body),
      caller: found.caller,
    }
    metrics.answered(event)
    options.answered?.(event)
    return { ...response, headers: { ...response.headers, [HEADER.traceId]: traceId } }
  }
}

/** What was found out about a request, as far as it got. */
interface Found {
  route?: string
  caller?: string
}

function gauges({ turns, gate }: { readonly turns: Turns; readonly gate: Gate }): readonly Gauge[] {
  return [
    {
      name: 'evq_queries_running',
      help: 'Queries that run.',
      value: () => turns.running,
    },
    {
      name: 'evq_queries_waiting',
      help: 'Queries that wait for others to end.',
      value: () => turns.waiting,
    },
    {
      name: 'evq_ingest_requests_waiting',
      help: 'Requests whose events are not stored yet.',
      value: () => gate.requests,
    },
    {
      name: 'evq_ingest_bytes_waiting',
      help: 'Bytes that those requests said they bring.',
      value: () => gate.bytes,
    },
  ]
}

/** Nobody reads the answer then; what failed is the caller's connection, not the service. */
function isGone({ signal }: ServiceRequest, error: unknown): boolean {
  return (
    signal.aborted || (error instanceof Error && 'code' in error && error.code === 'ECONNRESET')
  )
}

async function carryOut(
  request: ServiceRequest,
  {
    serviceFor,
    access,
    found,
  }: { serviceFor(caller: string): Service; readonly access: Access; readonly found: Found },
): Promise<ServiceResponse> {
  const fitting = ROUTES.flatMap((route) => {
    const parameters = matchPath(route.path, request.path)
    return parameters === undefined ? [] : [{ route, parameters }]
  })
  const match = fitting.find(({ route }) => route.method === request.method)
  if (match !== undefined) found.route = match.route.path
  // Without a token not even the difference between a path and none is told.
  const grant = match?.route.open ? undefined : authenticate(request, access)
  if (grant !== undefined) found.caller = grant.name
  if (match === undefined) throw unroutable(request, fitting)
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
