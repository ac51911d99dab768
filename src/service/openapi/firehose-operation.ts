import { type JsonSchema, leaf, listOf, TEXT, text } from '../../wire/shape/json-schema.js'
import { dataset, type Operation, ok, parameter } from './operation.js'

const RESULT: JsonSchema = {
  type: 'object',
  properties: {
    requestId: text('The id of the request.'),
    timestamp: leaf('integer', 'Milliseconds since 1970.'),
    errorMessage: text('The reason why the request, or some of its events, were rejected.'),
  },
  required: ['requestId', 'timestamp'],
}

/** The operation of Amazon Data Firehose. */
export const FIREHOSE_OPERATION: Operation = {
  method: 'post',
  path: '/v1/ingest/{dataset}/firehose',
  id: 'ingestFromFirehose',
  summary: 'Ingests records of Amazon Data Firehose: lines, or log events of CloudWatch.',
  parameters: [
    dataset,
    parameter('header', 'x-amz-firehose-access-key', 'The token.'),
    parameter(
      'header',
      'x-amz-firehose-request-id',
      'A batch id: requests with it are stored once.',
    ),
    parameter('header', 'x-amz-firehose-common-attributes', 'Fields to add to each event.'),
    parameter('header', 'content-encoding', 'The compression of the body.', {
      ...TEXT,
      enum: ['gzip', 'zstd', 'identity'],
    }),
  ],
  body: {
    'application/json': {
      type: 'object',
      properties: {
        requestId: TEXT,
        timestamp: { type: 'integer' },
        records: listOf({
          type: 'object',
          properties: { data: text('Base64, possibly of data compressed with gzip.') },
        }),
      },
      required: ['records'],
    },
  },
  response: ok('The events are stored.', RESULT),
  refusals: [400, 410, 413, 415, 507],
  errors: { 'application/json': RESULT },
}
