import { type Endpoint, type Route, routesOf } from '../../route.js'
import { ingestRoute } from '../store-events.js'
import {
  changeElasticApi,
  createElasticIndex,
  elasticApi,
  elasticInfo,
  indexApi,
  refreshElasticIndex,
} from './api.js'
import { elasticError } from './error.js'
import { elasticBulk, elasticDocument } from './protocols.js'

/** Options of all routes. Shippers append paths to addresses that end in a slash, so extra slashes are ignored. */
const COMMON = { ignoresExtraSlashes: true } as const

export function elasticRoutes(base: string): readonly Route[] {
  const bulk: readonly Endpoint[] = [
    `POST ${base}/_bulk`,
    `PUT ${base}/_bulk`,
    `POST ${base}/:index/_bulk`,
    `PUT ${base}/:index/_bulk`,
  ]
  const documents: readonly Endpoint[] = [
    `POST ${base}/:index/_doc`,
    `POST ${base}/:index/_doc/:id`,
    `PUT ${base}/:index/_doc/:id`,
    `POST ${base}/:index/_create/:id`,
    `PUT ${base}/:index/_create/:id`,
  ]
  const api = `${base}/_:api/:rest*`
  const indexPath = `${base}/:index/_:api/:rest*`
  return [
    ...bulk.map((endpoint) => ingestRoute(endpoint, elasticBulk, COMMON)),
    ...documents.map((endpoint) => ingestRoute(endpoint, elasticDocument, COMMON)),
    ...routesOf(
      [
        [`GET ${base}/:index/_refresh`, 'ingest', refreshElasticIndex],
        [`POST ${base}/:index/_refresh`, 'ingest', refreshElasticIndex],
        [`GET ${base || '/'}`, 'ingest', elasticInfo],
        [`GET ${api}`, 'ingest', elasticApi],
        [`PUT ${api}`, 'ingest', changeElasticApi],
        [`POST ${api}`, 'ingest', changeElasticApi],
        [`PUT ${base}/:index`, 'ingest', createElasticIndex],
        // Clients ask whether an index exists before they create it. At the root, such a path is unknown, too.
        ...(base === '' ? [] : [[`GET ${base}/:index`, 'ingest', indexApi] as const]),
        [`GET ${indexPath}`, 'ingest', indexApi],
        [`POST ${indexPath}`, 'ingest', indexApi],
      ],
      { ...COMMON, encodeError: elasticError },
    ),
  ]
}
