import { count, type JsonSchema, listOf, ref, TEXT, text } from '../../wire/shape/json-schema.js'
import { dataset, type Operation, ok, type Parameter, parameter } from './operation.js'

const ERROR: JsonSchema = {
  type: 'object',
  properties: {
    error: {
      type: 'object',
      properties: {
        root_cause: listOf({ type: 'object' }),
        type: TEXT,
        reason: TEXT,
      },
    },
    status: count('The status of the response.'),
  },
}

/** The parts that all operations have in common. */
const ELASTIC = { errors: { 'application/json': ERROR } } satisfies Partial<Operation>

const BULK = {
  ...ELASTIC,
  summary:
    'Ingests pairs of lines, an action and an event, as Elasticsearch does. The actions `index` and `create` are supported.',
  body: {
    'application/x-ndjson': text('One action or event per line.'),
    'application/json': text('The same.'),
  },
  response: ok('An item with a status for each action.', {
    type: 'object',
    properties: {
      took: count('Milliseconds.'),
      errors: { type: 'boolean', description: 'True when an event was rejected.' },
      items: listOf({ type: 'object' }),
    },
  }),
  refusals: [400, 413, 415, 422, 507],
} satisfies Partial<Operation>

const BULK_PARAMETERS: readonly Parameter[] = [
  parameter('query', 'filter_path', 'The members of the response, as patterns.'),
  parameter('query', 'timestamp-field', 'The field with the event time.', {
    ...TEXT,
    default: '@timestamp',
  }),
]

const API_PARAMETERS: readonly Parameter[] = [
  inPath('api', 'The API, such as `license`, `index_template` or `ilm`.'),
  inPath('rest', 'More segments of the path.'),
]

/** The operations of Elasticsearch's API. */
export const ELASTIC_OPERATIONS: readonly Operation[] = [
  ...operations({ base: '', suffix: '', parameters: [] }),
  ...operations({
    base: '/v1/ingest/{dataset}/elastic',
    suffix: 'IntoDataset',
    parameters: [dataset],
  }),
]

function operations(below: {
  readonly base: string
  /** The end of the operations' ids. */
  readonly suffix: string
  readonly parameters: readonly Parameter[]
}): readonly Operation[] {
  const { base, suffix, parameters } = below
  const index = inPath('index', 'The index: the dataset, unless the path begins with one.')
  const bulk = (['post', 'put'] as const).flatMap((method): Operation[] => [
    {
      ...BULK,
      method,
      path: `${base}/_bulk`,
      id: `${method}Bulk${suffix}`,
      parameters: [...parameters, ...BULK_PARAMETERS],
    },
    {
      ...BULK,
      method,
      path: `${base}/{index}/_bulk`,
      id: `${method}BulkOfIndex${suffix}`,
      parameters: [...parameters, index, ...BULK_PARAMETERS],
    },
  ])
  const document = (
    method: 'post' | 'put',
    [path, id]: readonly [string, string],
    more: readonly Parameter[],
  ): Operation => ({
    ...ELASTIC,
    method,
    path: `${base}/{index}/${path}`,
    id: `${id}${suffix}`,
    summary: 'Ingests one event.',
    parameters: [...parameters, index, ...more, ...BULK_PARAMETERS.slice(1)],
    body: { 'application/json': ref('Event') },
    response: { ...ok('The event is stored.', { type: 'object' }), status: 201 },
    refusals: [400, 413, 415, 422, 507],
  })
  const documentId = inPath('id', 'The field `_id` of the event.')
  const refresh = (method: 'get' | 'post'): Operation => ({
    ...ELASTIC,
    method,
    path: `${base}/{index}/_refresh`,
    id: `${method}Refresh${suffix}`,
    summary: 'Without effect: events can be queried as soon as they are stored.',
    parameters: [...parameters, index],
    response: ok('The acknowledgement.', { type: 'object' }),
  })
  const change = (method: 'put' | 'post'): Operation => ({
    ...ELASTIC,
    method,
    path: `${base}/_{api}/{rest}*`,
    id: `${method}ElasticApi${suffix}`,
    summary: 'Acknowledges a template, policy or pipeline of a shipper, without effect.',
    parameters: [...parameters, ...API_PARAMETERS],
    response: ok('The acknowledgement.', { type: 'object' }),
    refusals: [404],
  })
  return [
    ...bulk,
    document('post', ['_doc', 'indexDocument'], []),
    document('put', ['_doc/{id}', 'indexDocumentById'], [documentId]),
    document('put', ['_create/{id}', 'createDocument'], [documentId]),
    refresh('get'),
    refresh('post'),
    {
      ...ELASTIC,
      method: 'get',
      path: base || '/',
      id: `elasticInfo${suffix}`,
      summary: 'Returns the version of Elasticsearch whose clients are supported.',
      parameters,
      response: ok('The version.', { type: 'object' }),
    },
    {
      ...ELASTIC,
      method: 'get',
      path: `${base}/_{api}/{rest}*`,
      id: `elasticApi${suffix}`,
      summary: 'Responds to what shippers request before they send events.',
      parameters: [...parameters, ...API_PARAMETERS],
      response: ok('Depends on the API.', { type: 'object' }),
      refusals: [404],
    },
    change('put'),
    change('post'),
    {
      ...ELASTIC,
      method: 'put',
      path: `${base}/<{index}`,
      id: `createElasticIndex${suffix}`,
      summary: 'Acknowledges the creation of an index whose name is a date expression.',
      parameters: [...parameters, index],
      response: ok('The acknowledgement.', { type: 'object' }),
    },
  ]
}

function inPath(name: string, description: string): Parameter {
  return { ...parameter('path', name, description), isRequired: true }
}
