import { randomUUID } from 'node:crypto'
import type { Store } from '../engine/store.js'
import { errorCode } from '../text/system-error.js'
import { ChunkedBuffer } from '../wire/bytes/chunked-buffer.js'
import { HEADER, hostedName } from '../wire/http/header.js'
import { refusalOf } from './auth/audit.js'
import { type Authenticator, authenticate } from './auth/authenticate.js'
import { type Grant, NOBODY, OWNER } from './auth/grant.js'
import {
  type Permission,
  permitIngest,
  permittedStore,
  requirePermission,
} from './auth/permission.js'
import { AuthThrottle } from './auth/throttle.js'
import { type CorsHeaders, corsHeaders, preflight } from './cors.js'
import { describeError, type EncodeError, jsonError } from './error-response.js'
import { FairQueue } from './fair-queue.js'
import { requireData } from './health.js'
import { withServiceHeaders } from './hosted-headers.js'
import { type App, json, type ServiceRequest, type ServiceResponse } from './http.js'
import { AdmissionControl } from './ingest/admission.js'
import type { Intake } from './ingest/store-events.js'
import { Metrics } from './metrics.js'
import type { Observers } from './observers.js'
import { OpenScans } from './query/open-scans.js'
import { ResultCache } from './query/result-cache.js'
import { StatisticsCache } from './query/statistics-cache.js'
import { RefusedError } from './refused-error.js'
import type { Route, Service } from './route.js'
import { matchingRoutes, ROUTES, routingError } from './routes.js'
import { limitPerTick } from './tick-limit.js'

/** The dependencies of the service, and its observers. */
export interface AppOptions
  extends Observers,
    Pick<Service, 'inputs' | 'access' | 'limits' | 'defaultDataset' | 'loadSyslog' | 'now'> {
  readonly store: Store
  /** All endpoints; `ROUTES` by default. */
  readonly routes?: readonly Route[]
  /** The origins of web pages that may ingest and query; `*` matches any. None by default. */
  readonly allowedOrigins?: readonly string[]
  /** The time for which the scan of an export waits for the request for its next page, in milliseconds. */
  readonly scanIdleMs?: number
}

/** The number of requests begun per iteration of the event loop; health checks are not counted, and do not wait. */
const REQUESTS_PER_TICK = 16

/** The service as a function of requests, and the dependencies for storing events that do not arrive in a request. */
export interface ServiceCore {
  readonly app: App
  readonly intake: Intake
}

/** Returns the whole service as one function. It never rejects: errors become responses. */
export function createApp(options: AppOptions): App {
  return createService(options).app
}

/** Returns the service. Its function never rejects: errors become responses. */
export function createService(options: AppOptions): ServiceCore {
  const { store, limits, now, access, routes = ROUTES } = options
  const { allowedOrigins = [], scanIdleMs } = options
  const authenticator: Authenticator = { access, now, throttle: new AuthThrottle() }
  const queries = new FairQueue({ running: limits.runningQueries, waiting: limits.waitingQueries })
  const admission = new AdmissionControl(limits)
  const metrics = new Metrics({
    queries,
    admission,
    protocols: routes.flatMap(({ protocol }) => protocol ?? []),
    damaged: () => store.damage.length,
    replication: store.replication && (() => store.replication!()),
  })
  const tick = limitPerTick(REQUESTS_PER_TICK)
  const shared = {
    ...options,
    routes,
    admission,
    metrics,
    cache: new ResultCache(),
    statistics: new StatisticsCache(now),
    scans: new OpenScans({ idleMs: scanIdleMs }),
  }
  const serviceFor = (caller: Grant | undefined): Service => ({
    ...shared,
    ...(caller && { store: permittedStore(store, caller) }),
    caller: caller ?? NOBODY,
    permitIngest: (dataset) => permitIngest(caller ?? NOBODY, dataset),
    queryPermit: (signal) => queries.acquire(caller?.name ?? '', signal),
  })
  const app: App = async (request) => {
    const traceId = randomUUID()
    const started = performance.now()
    const received = { bytes: 0 }
    const found: RequestLog = {}
    const admit: Admit = async (permission, dataset) => {
      await tick()
      // Without the data directory, every token would be unknown, and clients drop events when their token is refused.
      requireData(store)
      const grant = await authenticate(request, authenticator)
      found.caller = grant.name
      if (permission !== undefined) requirePermission(permission, { grant, dataset })
      return grant
    }
    const response = await handleRequest(
      { ...request, body: countedBody(request.body, received) },
      { routes, allowedOrigins, serviceFor, admit, found },
    ).catch((error: unknown) => {
      if (error instanceof RefusedError && error.isForbidden) {
        const { message: reason } = error
        options.refused?.(refusalOf(request, { at: now(), traceId, token: found.caller, reason }))
      }
      if (isGone(request, error))
        return json(499, { code: 499, message: 'The client disconnected.' })
      const failed = describeError(error, { traceId, report: options.report, now })
      return (found.encodeError ?? jsonError)(failed, request)
    })
    const event = {
      id: traceId,
      method: request.method,
      route: found.route,
      status: response.status,
      ms: performance.now() - started,
      receivedBytes: received.bytes,
      sentBytes: ChunkedBuffer.of(response.body).length,
      caller: found.caller,
    }
    metrics.handled(event)
    options.handled?.(event)
    const headers = { ...response.headers, ...found.cors, ...traceHeaders(traceId) }
    return { ...response, headers }
  }
  return { app, intake: { ...shared, caller: OWNER, permitIngest: () => {} } }
}

