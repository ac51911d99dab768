import type { StarredAction } from '../../wire/http/starred.js'
import { count, listOf, ref, type Schema, TEXT, text } from './schema.js'

/** The description of one method of one path. */
export interface Operation {
  readonly method: 'get' | 'post' | 'put' | 'delete'
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly parameters?: readonly Parameter[]
  /** The request body, by media type. */
  readonly body?: Readonly<Record<string, Schema>>
  readonly answer: Answer
  /** Statuses of refusals in addition to the common ones. */
  readonly refusals?: readonly number[]
  readonly isOpen?: true
  /** The scope that an API token requires. */
  readonly scope?: `starredQueries|${StarredAction}`
}

/** The description of a successful response; without a schema it has no body. */
export interface Answer {
  readonly status: 200 | 204
  readonly description: string
  readonly mediaType?: string
  readonly schema?: Schema
}

/** A path, query or header parameter. */
export interface Parameter {
  readonly in: 'path' | 'query' | 'header'
  readonly name: string
  readonly description: string
  readonly schema: Schema
  readonly isRequired?: true
}

const dataset: Parameter = {
  in: 'path',
  name: 'dataset',
  description: 'The name of a dataset.',
  schema: { ...TEXT, pattern: '^[A-Za-z0-9]([A-Za-z0-9_.-]{0,126}[A-Za-z0-9])?$' },
  isRequired: true,
}

const starredId: Parameter = {
  in: 'path',
  name: 'id',
  description: 'The id of a starred query.',
  schema: TEXT,
  isRequired: true,
}

const INGEST_PARAMETERS: readonly Parameter[] = [
  dataset,
  parameter('query', 'timestamp-field', 'The field that holds the event time.', {
    ...TEXT,
    default: '_time',
  }),
  parameter('query', 'timestamp-format', 'How it is written, as Go would: `2006-01-02 15:04:05`.'),
  parameter('query', 'csv-delimiter', 'The character between the values of CSV.', {
    ...TEXT,
    default: ',',
    maxLength: 1,
  }),
  parameter('header', 'x-service-csv-fields', 'The names of the fields of CSV without a header.'),
  parameter(
    'header',
    'x-service-failure-limit',
    'The most failures that the response lists: 1,000 by default, 10,000 at most.',
  ),
  parameter('header', 'x-service-event-labels', 'Fields added to each event, as a JSON object.'),
  parameter('header', 'x-service-batch-id', 'Under one id a batch is stored once.'),
  parameter('header', 'content-encoding', 'How the body is packed.', {
    ...TEXT,
    enum: ['gzip', 'zstd', 'identity'],
  }),
]

