import { count, listOf, ref, TEXT, text } from '../../wire/shape/json-schema.js'
import { ACCOUNT_OPERATIONS } from './account-operations.js'
import { DATASET_OPERATIONS } from './dataset-operations.js'
import { type Operation, ok, type Parameter, parameter } from './operation.js'

const starredId: Parameter = {
  in: 'path',
  name: 'id',
  description: 'The id of a saved query.',
  schema: TEXT,
  isRequired: true,
}

const INGEST_PARAMETERS: readonly Parameter[] = [
  parameter('query', 'timestamp-field', 'The field with the event time.', {
    ...TEXT,
    default: '_time',
  }),
  parameter(
    'query',
    'timestamp-format',
    'The format of the event time as a Go layout, such as `2006-01-02 15:04:05`.',
  ),
  parameter('query', 'csv-delimiter', 'The separator of CSV values.', {
    ...TEXT,
    default: ',',
    maxLength: 1,
  }),
  parameter(
    'header',
    'x-service-csv-fields',
    'The field names of CSV without a header line, separated by commas. Also `x-axiom-csv-fields`.',
  ),
  parameter(
    'header',
    'x-service-failure-limit',
    'The maximum number of failures in the response: 1,000 by default, at most 10,000.',
  ),
  parameter(
    'header',
    'x-service-event-labels',
    'Fields to add to each event, as a JSON object. Also `x-axiom-event-labels`.',
  ),
  parameter(
    'header',
    'x-service-batch-id',
    'A batch id. Batches with the same id are stored once.',
  ),
  parameter('header', 'content-encoding', 'The compression of the body.', {
    ...TEXT,
    enum: ['gzip', 'zstd', 'deflate', 'identity'],
  }),
]

const INGEST: Omit<Operation, 'request' | 'id'> = {
  summary: 'Ingests events. Each event is accepted or rejected individually.',
  parameters: INGEST_PARAMETERS,
  body: {
    'application/json': listOf(ref('Event'), 'An array of events, or one event per line.'),
    'application/x-ndjson': text(
      'One event per line. Also `application/ndjson` and `application/jsonl`.',
    ),
    'text/csv': text('A header line, then one event per line.'),
    'application/logplex-1': text('Frames of a log drain of Heroku.'),
  },
  response: ok('The numbers of accepted and rejected events.', ref('IngestResult')),
  refusals: [400, 410, 413, 415, 422, 507],
}

const QUERY: Omit<Operation, 'request' | 'id'> = {
  summary: 'Runs an APL query.',
  parameters: [
    {
      ...parameter('query', 'format', 'The format of the response.', {
        ...TEXT,
        enum: ['tabular', 'legacy'],
      }),
      isRequired: true,
    },
    parameter('query', 'cursor', 'The same as the member `cursor` of the body.'),
    parameter('query', 'nocache', '`true` has the effect of `disableCache` in `queryOptions`.'),
  ],
  body: { 'application/json': ref('AplRequest') },
  response: ok(
    'The result. A tabular one whose last `summarize` is by `bin(_time, …)` or `bin_auto(_time)` has a second table `_totals`: the groups over the whole time range. Timespans are strings such as `1m20s`.',
    { oneOf: [ref('TabularResult'), ref('LegacyResult')] },
  ),
  refusals: [400, 404, 422, 432],
}

/** All operations of the interface. */
export const OPERATIONS: readonly Operation[] = [
  { ...INGEST, request: 'post /v1/ingest/{dataset}', id: 'ingest' },
  { ...INGEST, request: 'post /v1/datasets/{dataset}/ingest', id: 'ingestIntoDataset' },
  { ...QUERY, request: 'post /v1/datasets/_apl', id: 'query' },
  { ...QUERY, request: 'post /v1/query/_apl', id: 'queryAtEdge' },
  {
    request: 'post /v1/datasets/_apl/check',
    id: 'check',
    summary: 'Compiles an APL query without running it.',
    body: { 'application/json': ref('AplRequest') },
    response: ok('The compiled query.', ref('Check')),
    refusals: [400, 404, 422],
  },
  {
    request: 'post /v1/datasets/{dataset}/query',
    id: 'legacyQuery',
    summary: 'Runs a legacy query.',
    parameters: [
      parameter(
        'query',
        'streaming-duration',
        'The time to wait for a matching event before an empty response, such as `5s`; at most a minute.',
      ),
    ],
    body: { 'application/json': ref('LegacyRequest') },
    response: ok('The events, or their aggregations.', ref('LegacyResult')),
    refusals: [400, 404, 422, 432],
  },
  ...DATASET_OPERATIONS,
  ...ACCOUNT_OPERATIONS,
  {
    request: 'get /v2/apl-starred-queries',
    id: 'listStarredQueries',
    scope: 'starredQueries|read',
    summary: 'Lists saved queries.',
    parameters: [
      parameter('query', 'limit', 'The maximum number of results.', count('At most 1,000.')),
      parameter('query', 'offset', 'The number of results to skip.', count('From 0.')),
      parameter('query', 'dataset', 'Only queries of this dataset.'),
      parameter('query', 'who', 'Only queries of this owner.'),
      parameter('query', 'qs', 'Only queries that contain this string in their name or query.'),
    ],
    response: ok('Saved queries, by name.', listOf(ref('StarredQueryWithId'))),
    refusals: [400],
  },
  {
    request: 'post /v2/apl-starred-queries',
    id: 'createStarredQuery',
    scope: 'starredQueries|create',
    summary: 'Saves a query under a new id.',
    parameters: [
      parameter(
        'header',
        'idempotency-key',
        'A random UUID, which becomes the id. A repeated request with the same key and body has no effect.',
      ),
    ],
    body: { 'application/json': ref('StarredQuery') },
    response: ok('The saved query.', ref('StarredQueryWithId')),
    refusals: [400, 409, 422],
  },
  {
    request: 'get /v2/apl-starred-queries/{id}',
    id: 'getStarredQuery',
    scope: 'starredQueries|read',
    summary: 'Returns a saved query.',
    parameters: [starredId],
    response: ok('The saved query.', ref('StarredQueryWithId')),
    refusals: [404],
  },
  {
    request: 'put /v2/apl-starred-queries/{id}',
    id: 'updateStarredQuery',
    scope: 'starredQueries|update',
    summary: 'Replaces a saved query.',
    parameters: [starredId],
    body: { 'application/json': ref('StarredQuery') },
    response: ok('The saved query.', ref('StarredQueryWithId')),
    refusals: [400, 404, 422],
  },
  {
    request: 'delete /v2/apl-starred-queries/{id}',
    id: 'deleteStarredQuery',
    scope: 'starredQueries|delete',
    summary: 'Deletes a saved query.',
    parameters: [starredId],
    response: { status: 204, description: 'Deleted.' },
    refusals: [404],
  },
  {
    request: 'get /healthz',
    id: 'alive',
    summary: 'Liveness check.',
    response: ok('The process is alive.', ref('Health')),
    isOpen: true,
  },
  {
    request: 'get /readyz',
    id: 'ready',
    summary: 'Readiness check.',
    response: ok('The service handles requests.', ref('Readiness')),
    isOpen: true,
  },
  {
    request: 'get /metrics',
    id: 'metrics',
    summary: 'Metrics in the Prometheus text format.',
    response: {
      status: 200,
      description: 'The metrics.',
      mediaType: 'text/plain',
      schema: TEXT,
    },
  },
  {
    request: 'get /openapi.json',
    id: 'describe',
    summary: 'Returns this document.',
    response: ok('The OpenAPI 3.1 document.', { type: 'object' }),
    isOpen: true,
  },
]
