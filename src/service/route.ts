import type { Inputs } from '../apl/environment.js'
import type { Store } from '../engine/store.js'
import type { Access, Grant } from './auth/grant.js'
import type { Permission } from './auth/permission.js'
import type { EncodeError } from './error-response.js'
import type { Release } from './fair-queue.js'
import type { ServiceRequest, ServiceResponse } from './http.js'
import type { AdmissionControl } from './ingest/admission.js'
import type { Limits } from './limits.js'
import type { Metrics } from './metrics.js'
import type { Operation } from './openapi/operation.js'
import type { OpenScans } from './query/open-scans.js'
import type { ResultCache } from './query/result-cache.js'
import type { StatisticsCache } from './query/statistics-cache.js'
import type { ConvertSyslog } from './syslog/messages.js'

export interface Service {
  /** The store; on a route that requires a permission, limited to what the caller may see. */
  readonly store: Store
  /** Inputs that queries may read in addition to datasets. */
  readonly inputs?: Inputs
  readonly limits: Limits
  readonly admission: AdmissionControl
  readonly metrics: Metrics
  readonly cache: ResultCache
  readonly statistics: StatisticsCache
  readonly scans: OpenScans
  /** All endpoints. */
  readonly routes: readonly Route[]
  readonly access: Access
  /** The permissions of the caller: no permissions without a token. */
  readonly caller: Grant
  /** The dataset for requests that name no dataset. */
  readonly defaultDataset?: string
  /** Loads the parser of syslog messages, for log drains of Heroku. */
  readonly loadSyslog?: () => Promise<ConvertSyslog>
  /** Throws a `RefusedError` when the caller's token does not allow ingest into the dataset. */
  permitIngest(dataset: string): void
  /** Resolves when a query of this caller may run; the result releases the permit. */
  queryPermit(signal: AbortSignal): Promise<Release>
  /** Nanoseconds since 1970. */
  now(): bigint
}

/** A request that was matched to a route and authorized. */
export interface Call {
  readonly request: ServiceRequest
  /** The path parameters, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

export type Handler = (call: Call, service: Service) => Promise<ServiceResponse>

/** An endpoint: one method of one path. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS'
  /**
   * A path pattern, such as `/v1/ingest/:dataset`. A segment with a colon matches any string that begins with the text before the
   * colon. A last segment such as `:rest*` matches any number of segments, and is not a parameter.
   */
  readonly path: string
  /** True when repeated slashes count as one, and a slash at the end of the path is ignored. */
  readonly ignoresExtraSlashes?: true
  /** The required permission: no permission with `open`, and with `open-on-loopback` on loopback addresses. */
  readonly permission: Permission | 'open' | 'open-on-loopback'
  /** The value of the label `protocol` in metrics, for endpoints of an ingest protocol. */
  readonly protocol?: string
  readonly handle: Handler
  /** Encodes the response to a request that fails; by default JSON with `code` and `message`. */
  readonly encodeError?: EncodeError
  /** The description for OpenAPI, for endpoints of the interface. */
  readonly operation?: Operation
}

export type Endpoint = `${Route['method']} ${string}`

/** Returns the route of an endpoint; one of the interface has a description. */
export function route(
  endpoint: Endpoint,
  permission: Route['permission'],
  handle: Handler,
  operation?: Operation,
): Route {
  const [method, path] = endpoint.split(' ') as [Route['method'], string]
  return { method, path, permission, handle, operation }
}

/** A path pattern: the text before its first parameter, which excludes most requests, and a regular expression. */
interface Pattern {
  readonly start: string
  readonly whole: RegExp
}

/** The patterns of all routes: each request is matched against all of them. */
const patterns = new Map<string, Pattern>()

function patternOf(path: string): Pattern {
  const known = patterns.get(path)
  if (known !== undefined) return known
  const segments = path.replaceAll('.', '\\.').replace(/\/:\w+\*$/, '(?:/.*)?')
  const whole = new RegExp(`^${segments.replace(/:(\w+)/g, '(?<$1>[^/]*)')}$`, 's')
  const pattern = { start: path.replace(/\/?:.*/s, ''), whole }
  patterns.set(path, pattern)
  return pattern
}

/** Matches a path against a pattern and returns its parameters; undefined when they do not match. */
export function matchPath(
  pattern: string,
  path: string,
): Readonly<Record<string, string>> | undefined {
  const { start, whole } = patternOf(pattern)
  const found = path.startsWith(start) ? whole.exec(path) : null
  if (found === null) return undefined
  const groups = Object.entries(found.groups ?? {})
  return Object.fromEntries(groups.map(([name, value]) => [name, decoded(value)]))
}

/** Returns a path with single slashes, and without a slash at its end. */
export function withoutExtraSlashes(path: string): string {
  return path.replace(/\/{2,}/g, '/').replace(/(?<=.)\/$/, '')
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray `%` is kept; the name is then rejected by its own rules.
    return part
  }
}
