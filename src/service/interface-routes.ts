import { count, listOf, ref, TEXT, text } from '../wire/shape/json-schema.js'
import { currentUser, organizationById, organizations } from './account.js'
import { DATASET_ROUTES } from './dataset/routes.js'
import { alive, metrics, ready } from './health.js'
import { native } from './ingest/native.js'
import { ingestRoute } from './ingest/store-events.js'
import { legacyQuery } from './legacy/query.js'
import { describe } from './openapi/document.js'
import {
  noContent,
  type Operation,
  ok,
  type Parameter,
  parameters,
  pathParameter,
} from './openapi/operation.js'
import { aplQuery } from './query/apl-query.js'
import { check } from './query/check.js'
import { type Route, route } from './route.js'
import {
  createStarred,
  deleteStarred,
  getStarred,
  listStarred,
  updateStarred,
} from './starred/routes.js'

const STARRED_ID = pathParameter('id', 'The id of a saved query.')

const INGEST_PARAMETERS: readonly Parameter[] = [
  ...parameters('query', {
    'timestamp-field': ['The field with the event time.', { ...TEXT, default: '_time' }],
    'timestamp-format':
      'The format of the event time as a Go layout, such as `2006-01-02 15:04:05`.',
    'csv-delimiter': ['The separator of CSV values.', { ...TEXT, default: ',', maxLength: 1 }],
  }),
  ...parameters('header', {
    'x-service-csv-fields':
      'The field names of CSV without a header line, separated by commas. Also `x-axiom-csv-fields`.',
    'x-service-failure-limit':
      'The maximum number of failures in the response: 1,000 by default, at most 10,000.',
    'x-service-event-labels':
      'Fields to add to each event, as a JSON object. Also `x-axiom-event-labels`.',
    'x-service-batch-id': 'A batch id. Batches with the same id are stored once.',
    'content-encoding': [
      'The compression of the body.',
      { ...TEXT, enum: ['gzip', 'zstd', 'deflate', 'identity'] },
    ],
  }),
]

const INGEST: Omit<Operation, 'id'> = {
  summary: 'Ingests events. Each event is accepted or rejected individually.',
  parameters: INGEST_PARAMETERS,
  body: {
    'application/json': listOf(
      ref('Event'),
      'An array of events, or events one after the other, usually one per line. Also any `application/*+json`.',
    ),
    'application/x-ndjson': text(
      'One event per line. Also `application/ndjson` and `application/jsonl`.',
    ),
    'text/csv': text('A header line, then one event per line.'),
    'application/logplex-1': text('Frames of a log drain of Heroku.'),
  },
  response: ok('The numbers of accepted and rejected events.', ref('IngestResult')),
}

const QUERY: Omit<Operation, 'id'> = {
  summary: 'Runs an APL query.',
  parameters: [
    {
      in: 'query',
      name: 'format',
      description: 'The format of the response.',
      schema: { ...TEXT, enum: ['tabular', 'legacy'] },
      required: true,
    },
    ...parameters('query', {
      cursor: 'The same as the member `cursor` of the body.',
      nocache: '`true` has the effect of `disableCache` in `queryOptions`.',
    }),
  ],
  body: { 'application/json': ref('AplRequest') },
  response: ok(
    'The result. A tabular one whose last `summarize` is by `bin(_time, …)` or `bin_auto(_time)` has a second table `_totals`: the groups over the whole time range. Timespans are strings such as `1m20s`.',
    { oneOf: [ref('TabularResult'), ref('LegacyResult')] },
  ),
}

const USER: Omit<Operation, 'id'> = {
  summary: 'Returns the user that the token stands for.',
  response: ok('The user.', ref('User')),
}

