import { type Route, route } from '../../route.js'
import { ingestRoute } from '../store-events.js'
import {
  changeElasticApi,
  changeElasticIndex,
  createElasticIndex,
  elasticApi,
  elasticInfo,
  elasticNodes,
  indexApi,
  refreshElasticIndex,
} from './api.js'
import { elasticError } from './error.js'
import { elasticBulk, elasticDocument } from './protocols.js'

/** Routes at the root only: the address of a node has no path. */
const ROOT: readonly Route[] = [
  route('GET /_nodes/http', 'ingest', elasticNodes),
  route('GET /_nodes/_all/http', 'ingest', elasticNodes),
]

/** Routes with a dataset in their path only: at the root, paths of other APIs would match. */
function datasetRoutes(base: string): readonly Route[] {
  return [
    // Clients ask whether an index exists before they create it. At the root, such a path is unknown, too.
    route(`GET ${base}/:index`, 'ingest', indexApi),
    // Clients of versions up to 6 name a type.
    route(`POST ${base}/:index/:type/_:api`, 'ingest', indexApi),
    route(`PUT ${base}/:index/:type/_:api`, 'ingest', changeElasticIndex),
    ingestRoute(`POST ${base}/:index/:type`, elasticDocument),
    ingestRoute(`POST ${base}/:index/:type/:id`, elasticDocument),
    ingestRoute(`PUT ${base}/:index/:type/:id`, elasticDocument),
  ]
}

/** Returns the routes of all endpoints. Shippers append paths to addresses that end in a slash, so extra slashes are ignored. */
export function elasticRoutes(base: string): readonly Route[] {
  const api = `${base}/_:api/:rest*`
  const indexPath = `${base}/:index/_:api/:rest*`
  const ingest = [
    ingestRoute(`POST ${base}/_bulk`, elasticBulk),
    ingestRoute(`PUT ${base}/_bulk`, elasticBulk),
    ingestRoute(`POST ${base}/:index/_bulk`, elasticBulk),
    ingestRoute(`PUT ${base}/:index/_bulk`, elasticBulk),
    // Clients of versions up to 7 can name a type.
    ingestRoute(`POST ${base}/:index/:type/_bulk`, elasticBulk),
    ingestRoute(`PUT ${base}/:index/:type/_bulk`, elasticBulk),
    ingestRoute(`POST ${base}/:index/_doc`, elasticDocument),
    ingestRoute(`POST ${base}/:index/_doc/:id`, elasticDocument),
    ingestRoute(`PUT ${base}/:index/_doc/:id`, elasticDocument),
    ingestRoute(`POST ${base}/:index/_create/:id`, elasticDocument),
    ingestRoute(`PUT ${base}/:index/_create/:id`, elasticDocument),
  ]
  const others = [
    route(`GET ${base}/:index/_refresh`, 'ingest', refreshElasticIndex),
    route(`POST ${base}/:index/_refresh`, 'ingest', refreshElasticIndex),
    route(`GET ${base || '/'}`, 'ingest', elasticInfo),
    route(`GET ${api}`, 'ingest', elasticApi),
    route(`PUT ${api}`, 'ingest', changeElasticApi),
    route(`POST ${api}`, 'ingest', changeElasticApi),
    route(`PUT ${base}/:index`, 'ingest', createElasticIndex),
    route(`GET ${indexPath}`, 'ingest', indexApi),
    route(`POST ${indexPath}`, 'ingest', indexApi),
    route(`PUT ${indexPath}`, 'ingest', changeElasticIndex),
    ...(base === '' ? ROOT : datasetRoutes(base)),
  ]
  return [...ingest, ...others].map((known) => ({
    ...known,
    encodeError: elasticError,
    ignoresExtraSlashes: true,
  }))
}
