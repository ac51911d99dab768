import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { errorCode } from '../text/error-code.js'
import { HEADER } from '../wire/header.js'
import type { Access, Grant } from './access.js'
import { json } from './answer.js'
import { aplQuery } from './apl.js'
import { FailedAttempts } from './attempts.js'
import { type Refusal, refusalOf } from './audit.js'
import { authenticate, type Gatekeeper } from './authenticate.js'
import { ResultCache } from './cache.js'
import { check } from './check.js'
import { CountedBody } from './counted-body.js'
import { datasetInfo, datasetStats } from './dataset/info.js'
import { removeDataset } from './dataset/remove.js'
import { trimDataset } from './dataset/trim.js'
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
import { describe } from './openapi/document.js'
import { demand, type Permission, permittedStore } from './permission.js'
import { RefusedError } from './refused-error.js'
import type { RequestEvent } from './request-event.js'
import { type Call, matchPath, type Route, type Service } from './route.js'
import {
  createStarred,
  deleteStarred,
  getStarred,
  listStarred,
  updateStarred,
} from './starred/routes.js'
import { Turns } from './turns.js'

/** Everything that the service does. */
export const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/healthz', permission: 'open', handle: alive },
  { method: 'GET', path: '/readyz', permission: 'open', handle: ready },
  { method: 'GET', path: '/metrics', permission: 'open-on-loopback', handle: metrics },
  { method: 'GET', path: '/openapi.json', permission: 'open', handle: describe },
  { method: 'POST', path: '/v1/ingest/:dataset', permission: 'ingest', handle: ingest },
  { method: 'GET', path: '/v1/datasets', permission: 'query', handle: listDatasets },
  { method: 'GET', path: '/v1/datasets/_stats', permission: 'everything', handle: datasetStats },
  {
    method: 'GET',
    path: '/v1/datasets/:dataset/info',
    permission: 'everything',
    handle: datasetInfo,
  },
  {
    method: 'POST',
    path: '/v1/datasets/:dataset/trim',
    permission: 'everything',
    handle: trimDataset,
  },
  {
    method: 'DELETE',
    path: '/v1/datasets/:dataset',
    permission: 'everything',
    handle: removeDataset,
  },
  { method: 'POST', path: '/v1/datasets/_apl', permission: 'query', handle: aplQuery },
  { method: 'POST', path: '/v1/datasets/_apl/check', permission: 'query', handle: check },
  { method: 'POST', path: '/v1/datasets/:dataset/query', permission: 'query', handle: legacyQuery },
  ...starredRoutes('/v2/apl-starred-queries'),
]

function starredRoutes(path: string): readonly Route[] {
  const one = `${path}/:id`
  return [
    { method: 'GET', path, permission: 'starredQueries|read', handle: listStarred },
    { method: 'POST', path, permission: 'starredQueries|create', handle: createStarred },
    { method: 'GET', path: one, permission: 'starredQueries|read', handle: getStarred },
    { method: 'PUT', path: one, permission: 'starredQueries|update', handle: updateStarred },
    { method: 'DELETE', path: one, permission: 'starredQueries|delete', handle: deleteStarred },
  ]
}

export interface AppOptions {
  readonly store: Store
  readonly access: Access
  readonly limits: Limits
  now(): bigint
  /** Is told of failures that are the service's own fault, with the id that the answer carries. */
  report?(error: unknown, traceId: string): void
  /** Is told of each request that was answered. */
  answered?(event: RequestEvent): void
  /** Is told of each request that was refused for want of a permission. */
  refused?(refusal: Refusal): void
}

/** The whole interface as one function. It never rejects: what goes wrong becomes an answer. */
export function createApp(options: AppOptions): App {
  const { store, limits, now, access } = options
  const keeper: Gatekeeper = { access, now, attempts: new FailedAttempts() }
  const turns = new Turns({ running: limits.runningQueries, waiting: limits.waitingQueries })
  const gate = new Gate(limits)
  const metrics = new Metrics(gauges({ turns, gate }))
  const shared = { store, limits, now, gate, metrics, cache: new ResultCache() }
  const serviceFor = (caller: Grant | undefined): Service => ({
    ...shared,
    ...(caller && { store: permittedStore(store, caller) }),
    turn: (signal) => turns.take(caller?.name ?? '', signal),
  })
  return async (request) => {
    const traceId = randomUUID()
    const started = performance.now()
    const body = new CountedBody(request.body)
    const found: Found = {}
    const admit: Admit = async (permission, dataset) => {
      const grant = await authenticate(request, keeper)
      found.caller = grant.name
      if (permission !== undefined) demand(permission, { grant, dataset })
      return grant
    }
    const response = await carryOut({ ...request, body }, { serviceFor, admit, found }).catch(
      (error: unknown) => {
        if (error instanceof RefusedError && error.reason === 'forbidden') {
          const { message: reason } = error
          options.refused?.(refusalOf(request, { at: now(), traceId, token: found.caller, reason }))
        }
        if (isGone(request, error))
          return json(499, { code: 499, message: 'The caller went away.' })
        return failure(error, { traceId, report: options.report })
      },
    )
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
/** What the sender of a request is allowed, once it is known that a permission is part of it. */
type Admit = (permission?: Permission, dataset?: string) => Promise<Grant>

/** Nobody reads the answer then; what failed is the caller's connection, not the service. */
function isGone({ signal }: ServiceRequest, error: unknown): boolean {
  return signal.aborted || errorCode(error) === 'ECONNRESET'
}

async function carryOut(
  request: ServiceRequest,
  {
    serviceFor,
    admit,
    found,
  }: {
    serviceFor(caller: Grant | undefined): Service
    readonly admit: Admit
    readonly found: Found
  },
): Promise<ServiceResponse> {
  const fitting = fittingRoutes(request.path)
  const match = fitting.find(({ route }) => route.method === request.method)
  if (match === undefined) {
    // Without a token not even the difference between a path and none is told.
    await admit()
    throw unroutable(request, fitting)
  }
  const { route, parameters } = match
  found.route = route.path
  const permission = permissionFor(route, request)
  const grant = permission && (await admit(permission, parameters.dataset))
  const service = serviceFor(grant)
  if (permission !== undefined) await service.store.refresh()
  return route.handle({ request, parameters }, service)
}

interface FittingRoute {
  readonly route: Route
  readonly parameters: Call['parameters']
}

/** The routes of a path: those that name it in full, else those with a part for any text. */
function fittingRoutes(path: string): readonly FittingRoute[] {
  const all = ROUTES.flatMap((route) => {
    const parameters = matchPath(route.path, path)
    return parameters === undefined ? [] : [{ route, parameters }]
  })
  const named = all.filter(({ route }) => route.path === path)
  return named.length > 0 ? named : all
}

/** What a request to a route needs; nothing where the route is open to it. */
function permissionFor(
  { permission }: Route,
  { onLoopback = false }: ServiceRequest,
): Permission | undefined {
  switch (permission) {
    case 'open':
      return undefined
    case 'open-on-loopback':
      return onLoopback ? undefined : 'everything'
    default:
      return permission
  }
}

function unroutable(
  { method, path }: ServiceRequest,
  found: readonly { route: Route }[],
): RefusedError {
  if (found.length === 0) return new RefusedError('not-found', `There is nothing at \`${path}\`.`)
  const methods = found.map(({ route }) => `\`${route.method}\``).join(', ')
  return new RefusedError('wrong-method', `\`${path}\` takes ${methods}, not \`${method}\`.`)
}
