import type { Route } from '../../route.js'
import { ingestRoute } from '../store-events.js'
import {
  changeElasticApi,
  createElasticIndex,
  elasticApi,
  elasticInfo,
  refreshElasticIndex,
} from './api.js'
import { elasticBulk } from './bulk.js'
import { elasticDocument } from './document.js'
import { elasticError } from './error.js'

/** Options of all routes. Shippers append paths to addresses that end in a slash, so extra slashes are ignored. */
const COMMON = {
  ignoresExtraSlashes: true,
  permission: 'ingest',
  encodeError: elasticError,
} as const

/** Returns the endpoints of Elasticsearch below a path. */
export function elasticRoutes(base: string): readonly Route[] {
  const bulk = ['/_bulk', '/:index/_bulk'].flatMap((path) =>
    (['POST', 'PUT'] as const).map((method) =>
      ingestRoute({
        method,
        path: `${base}${path}`,
        protocol: elasticBulk,
        ignoresExtraSlashes: true,
      }),
    ),
  )
  const documents = (
    [
      ['POST', '/:index/_doc'],
      ['PUT', '/:index/_doc/:id'],
      ['PUT', '/:index/_create/:id'],
    ] as const
  ).map(([method, path]) =>
    ingestRoute({
      method,
      path: `${base}${path}`,
      protocol: elasticDocument,
      ignoresExtraSlashes: true,
    }),
  )
  const refresh = (['GET', 'POST'] as const).map(
    (method): Route => ({
      ...COMMON,
      method,
      path: `${base}/:index/_refresh`,
      handle: refreshElasticIndex,
    }),
  )
  const api = `${base}/_:api/:rest*`
  return [
    ...bulk,
    ...documents,
    ...refresh,
    { ...COMMON, method: 'GET', path: base || '/', handle: elasticInfo },
    { ...COMMON, method: 'GET', path: api, handle: elasticApi },
    { ...COMMON, method: 'PUT', path: api, handle: changeElasticApi },
    { ...COMMON, method: 'POST', path: api, handle: changeElasticApi },
    { ...COMMON, method: 'PUT', path: `${base}/<:index`, handle: createElasticIndex },
  ]
}
