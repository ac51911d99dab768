import { listOf, TEXT, text } from '../../wire/shape/json-schema.js'
import { type Operation, parameter } from './operation.js'

const PUSH: Omit<Operation, 'path' | 'id'> = {
  method: 'post',
  summary: 'Ingests streams of lines, as Loki does. Labels become fields.',
  parameters: [
    parameter('header', 'x-axiom-dataset', 'The dataset.'),
    parameter('query', 'dataset', 'The dataset, unless a header names it.'),
    parameter(
      'header',
      'x-scope-orgid',
      'The tenant: the dataset, if the request does not name one otherwise.',
    ),
    parameter('header', 'content-encoding', 'The compression of the body.', {
      ...TEXT,
      enum: ['gzip', 'zstd', 'snappy', 'identity'],
    }),
  ],
  body: {
    'application/json': {
      type: 'object',
      properties: {
        streams: listOf({
          type: 'object',
          properties: {
            stream: { type: 'object', additionalProperties: TEXT },
            values: listOf({ type: 'array' }, 'The time in nanoseconds, the line, and metadata.'),
          },
        }),
      },
    },
    'application/x-protobuf': text('A `PushRequest`, compressed with Snappy.'),
  },
  response: { status: 204, description: 'All events are stored.' },
  refusals: [400, 413, 415, 507],
  errors: { 'text/plain': TEXT },
}

/** The operations of Loki. */
export const LOKI_OPERATIONS: readonly Operation[] = [
  { ...PUSH, path: '/loki/api/v1/push', id: 'pushToLoki' },
  { ...PUSH, path: '/api/prom/push', id: 'pushToOldLoki' },
]
