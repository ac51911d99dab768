import { readyText } from '../health.js'
import { type Route, route } from '../route.js'
import { elasticRoutes } from './elastic/routes.js'
import { firehose } from './firehose.js'
import { HEC_ROUTES } from './hec/routes.js'
import { loki } from './loki/loki.js'
import { otlpLogs, otlpMetrics, otlpTraces } from './otlp/otlp.js'
import { ingestRoute } from './store-events.js'

/** An API of another vendor, whose clients send events to the service. The vendor's documentation describes its requests. */
interface ForeignApi {
  readonly name: string
  readonly documentation: string
  /** The configuration of clients and its effect in the service, for OpenAPI and `evq help service`. */
  readonly summary: string
  /** A scheme of `Authorization`, other than `Bearer` and `Basic`, in which clients send the token. */
  readonly scheme?: string
  /** Returns the token in the credentials of the scheme; by default all of them. */
  tokenIn?(credentials: string): string | undefined
  /** Another header in which clients send the token. */
  readonly tokenHeader?: string
  readonly routes: readonly Route[]
}

export const FOREIGN_APIS: readonly ForeignApi[] = [
  {
    name: 'OTLP/HTTP',
    documentation: 'https://opentelemetry.io/docs/specs/otlp/#otlphttp',
    summary:
      'logs and traces at `/v1/logs` and `/v1/traces`, in protobuf or JSON, compressed with gzip or zstd; OTLP/gRPC and metrics are refused. The header `x-axiom-dataset` names the dataset.',
    routes: [
      ingestRoute('POST /v1/logs', otlpLogs),
      ingestRoute('POST /v1/traces', otlpTraces),
      otlpMetrics,
    ],
  },
  {
    name: 'Elasticsearch',
    documentation: 'https://www.elastic.co/docs/api/doc/elasticsearch/operation/operation-bulk',
    summary:
      'bulk requests and single documents at `/`, as in `/_bulk`, where the dataset is the index without a date at its end, or `--default-dataset`; or at `/v1/ingest/<dataset>/elastic`. An `_id` is stored as a field.',
    scheme: 'ApiKey',
    tokenIn: apiKeyToken,
    routes: [...elasticRoutes(''), ...elasticRoutes('/v1/ingest/:dataset/elastic')],
  },
  {
    name: "Splunk's HTTP Event Collector",
    documentation:
      'https://docs.splunk.com/Documentation/Splunk/latest/Data/UsetheHTTPEventCollector',
    summary:
      'envelopes at `/services/collector`, and raw lines at `/services/collector/raw`. The dataset is the index, else the only one that the token may ingest into, else `--default-dataset`. There are no acknowledgements by channel: events are stored before the response.',
    scheme: 'Splunk',
    routes: HEC_ROUTES,
  },
  {
    name: 'Loki',
    documentation: 'https://grafana.com/docs/loki/latest/reference/loki-http-api/#ingest-logs',
    summary:
      'streams of lines at `/loki/api/v1/push` or `/api/prom/push`, OTLP at `/otlp/v1/logs`, and a readiness check at `/ready`. Labels become fields. The dataset is named by the header `x-axiom-dataset` or the parameter `dataset`, else it is the tenant (`x-scope-orgid`), else `--default-dataset`.',
    routes: [
      route('GET /ready', 'open', readyText),
      ingestRoute('POST /loki/api/v1/push', loki),
      ingestRoute('POST /api/prom/push', loki),
      ingestRoute('POST /otlp/v1/logs', otlpLogs),
    ],
  },
  {
    name: 'Amazon Data Firehose',
    documentation:
      'https://docs.aws.amazon.com/firehose/latest/dev/httpdeliveryrequestresponse.html',
    summary:
      'lines, JSON objects and log events of CloudWatch at `/v1/ingest/<dataset>/firehose`. The access key is the token; the id of a request is its batch id.',
    tokenHeader: 'x-amz-firehose-access-key',
    routes: [ingestRoute('POST /v1/ingest/:dataset/firehose', firehose)],
  },
]

/** The schemes of `Authorization` of these APIs. */
export const FOREIGN_SCHEMES = FOREIGN_APIS.flatMap(({ scheme }) => scheme ?? [])

/** `<id>:<token>` in base64, as Elasticsearch's clients send it, or the token itself: no token is valid base64. */
function apiKeyToken(credentials: string): string {
  const isBase64 = /^[A-Za-z0-9+/]+={0,2}$/.test(credentials)
  const decoded = isBase64 ? Buffer.from(credentials, 'base64').toString() : ''
  const [, token] = /^[^:]*:(.*)$/s.exec(decoded) ?? []
  return token ?? credentials
}
