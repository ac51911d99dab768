import { isDatasetName } from '../wire/http/dataset-name.js'
import { currentUser, organizationById, organizations } from './account.js'
import { createDataset, updateDataset } from './dataset/create.js'
import { acceptLoss, listDamage } from './dataset/damage.js'
import { allFields, datasetFields, getDataset, listDatasets } from './dataset/describe.js'
import { removeBatches } from './dataset/remove-batches.js'
import { renameDataset } from './dataset/rename.js'
import { removeRetention, setRetention } from './dataset/retention.js'
import { datasetInfo, datasetStats, removeDataset } from './dataset/routes.js'
import { trimDataset } from './dataset/trim.js'
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
import { type Call, matchPath, type Route, withoutExtraSlashes } from './route.js'
import {
  createStarred,
  deleteStarred,
  getStarred,
  listStarred,
  updateStarred,
} from './starred/routes.js'

/** The endpoints of the interface. */
export const INTERFACE_ROUTES: readonly Route[] = [
  { method: 'GET', path: '/healthz', permission: 'open', handle: alive },
  { method: 'GET', path: '/readyz', permission: 'open', handle: ready },
  { method: 'GET', path: '/metrics', permission: 'open-on-loopback', handle: metrics },
  { method: 'GET', path: '/openapi.json', permission: 'open', handle: describe },
  // Clients use the first path with an ingest URL, the second one with a base URL.
  ingestRoute({ method: 'POST', path: '/v1/ingest/:dataset', protocol: native }),
  ingestRoute({ method: 'POST', path: '/v1/datasets/:dataset/ingest', protocol: native }),
  ...datasetRoutes('/v1/datasets'),
  ...datasetRoutes('/v2/datasets'),
  { method: 'GET', path: '/v1/datasets/_stats', permission: 'query', handle: datasetStats },
  { method: 'GET', path: '/v1/datasets/_fields', permission: 'query', handle: allFields },
  { method: 'GET', path: '/v1/datasets/_damage', permission: 'query', handle: listDamage },
  {
    method: 'POST',
    path: '/v1/datasets/_damage/accept',
    permission: 'everything',
    handle: acceptLoss,
  },
  { method: 'GET', path: '/v1/datasets/:dataset/info', permission: 'query', handle: datasetInfo },
  {
    method: 'GET',
    path: '/v2/datasets/:dataset/fields',
    permission: 'query',
    handle: datasetFields,
  },
  {
    method: 'POST',
    path: '/v1/datasets/:dataset/rename',
    permission: 'everything',
    handle: renameDataset,
  },
  {
    method: 'PUT',
    path: '/v1/datasets/:dataset/retention',
    permission: 'everything',
    handle: setRetention,
  },
  {
    method: 'DELETE',
    path: '/v1/datasets/:dataset/retention',
    permission: 'everything',
    handle: removeRetention,
  },
  {
    method: 'POST',
    path: '/v1/datasets/:dataset/_batches/remove',
    permission: 'everything',
    handle: removeBatches,
  },
  { method: 'POST', path: '/v1/datasets/_apl', permission: 'query', handle: aplQuery },
  // Clients use this path when they are configured with the URL of an edge deployment.
  { method: 'POST', path: '/v1/query/_apl', permission: 'query', handle: aplQuery },
  { method: 'POST', path: '/v1/datasets/_apl/check', permission: 'query', handle: check },
  { method: 'POST', path: '/v1/datasets/:dataset/query', permission: 'query', handle: legacyQuery },
  ...starredRoutes('/v2/apl-starred-queries'),
  { method: 'GET', path: '/v1/user', permission: 'any', handle: currentUser },
  { method: 'GET', path: '/v2/user', permission: 'any', handle: currentUser },
  { method: 'GET', path: '/v2/orgs', permission: 'any', handle: organizations },
  { method: 'GET', path: '/v2/orgs/:id', permission: 'any', handle: organizationById },
]

/** All endpoints of the service. */
export const ROUTES: readonly Route[] = [
  ...INTERFACE_ROUTES,
  ...FOREIGN_APIS.flatMap(({ routes }) => routes),
]

function datasetRoutes(path: string): readonly Route[] {
  const one = `${path}/:dataset`
  return [
    { method: 'GET', path, permission: 'query', handle: listDatasets },
    { method: 'POST', path, permission: 'everything', handle: createDataset },
    { method: 'GET', path: one, permission: 'query', handle: getDataset },
    { method: 'PUT', path: one, permission: 'everything', handle: updateDataset },
    { method: 'DELETE', path: one, permission: 'everything', handle: removeDataset },
    { method: 'POST', path: `${one}/trim`, permission: 'everything', handle: trimDataset },
  ]
}

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

/** A route whose pattern matches the request's path. */
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

/** False when the path has a segment such as `_apl` in the place of a dataset, which can't be a name. */
function namesDataset({ parameters: { dataset } }: MatchingRoute): boolean {
  return dataset === undefined || isDatasetName(dataset)
}

/** Returns the refusal of a request that no route handles: 405 when routes with other methods match the path, else 404. */
export function routingError(
  { method, path }: ServiceRequest,
  matching: readonly MatchingRoute[],
): RefusedError {
  if (!matching.some(namesDataset)) {
    return new RefusedError('not-found', `There is nothing at \`${path}\`.`)
  }
  const methods = matching.map(({ route }) => `\`${route.method}\``).join(', ')
  return new RefusedError('wrong-method', `\`${path}\` takes ${methods}, not \`${method}\`.`)
}