/** Returns the trace id under the header names of this service and of the hosted service, whose clients show it with errors. */
function traceHeaders(traceId: string): Readonly<Record<string, string>> {
  return { [HEADER.traceId]: traceId, [hostedName(HEADER.traceId)]: traceId }
}

/** The parts of the access log and of an error response that are determined while a request is handled. */
interface RequestLog {
  route?: string
  caller?: string
  encodeError?: EncodeError
  cors?: CorsHeaders
}

/** Authenticates the caller, and throws a `RefusedError` when its token lacks the permission. */
type Admit = (permission?: Permission, dataset?: string) => Promise<Grant>

/** Node's error codes for a body that ends because its connection was closed, and for aborted work. */
const CUT_CODES: readonly unknown[] = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']

/**
 * True when a request failed because its caller disconnected. Other failures after a disconnect, such as a full disk, are errors of
 * the service: they are logged and counted although nobody reads the response.
 */
function isGone({ signal }: ServiceRequest, error: unknown): boolean {
  const code = errorCode(error)
  if (code === 'ECONNRESET') return true
  return signal.aborted && (error === signal.reason || CUT_CODES.includes(code))
}

interface Handling extends Required<Pick<AppOptions, 'routes' | 'allowedOrigins'>> {
  readonly admit: Admit
  readonly found: RequestLog
  serviceFor(caller: Grant | undefined): Service
}

async function handleRequest(
  request: ServiceRequest,
  { routes, allowedOrigins, serviceFor, admit, found }: Handling,
): Promise<ServiceResponse> {
  const matching = matchingRoutes(request.path, routes)
  found.cors = corsHeaders(request, matching, allowedOrigins)
  const allowed = preflight(request, matching, found.cors)
  if (allowed !== undefined) return allowed
  // HEAD is GET without a body; the listener drops the body.
  const method = request.method === 'HEAD' ? 'GET' : request.method
  const match = matching.find(({ route }) => route.method === method)
  if (match === undefined) {
    // Without a token, existing and unknown paths are indistinguishable.
    await admit()
    throw routingError(request, matching)
  }
  const { route, parameters } = match
  found.route = route.path
  if (route.encodeError !== undefined) found.encodeError = route.encodeError
  const permission = permissionFor(route, request)
  const grant = permission && (await admit(permission, parameters.dataset))
  const service = serviceFor(grant)
  if (readsDatasets(permission)) await service.store.refresh()
  return route.handle({ request: withServiceHeaders(request), parameters }, service)
}

/** True when a request may read any dataset: ingest refreshes its own dataset, and saved queries do not depend on datasets. */
function readsDatasets(permission: Permission | undefined): boolean {
  return permission === 'query' || permission === 'everything'
}

/** Returns the permission that a request to a route requires; undefined when it requires no token. */
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

async function* countedBody(
  body: AsyncIterable<Buffer>,
  received: { bytes: number },
): AsyncGenerator<Buffer, void> {
  for await (const piece of body) {
    received.bytes += piece.length
    yield piece
  }
}
