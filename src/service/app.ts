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
import { countedBody } from './body/json-body.js'
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

/** Returns the service. Its function never rejects: errors become responses. */
export function createService(options: AppOptions): ServiceCore {
  const service = new RequestHandler(options)
  return { app: (request) => service.handle(request), intake: service.intake }
}

class RequestHandler {
  readonly intake: Intake
  private readonly options: AppOptions
  private readonly shared: Omit<Service, 'caller' | 'permitIngest' | 'queryPermit'>
  private readonly authenticator: Authenticator
  private readonly queries: FairQueue
  private readonly tick = limitPerTick(REQUESTS_PER_TICK)

  constructor(options: AppOptions) {
    const { store, limits, now, access, routes = ROUTES } = options
    const queries = new FairQueue({
      running: limits.runningQueries,
      waiting: limits.waitingQueries,
    })
    const admission = new AdmissionControl(limits)
    const metrics = new Metrics({
      queries,
      admission,
      protocols: routes.flatMap(({ protocol }) => protocol ?? []),
      damaged: () => store.damage.length,
      replication: store.replication && (() => store.replication!()),
    })
    this.options = options
    this.queries = queries
    this.authenticator = { access, now, throttle: new AuthThrottle() }
    this.shared = {
      ...options,
      routes,
      admission,
      metrics,
      cache: new ResultCache(),
      statistics: new StatisticsCache(now),
      scans: new OpenScans({ idleMs: options.scanIdleMs }),
    }
    this.intake = { ...this.shared, caller: OWNER, permitIngest: () => {} }
  }

  async handle(request: ServiceRequest): Promise<ServiceResponse> {
    const log: RequestLog = { id: randomUUID() }
    const started = performance.now()
    const received = { bytes: 0 }
    const counted = { ...request, body: countedBody(request.body, received) }
    const response = await this.answer(counted, log).catch((error: unknown) =>
      this.failure(error, request, log),
    )
    const event = {
      id: log.id,
      method: request.method,
      route: log.route,
      status: response.status,
      ms: performance.now() - started,
      receivedBytes: received.bytes,
      sentBytes: ChunkedBuffer.of(response.body).length,
      caller: log.caller,
    }
    this.shared.metrics.handled(event)
    this.options.handled?.(event)
    const headers = { ...response.headers, ...log.cors, ...traceHeaders(log.id) }
    return { ...response, headers }
  }

  private async answer(request: ServiceRequest, log: RequestLog): Promise<ServiceResponse> {
    const matching = matchingRoutes(request.path, this.shared.routes)
    log.cors = corsHeaders(request, matching, this.options.allowedOrigins ?? [])
    const allowed = preflight(request, matching, log.cors)
    if (allowed !== undefined) return allowed
    // HEAD is GET without a body; the listener drops the body.
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const match = matching.find(({ route }) => route.method === method)
    if (match === undefined) {
      // Without a token, existing and unknown paths are indistinguishable.
      await this.admit(request, log)
      throw routingError(request, matching)
    }
    const { route, parameters } = match
    log.route = route.path
    if (route.encodeError !== undefined) log.encodeError = route.encodeError
    const permission = permissionFor(route, request)
    let caller: Grant | undefined
    if (permission !== undefined) {
      caller = await this.admit(request, log)
      requirePermission(permission, { grant: caller, dataset: parameters.dataset })
    }
    const service = this.serviceFor(caller)
    if (readsDatasets(permission)) await service.store.refresh()
    return route.handle({ request: withServiceHeaders(request), parameters }, service)
  }

  /** Authenticates the caller. */
  private async admit(request: ServiceRequest, log: RequestLog): Promise<Grant> {
    await this.tick()
    // Without the data directory, every token would be unknown, and clients drop events when their token is refused.
    requireData(this.options.store)
    const grant = await authenticate(request, this.authenticator)
    log.caller = grant.name
    return grant
  }

  private serviceFor(caller: Grant | undefined): Service {
    return {
      ...this.shared,
      ...(caller && { store: permittedStore(this.shared.store, caller) }),
      caller: caller ?? NOBODY,
      permitIngest: (dataset) => permitIngest(caller ?? NOBODY, dataset),
      queryPermit: (signal) => this.queries.acquire(caller?.name ?? '', signal),
    }
  }

  private failure(error: unknown, request: ServiceRequest, log: RequestLog): ServiceResponse {
    const { now, report } = this.options
    const traceId = log.id
    if (error instanceof RefusedError && error.isForbidden) {
      const { message: reason } = error
      this.options.refused?.(refusalOf(request, { at: now(), traceId, token: log.caller, reason }))
    }
    const { reason } = request.signal
    const isCut = isAborted(request, error)
    if (isCut && !(reason instanceof RefusedError)) {
      return json(499, { code: 499, message: 'The client disconnected.' })
    }
    const failed = describeError(isCut ? reason : error, { traceId, report, now })
    return (log.encodeError ?? jsonError)(failed, request)
  }
}

/** Returns the trace id under the header names of this service and of the hosted service, whose clients show it with errors. */
function traceHeaders(traceId: string): Readonly<Record<string, string>> {
  return { [HEADER.traceId]: traceId, [hostedName(HEADER.traceId)]: traceId }
}

/** The parts of the access log and of an error response that are determined while a request is handled. */
interface RequestLog {
  readonly id: string
  route?: string
  caller?: string
  encodeError?: EncodeError
  cors?: CorsHeaders
}

/** Node's error codes for a body that ends because its connection was closed, and for aborted work. */
const CUT_CODES: readonly unknown[] = ['ECONNRESET', 'ERR_STREAM_PREMATURE_CLOSE', 'ABORT_ERR']

/**
 * True when a request failed because its caller disconnected, or because the service stops. Other failures after a disconnect, such
 * as a full disk, are errors of the service: they are logged and counted although nobody reads the response.
 */
function isAborted({ signal }: ServiceRequest, error: unknown): boolean {
  const code = errorCode(error)
  if (code === 'ECONNRESET') return true
  return signal.aborted && (error === signal.reason || CUT_CODES.includes(code))
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
