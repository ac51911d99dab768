import { type JsonSchema, leaf, TEXT, text } from '../../wire/shape/json-schema.js'
import { type Operation, ok, type Parameter, parameter } from './operation.js'

const STATUS: JsonSchema = {
  type: 'object',
  properties: {
    text: TEXT,
    code: leaf('integer', "Splunk's code: 0 for success."),
    'invalid-event-number': leaf('integer', 'The position of the first rejected event, from 0.'),
    message: TEXT,
  },
  required: ['text', 'code'],
}

const HEC = { errors: { 'application/json': STATUS } } satisfies Partial<Operation>

const PARAMETERS: readonly Parameter[] = [
  parameter('query', 'index', 'The dataset.'),
  ...['host', 'source', 'sourcetype'].map((name) =>
    parameter('query', name, `The field \`${name}\` of the events.`),
  ),
]

/** The operations of Splunk's HTTP Event Collector. */
export const HEC_OPERATIONS: readonly Operation[] = [
  ...[
    ['', 'Collector'],
    ['/event', 'CollectorEvent'],
    ['/event/1.0', 'CollectorEventVersioned'],
  ].flatMap(([path, id]) =>
    ingest(`/services/collector${path}`, `${id}`, {
      summary: 'Ingests events in envelopes, as the HTTP Event Collector does.',
      body: {
        'application/json': {
          type: 'object',
          description: 'One envelope after the other, or an array.',
          properties: {
            event: { description: 'An object with fields, or the field `_raw`.' },
            fields: { type: 'object', description: 'More fields.' },
            time: { description: 'Seconds or milliseconds since 1970, or a time of RFC 3339.' },
            index: text('The dataset, unless the query names it.'),
            host: TEXT,
            source: TEXT,
            sourcetype: TEXT,
          },
        },
      },
    }),
  ),
  ...[
    ['/raw', 'CollectorRaw'],
    ['/raw/1.0', 'CollectorRawVersioned'],
  ].flatMap(([path, id]) =>
    ingest(`/services/collector${path}`, `${id}`, {
      summary: 'Ingests lines of text as events with the field `_raw`.',
      body: {
        'text/plain': text('One event per line.'),
        'application/json': text('One event per line, or one object.'),
      },
    }),
  ),
  ...[
    ['/health', 'collectorHealth'],
    ['/health/1.0', 'collectorHealthVersioned'],
  ].map(
    ([path, id]): Operation => ({
      ...HEC,
      method: 'get',
      path: `/services/collector${path}`,
      id: `${id}`,
      summary: 'Liveness check of the HTTP Event Collector.',
      response: ok('Events are accepted.', STATUS),
      isOpen: true,
    }),
  ),
  ...[
    ['/ack', 'collectorAck'],
    ['/ack/1.0', 'collectorAckVersioned'],
  ].map(
    ([path, id]): Operation => ({
      ...HEC,
      method: 'post',
      path: `/services/collector${path}`,
      id: `${id}`,
      summary: 'Refused with code 14: acknowledgements by channel are not enabled.',
      body: { 'application/json': { type: 'object' } },
      response: ok('Never sent.', STATUS),
      refusals: [400],
    }),
  ),
]

function ingest(
  path: string,
  id: string,
  about: Pick<Operation, 'summary' | 'body'>,
): readonly Operation[] {
  return [
    {
      ...HEC,
      ...about,
      method: 'post',
      path,
      id: `ingestBy${id}`,
      parameters: PARAMETERS,
      response: ok('All events are stored.', STATUS),
      refusals: [400, 401, 413, 415, 422, 507],
    },
    {
      method: 'options',
      path,
      id: `probe${id}`,
      summary: "Connection test of Docker's logging driver.",
      response: ok('Events are accepted.', { type: 'object' }),
      isOpen: true,
    },
  ]
}
