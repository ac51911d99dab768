import type { Store } from '../engine/store.js'
import type { Permission } from './auth/permission.js'
import type { Release } from './fair-queue.js'
import type { ServiceRequest, ServiceResponse } from './http.js'
import type { AdmissionControl } from './ingest/admission.js'
import type { Limits } from './limits.js'
import type { Metrics } from './metrics.js'
import type { ResultCache } from './query/result-cache.js'
import type { StatisticsCache } from './query/statistics-cache.js'

/** What every route may use. */
export interface Service {
  /** On a route that needs a permission, the store as the caller may see it. */
  readonly store: Store
  readonly limits: Limits
  readonly admission: AdmissionControl
  readonly metrics: Metrics
  readonly cache: ResultCache
  readonly statistics: StatisticsCache
  /** Throws a refusal when the token of the caller does not allow ingest into the dataset. */
  permitIngest(dataset: string): void
  /** Waits until a query of this caller may run. */
  queryPermit(signal: AbortSignal): Promise<Release>
  /** Nanoseconds since 1970. */
  now(): bigint
}

/** A request that found its route and may be carried out. */
export interface Call {
  readonly request: ServiceRequest
  /** The path's variable parts, decoded. */
  readonly parameters: Readonly<Record<string, string>>
}

/** One method of one path. */
export interface Route {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** `/v1/ingest/:dataset`: a part with a colon stands for any text. */
  readonly path: string
  /** What a token must allow; a route that is `open` needs none, one that is open on loopback needs none there. */
  readonly permission: Permission | 'open' | 'open-on-loopback'
  /** The label of its metrics where it is an endpoint of an ingest protocol. */
  readonly protocol?: string
  readonly handle: (call: Call, service: Service) => Promise<ServiceResponse>
}

/** The path's variable parts when it has the pattern; undefined when it has not. */
export function matchPath(
  pattern: string,
  path: string,
): Readonly<Record<string, string>> | undefined {
  const wanted = pattern.split('/')
  const parts = path.split('/')
  if (parts.length !== wanted.length) return undefined
  const parameters: Record<string, string> = {}
  for (const [i, part] of parts.entries()) {
    const name = wanted[i]!
    if (name.startsWith(':')) parameters[name.slice(1)] = decoded(part)
    else if (name !== part) return undefined
  }
  return parameters
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    // A stray `%` stands for itself; the name is then refused by its own rules.
    return part
  }
}
