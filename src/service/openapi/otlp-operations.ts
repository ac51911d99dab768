import { count, TEXT } from '../../wire/shape/json-schema.js'
import { type Operation, ok, type Parameter, parameter } from './operation.js'

const OTLP_PARAMETERS: readonly Parameter[] = [
  parameter('header', 'x-axiom-dataset', 'The dataset; also as `x-service-dataset`.'),
  parameter(
    'query',
    'dataset',
    'The dataset, without the header. Without both it is that of `evq serve --default-dataset`.',
  ),
]

const ERRORS = {
  'application/x-protobuf': { ...TEXT, format: 'binary', description: 'A `google.rpc.Status`.' },
  'application/json': {
    type: 'object',
    properties: { code: count('A code of gRPC.'), message: TEXT },
  },
}

function otlpOperation(operation: {
  readonly path: string
  readonly id: string
  readonly summary: string
  readonly message: string
  readonly rejected: string
}): Operation {
  const { path, id, summary, message, rejected } = operation
  const partialSuccess = {
    type: 'object',
    properties: { [rejected]: TEXT, errorMessage: TEXT },
  }
  return {
    method: 'post',
    path,
    id,
    summary: `${summary} Responses and errors have the encoding of the request.`,
    parameters: OTLP_PARAMETERS,
    body: {
      'application/x-protobuf': { ...TEXT, format: 'binary', description: `\`${message}\`.` },
      'application/json': { type: 'object', description: `\`${message}\` in JSON.` },
    },
    response: ok('All were stored, unless `partialSuccess` counts rejected ones.', {
      type: 'object',
      properties: { partialSuccess },
    }),
    refusals: [400, 413, 415],
    errors: ERRORS,
  }
}

/** The operations of OTLP/HTTP. */
export const OTLP_OPERATIONS: readonly Operation[] = [
  otlpOperation({
    path: '/v1/logs',
    id: 'otlpLogs',
    summary: 'Ingests logs by OTLP/HTTP.',
    message: 'ExportLogsServiceRequest',
    rejected: 'rejectedLogRecords',
  }),
  otlpOperation({
    path: '/v1/traces',
    id: 'otlpTraces',
    summary: 'Ingests spans by OTLP/HTTP.',
    message: 'ExportTraceServiceRequest',
    rejected: 'rejectedSpans',
  }),
  {
    method: 'post',
    path: '/v1/metrics',
    id: 'otlpMetrics',
    summary: 'Rejects metrics, which are not stored.',
    response: { status: 204, description: 'Never.' },
    refusals: [404],
    errors: ERRORS,
  },
]