/** All operations of the service. */
export const OPERATIONS: readonly Operation[] = [
  {
    method: 'post',
    path: '/v1/ingest/{dataset}',
    id: 'ingest',
    summary: 'Stores events, each for itself: some may fail.',
    parameters: INGEST_PARAMETERS,
    body: {
      'application/json': listOf(ref('Event'), 'An array of events, or one a line.'),
      'application/x-ndjson': text('An event a line.'),
      'text/csv': text('A line of names, then an event a line.'),
    },
    answer: ok('What became of the events.', ref('IngestResult')),
    refusals: [400, 413, 415, 422, 507],
  },
  {
    method: 'post',
    path: '/v1/datasets/_apl',
    id: 'query',
    summary: 'Runs an APL query.',
    parameters: [
      {
        ...parameter('query', 'format', 'The form of the answer.', {
          ...TEXT,
          enum: ['tabular', 'legacy'],
        }),
        isRequired: true,
      },
    ],
    body: { 'application/json': ref('AplRequest') },
    answer: ok('The rows.', { oneOf: [ref('TabularResult'), ref('LegacyResult')] }),
    refusals: [400, 404, 422, 432],
  },
  {
    method: 'post',
    path: '/v1/datasets/_apl/check',
    id: 'check',
    summary: 'Compiles an APL query and runs nothing.',
    body: { 'application/json': ref('AplRequest') },
    answer: ok('What the query means.', ref('Check')),
    refusals: [400, 404, 422],
  },
  {
    method: 'post',
    path: '/v1/datasets/{dataset}/query',
    id: 'legacyQuery',
    summary: 'Runs a query in its older form.',
    parameters: [dataset],
    body: { 'application/json': ref('LegacyRequest') },
    answer: ok('The events, or what they add up to.', ref('LegacyResult')),
    refusals: [400, 404, 422, 432],
  },
  {
    method: 'get',
    path: '/v1/datasets',
    id: 'listDatasets',
    summary: 'Lists the datasets.',
    answer: ok('The datasets, by name.', listOf(ref('Dataset'))),
  },
  {
    method: 'get',
    path: '/v1/datasets/_stats',
    id: 'datasetStats',
    summary: 'Tells what each dataset holds. Needs a personal token.',
    answer: ok('The datasets, by name.', listOf(ref('DatasetStats'))),
  },
  {
    method: 'get',
    path: '/v1/datasets/{dataset}/info',
    id: 'datasetInfo',
    summary: 'Tells what a dataset holds, and its fields. Needs a personal token.',
    parameters: [dataset],
    answer: ok('The dataset.', ref('DatasetInfo')),
    refusals: [404],
  },
  {
    method: 'post',
    path: '/v1/datasets/{dataset}/trim',
    id: 'trimDataset',
    summary: 'Deletes the older events of a dataset. Needs a personal token.',
    parameters: [dataset],
    body: { 'application/json': ref('Trim') },
    answer: ok('How many were deleted.', ref('Trimmed')),
    refusals: [400, 404, 422, 507],
  },
  {
    method: 'delete',
    path: '/v1/datasets/{dataset}',
    id: 'deleteDataset',
    summary: 'Deletes a dataset with all its events. Needs a personal token.',
    parameters: [dataset],
    answer: { status: 204, description: 'It is gone.' },
    refusals: [404],
  },
  {
    method: 'get',
    path: '/v2/apl-starred-queries',
    id: 'listStarredQueries',
    scope: 'starredQueries|read',
    summary: 'Lists saved queries.',
    parameters: [
      parameter('query', 'limit', 'How many at most.', count('At most 1,000.')),
      parameter('query', 'offset', 'How many to pass over.', count('From 0.')),
      parameter('query', 'dataset', 'Those of a dataset.'),
      parameter('query', 'who', 'Those of one owner.'),
      parameter('query', 'qs', 'Those with a text in their name or query.'),
    ],
    answer: ok('Saved queries, by name.', listOf(ref('StarredQueryWithId'))),
    refusals: [400],
  },
  {
    method: 'post',
    path: '/v2/apl-starred-queries',
    id: 'createStarredQuery',
    scope: 'starredQueries|create',
    summary: 'Saves a query under a new id.',
    body: { 'application/json': ref('StarredQuery') },
    answer: ok('The saved query.', ref('StarredQueryWithId')),
    refusals: [400, 422],
  },
  {
    method: 'get',
    path: '/v2/apl-starred-queries/{id}',
    id: 'getStarredQuery',
    scope: 'starredQueries|read',
    summary: 'Gives a saved query.',
    parameters: [starredId],
    answer: ok('The saved query.', ref('StarredQueryWithId')),
    refusals: [404],
  },
  {
    method: 'put',
    path: '/v2/apl-starred-queries/{id}',
    id: 'updateStarredQuery',
    scope: 'starredQueries|update',
    summary: 'Replaces the whole of a saved query.',
    parameters: [starredId],
    body: { 'application/json': ref('StarredQuery') },
    answer: ok('The saved query.', ref('StarredQueryWithId')),
    refusals: [400, 404, 422],
  },
  {
    method: 'delete',
    path: '/v2/apl-starred-queries/{id}',
    id: 'deleteStarredQuery',
    scope: 'starredQueries|delete',
    summary: 'Deletes a saved query.',
    parameters: [starredId],
    answer: { status: 204, description: 'It is gone.' },
    refusals: [404],
  },
  {
    method: 'get',
    path: '/healthz',
    id: 'alive',
    summary: 'Whether the process answers.',
    answer: ok('It does.', ref('Health')),
    isOpen: true,
  },
  {
    method: 'get',
    path: '/readyz',
    id: 'ready',
    summary: 'Whether requests are carried out.',
    answer: ok('They are.', ref('Health')),
    isOpen: true,
  },
  {
    method: 'get',
    path: '/metrics',
    id: 'metrics',
    summary: 'Numbers about the service, as Prometheus reads them.',
    answer: {
      status: 200,
      description: 'The numbers.',
      mediaType: 'text/plain',
      schema: TEXT,
    },
  },
  {
    method: 'get',
    path: '/openapi.json',
    id: 'describe',
    summary: 'This document.',
    answer: ok('The interface as OpenAPI 3.1.', { type: 'object' }),
    isOpen: true,
  },
]

function ok(description: string, schema: Schema): Answer {
  return { status: 200, description, mediaType: 'application/json', schema }
}

function parameter(
  place: Parameter['in'],
  name: string,
  description: string,
  schema: Schema = TEXT,
): Parameter {
  return { in: place, name, description, schema }
}