/** The endpoints of the interface, with their descriptions. */
export const INTERFACE_ROUTES: readonly Route[] = [
  // Clients use the first path with an ingest URL, the second one with a base URL.
  {
    ...ingestRoute('POST /v1/ingest/:dataset', native),
    operation: { ...INGEST, id: 'ingest' },
  },
  {
    ...ingestRoute('POST /v1/datasets/:dataset/ingest', native),
    operation: { ...INGEST, id: 'ingestIntoDataset' },
  },
  route('POST /v1/datasets/_apl', 'query', aplQuery, { ...QUERY, id: 'query' }),
  // Clients use this path when they are configured with the URL of an edge deployment.
  route('POST /v1/query/_apl', 'query', aplQuery, { ...QUERY, id: 'queryAtEdge' }),
  route('POST /v1/datasets/_apl/check', 'query', check, {
    id: 'check',
    summary: 'Compiles an APL query without running it.',
    body: { 'application/json': ref('AplRequest') },
    response: ok('The compiled query.', ref('Check')),
  }),
  route('POST /v1/datasets/:dataset/query', 'query', legacyQuery, {
    id: 'legacyQuery',
    summary: 'Runs a legacy query.',
    parameters: parameters('query', {
      'streaming-duration':
        'The time to wait for a matching event before an empty response, such as `5s`; at most a minute.',
    }),
    body: { 'application/json': ref('LegacyRequest') },
    response: ok('The events, or their aggregations.', ref('LegacyResult')),
  }),
  ...DATASET_ROUTES,
  route('GET /v1/user', 'any', currentUser, { ...USER, id: 'currentUser' }),
  route('GET /v2/user', 'any', currentUser, { ...USER, id: 'currentUserV2' }),
  route('GET /v2/orgs', 'any', organizations, {
    id: 'organizations',
    summary: 'Lists the organization of the token.',
    response: ok('The organization.', listOf(ref('Organization'))),
  }),
  route('GET /v2/orgs/:id', 'any', organizationById, {
    id: 'organizationById',
    summary: 'Returns the organization of the token.',
    parameters: [pathParameter('id', 'The id of the organization.')],
    response: ok('The organization.', ref('Organization')),
  }),
  route('GET /v2/apl-starred-queries', 'starredQueries|read', listStarred, {
    id: 'listStarredQueries',
    summary: 'Lists saved queries.',
    parameters: parameters('query', {
      limit: ['The maximum number of results.', count('At most 1,000.')],
      offset: ['The number of results to skip.', count('From 0.')],
      dataset: 'Only queries of this dataset.',
      who: 'Only queries of this owner.',
      qs: 'Only queries that contain this string in their name or query.',
    }),
    response: ok('Saved queries, by name.', listOf(ref('StarredQueryWithId'))),
  }),
  route('POST /v2/apl-starred-queries', 'starredQueries|create', createStarred, {
    id: 'createStarredQuery',
    summary: 'Saves a query under a new id.',
    parameters: parameters('header', {
      'idempotency-key':
        'A random UUID, which becomes the id. A repeated request with the same key and body has no effect.',
    }),
    body: { 'application/json': ref('StarredQuery') },
    response: ok('The saved query.', ref('StarredQueryWithId')),
  }),
  route('GET /v2/apl-starred-queries/:id', 'starredQueries|read', getStarred, {
    id: 'getStarredQuery',
    summary: 'Returns a saved query.',
    parameters: [STARRED_ID],
    response: ok('The saved query.', ref('StarredQueryWithId')),
  }),
  route('PUT /v2/apl-starred-queries/:id', 'starredQueries|update', updateStarred, {
    id: 'updateStarredQuery',
    summary: 'Replaces a saved query.',
    parameters: [STARRED_ID],
    body: { 'application/json': ref('StarredQuery') },
    response: ok('The saved query.', ref('StarredQueryWithId')),
  }),
  route('DELETE /v2/apl-starred-queries/:id', 'starredQueries|delete', deleteStarred, {
    id: 'deleteStarredQuery',
    summary: 'Deletes a saved query.',
    parameters: [STARRED_ID],
    response: noContent('Deleted.'),
  }),
  route('GET /healthz', 'open', alive, {
    id: 'alive',
    summary: 'Liveness check.',
    response: ok('The process is alive.', ref('Health')),
  }),
  route('GET /readyz', 'open', ready, {
    id: 'ready',
    summary: 'Readiness check.',
    response: ok('The service handles requests.', ref('Readiness')),
  }),
  route('GET /metrics', 'open-on-loopback', metrics, {
    id: 'metrics',
    summary: 'Metrics in the Prometheus text format.',
    response: {
      status: 200,
      description: 'The metrics.',
      mediaType: 'text/plain',
      schema: TEXT,
    },
  }),
  route('GET /openapi.json', 'open', describe, {
    id: 'describe',
    summary: 'Returns this document.',
    response: ok('The OpenAPI 3.1 document.', { type: 'object' }),
  }),
]
