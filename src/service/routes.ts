import { isDatasetName } from '../wire/http/dataset-name.js'
import type { ServiceRequest } from './http.js'
import { FOREIGN_APIS } from './ingest/foreign-apis.js'
import { INTERFACE_ROUTES } from './interface-routes.js'
import { RefusedError } from './refused-error.js'
import { type Call, matchPath, type Route, withoutExtraSlashes } from './route.js'

export const ROUTES: readonly Route[] = [
  ...INTERFACE_ROUTES,
  ...FOREIGN_APIS.flatMap(({ routes }) => routes),
]

export interface MatchingRoute {
  readonly route: Route
  readonly parameters: Call['parameters']
}

/** Returns the routes that match a path. Routes without parameters take precedence. */
export function matchingRoutes(path: string, routes: readonly Route[]): readonly MatchingRoute[] {
  const loose = withoutExtraSlashes(path)
  const pathFor = ({ ignoresExtraSlashes }: Route) => (ignoresExtraSlashes ? loose : path)
  const all: MatchingRoute[] = []
  for (const route of routes) {
    const parameters = matchPath(route.path, pathFor(route))
    if (parameters !== undefined) all.push({ route, parameters })
  }
  const named = all.filter(({ route }) => route.path === pathFor(route))
  return named.length > 0 ? named : all
}

/**
 * False when the path has a segment such as `_apl` in the place of a dataset, which can't be a name; or when the route has only
 * parameters, and thus matches any path of its length.
 */
function isKnownPath({ route, parameters: { dataset } }: MatchingRoute): boolean {
  const hasName = dataset === undefined || isDatasetName(dataset)
  return hasName && route.path.split('/').some((part) => part !== '' && !part.includes(':'))
}

/** Returns the refusal of a request that no route handles: 405 when routes with other methods match the path, else 404. */
export function routingError(
  { method, path }: ServiceRequest,
  matching: readonly MatchingRoute[],
): RefusedError {
  if (!matching.some(isKnownPath)) {
    return new RefusedError('not-found', `There is nothing at \`${path}\`.`)
  }
  const methods = matching.map(({ route }) => `\`${route.method}\``).join(', ')
  return new RefusedError('wrong-method', `\`${path}\` takes ${methods}, not \`${method}\`.`)
}
