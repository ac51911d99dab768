// The requests that shippers send to Elasticsearch before events. Templates, policies and pipelines have no meaning here: reading
// them succeeds, and changes are acknowledged without effect.

import { readBody } from '../../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../../http.js'
import { RefusedError } from '../../refused-error.js'
import type { Call, Handler, Service } from '../../route.js'
import { elasticJson } from './error.js'

/**
 * The last minor version of 8: Beats refuse versions older than their own, and Logstash unknown major versions. The Java clients
 * reject responses in which a member is missing that Elasticsearch always sends, here and below.
 */
const VERSION = {
  // Clients of OpenSearch require its name; clients of Elasticsearch look for a header.
  distribution: 'opensearch',
  number: '8.19.0',
  build_flavor: 'default',
  build_type: 'tar',
  build_hash: 'unknown',
  build_date: '1970-01-01T00:00:00Z',
  build_snapshot: false,
  lucene_version: '9.12.2',
  minimum_wire_compatibility_version: '7.17.0',
  minimum_index_compatibility_version: '7.0.0',
}

const UUID = '00000000-0000-4000-8000-000000000000'

const CLUSTER = {
  name: 'evq',
  cluster_name: 'evq',
  cluster_uuid: UUID,
  version: VERSION,
  // Clients check this text.
  tagline: 'You Know, for Search',
}

const LICENSE = {
  status: 'active',
  uid: UUID,
  type: 'basic',
  mode: 'basic',
  issue_date: '1970-01-01T00:00:00.000Z',
  issue_date_in_millis: 0,
  start_date_in_millis: -1,
  issued_to: 'evq',
  issuer: 'elasticsearch',
  max_nodes: 1000,
  max_resource_units: null,
}

const HEALTH = {
  cluster_name: 'evq',
  status: 'green',
  timed_out: false,
  number_of_nodes: 1,
  number_of_data_nodes: 1,
  active_primary_shards: 1,
  active_shards: 1,
  active_shards_percent_as_number: 100,
  relocating_shards: 0,
  initializing_shards: 0,
  unassigned_shards: 0,
  unassigned_primary_shards: 0,
  delayed_unassigned_shards: 0,
  number_of_pending_tasks: 0,
  number_of_in_flight_fetch: 0,
  task_max_waiting_in_queue_millis: 0,
}

const AVAILABLE = { available: true, enabled: true }

/** The responses to `GET /_<api>`. */
const APIS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['license', { license: LICENSE }],
  ['xpack', { build: {}, license: LICENSE, features: { ilm: AVAILABLE, security: AVAILABLE } }],
  ['nodes', { cluster_name: 'evq', nodes: {} }],
  ['cluster', HEALTH],
  ['component_template', { component_templates: [] }],
  ['data_stream', { data_streams: [] }],
  ['index_template', { index_templates: [] }],
  ...['alias', 'aliases', 'ilm', 'ingest', 'logstash', 'slm', 'template'].map(
    (name) => [name, {}] as const,
  ),
])

/** The parts of an index that clients set after they have created it. */
const INDEX_APIS = ['alias', 'aliases', 'mapping', 'mappings', 'settings']

/** `GET /`: the version of Elasticsearch whose clients are supported. */
export async function elasticInfo(): Promise<ServiceResponse> {
  return elasticJson(200, CLUSTER)
}

/** `GET /_<api>/…`: the information that shippers request before they send events. */
export async function elasticApi(call: Call): Promise<ServiceResponse> {
  return elasticJson(200, apiOf(call))
}

/**
 * `GET /_nodes/http`: clients that look for nodes send further requests to the listed addresses only. Listed is the address of this
 * request, for clients of Elasticsearch always with a port.
 */
export async function elasticNodes({ request }: Call): Promise<ServiceResponse> {
  const { host = '' } = request.headers
  const node = {
    name: 'evq',
    version: VERSION.number,
    roles: ['data', 'ingest'],
    attributes: {},
    http: { publish_address: host, bound_address: [host] },
  }
  const nodes = /:\d+$/.test(host) ? { evq: node } : {}
  return elasticJson(200, { cluster_name: CLUSTER.name, nodes })
}

/** `PUT /_<api>/…`: acknowledged without effect. */
export const changeElasticApi: Handler = async (call, service) => {
  apiOf(call)
  return acknowledge(call.request, service)
}

/** `PUT /<index>/_<api>/…`: as `PUT /_<api>/…`. */
export const changeElasticIndex: Handler = async (
  { request, parameters: { api = '' } },
  service,
) => {
  if (!INDEX_APIS.includes(api)) throw unsupported(request)
  return acknowledge(request, service)
}

/** A request for the events or the settings of an index. */
export const indexApi: Handler = async ({ request }) => {
  throw unsupported(request)
}

/** `GET` or `POST /<index>/_refresh`: events can be queried as soon as they are stored. */
export async function refreshElasticIndex(): Promise<ServiceResponse> {
  return elasticJson(200, { _shards: { total: 1, successful: 1, failed: 0 } })
}

/** `PUT /<index>`: the first event creates the dataset. */
export const createElasticIndex: Handler = async ({ request, parameters }, service) => {
  return acknowledge(request, service, { shards_acknowledged: true, index: parameters.index })
}

/** Reads the body first, because clients do not expect a response before they have sent the whole body. */
async function acknowledge(
  request: ServiceRequest,
  { limits }: Service,
  members: object = {},
): Promise<ServiceResponse> {
  for await (const _ of readBody(request, limits.bodyBytes));
  return elasticJson(200, { acknowledged: true, ...members })
}

function apiOf({ request, parameters }: Call): unknown {
  const api = APIS.get(parameters.api ?? '')
  if (api !== undefined) return api
  throw unsupported(request)
}

function unsupported({ path }: ServiceRequest): RefusedError {
  return new RefusedError(
    'not-found',
    `\`${path}\` is not supported. Of Elasticsearch's API, the service supports \`_bulk\`, \`_doc\` and the requests that shippers send at startup.`,
  )
}
