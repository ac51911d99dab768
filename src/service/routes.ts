import { isDatasetName } from '../wire/http/dataset-name.js'
import { currentUser, organizationById, organizations } from './account.js'
import {
  removeBatches,
  removeDataset,
  removeRetention,
  renameDataset,
  setRetention,
  trimDataset,
} from './dataset/change.js'
import { createDataset, updateDataset } from './dataset/create.js'
import { acceptLoss, listDamage } from './dataset/damage.js'
import {
  allFields,
  datasetFields,
  datasetInfo,
  datasetStats,
  getDataset,
  listDatasets,
} from './dataset/describe.js'
import { alive, metrics, ready } from './health.js'
import type { ServiceRequest } from './http.js'
import { FOREIGN_APIS } from './ingest/foreign-apis.js'
import { native } from './ingest/native.js'
import { ingestRoute } from './ingest/store-events.js'
import { legacyQuery } from './legacy/query.js'
import { describe } from './openapi/document.js'
import { aplQuery } from './query/apl-query.js'
import { check } from './query/check.js'
import { RefusedError } from './refused-error.js'
import {
  type Call,
  matchPath,
  type Route,
  type RouteRow,
  routesOf,
  withoutExtraSlashes,
} from './route.js'
import {
  createStarred,
  deleteStarred,
  getStarred,
  listStarred,
  updateStarred,
} from './starred/routes.js'

export const INTERFACE_ROUTES: readonly Route[] = [
  // Clients use the first path with an ingest URL, the second one with a base URL.
  ingestRoute('POST /v1/ingest/:dataset', native),
  ingestRoute('POST /v1/datasets/:dataset/ingest', native),
  ...routesOf([
    ['GET /healthz', 'open', alive],
    ['GET /readyz', 'open', ready],
    ['GET /metrics', 'open-on-loopback', metrics],
    ['GET /openapi.json', 'open', describe],
    ...datasetRoutes('/v1/datasets'),
    ...datasetRoutes('/v2/datasets'),
    ['GET /v1/datasets/_stats', 'query', datasetStats],
    ['GET /v1/datasets/_fields', 'query', allFields],
    ['GET /v1/datasets/_damage', 'query', listDamage],
    ['POST /v1/datasets/_damage/accept', 'everything', acceptLoss],
    ['GET /v1/datasets/:dataset/info', 'query', datasetInfo],
    ['GET /v2/datasets/:dataset/fields', 'query', datasetFields],
    ['POST /v1/datasets/:dataset/rename', 'everything', renameDataset],
    ['PUT /v1/datasets/:dataset/retention', 'everything', setRetention],
    ['DELETE /v1/datasets/:dataset/retention', 'everything', removeRetention],
    ['POST /v1/datasets/:dataset/_batches/remove', 'everything', removeBatches],
    ['POST /v1/datasets/_apl', 'query', aplQuery],
    // Clients use this path when they are configured with the URL of an edge deployment.
    ['POST /v1/query/_apl', 'query', aplQuery],
    ['POST /v1/datasets/_apl/check', 'query', check],
    ['POST /v1/datasets/:dataset/query', 'query', legacyQuery],
    ['GET /v2/apl-starred-queries', 'starredQueries|read', listStarred],
    ['POST /v2/apl-starred-queries', 'starredQueries|create', createStarred],
    ['GET /v2/apl-starred-queries/:id', 'starredQueries|read', getStarred],
    ['PUT /v2/apl-starred-queries/:id', 'starredQueries|update', updateStarred],
    ['DELETE /v2/apl-starred-queries/:id', 'starredQueries|delete', deleteStarred],
    ['GET /v1/user', 'any', currentUser],
    ['GET /v2/user', 'any', currentUser],
    ['GET /v2/orgs', 'any', organizations],
    ['GET /v2/orgs/:id', 'any', organizationById],
  ]),
]

export const ROUTES: readonly Route[] = [
  ...INTERFACE_ROUTES,
  ...FOREIGN_APIS.flatMap(({ routes }) => routes),
]

function datasetRoutes(path: string): readonly RouteRow[] {
  return [
    [`GET ${path}`, 'query', listDatasets],
    [`POST ${path}`, 'everything', createDataset],
    [`GET ${path}/:dataset`, 'query', getDataset],
    [`PUT ${path}/:dataset`, 'everything', updateDataset],
    [`DELETE ${path}/:dataset`, 'everything', removeDataset],
    [`POST ${path}/:dataset/trim`, 'everything', trimDataset],
  ]
}

export interface MatchingRoute {
  readonly route: Route
  readonly parameters: Call['parameters']
}

/** Returns the routes that match a path. Routes without parameters take precedence. */
export function matchingRoutes(path: string, routes: readonly Route[]): readonly MatchingRoute[] {
  const exact = path.split('/')
  const loose = withoutExtraSlashes(path).split('/')
  const segmentsFor = ({ ignoresExtraSlashes }: Route) => (ignoresExtraSlashes ? loose : exact)
  const all: MatchingRoute[] = []
  for (const route of routes) {
    const parameters = matchPath(route.path, segmentsFor(route))
    if (parameters !== undefined) all.push({ route, parameters })
  }
  const named = all.filter(({ route }) => route.path === segmentsFor(route).join('/'))
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
