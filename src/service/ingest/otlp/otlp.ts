import type { BatchOutcome } from '../../../engine/batch.js'
import { formatInteger } from '../../../text/integer.js'
import { OtlpDecoder, type Signal } from '../../../wire/otlp/decode.js'
import { DEFINED_FIELDS } from '../../../wire/otlp/defined-fields.js'
import { jsonToProtobufInSteps } from '../../../wire/otlp/json.js'
import { OtlpError } from '../../../wire/otlp/part.js'
import { wholeBody } from '../../body/json-body.js'
import type { ServiceRequest, ServiceResponse } from '../../http.js'
import { invalidRequest, RefusedError } from '../../refused-error.js'
import { type Route, route } from '../../route.js'
import {
  type BatchPiece,
  type DecodedBatch,
  type DecodingSteps,
  type IngestProtocol,
  outcomesOf,
} from '../protocol.js'
import { targetDataset } from '../target-dataset.js'
import {
  encodeOtlpError,
  encodeOtlpResponse,
  type OtlpEncoding,
  otlpEncoding,
} from './otlp-response.js'

/** `POST /v1/logs` of OTLP/HTTP: each log record is an event. */
export const otlpLogs = otlp('logs')

/** `POST /v1/traces` of OTLP/HTTP: each span is an event. */
export const otlpTraces = otlp('traces')

/** `POST /v1/metrics`: refused, but exporters that are configured for all signals call it, too. */
export const otlpMetrics: Route = {
  ...route('POST /v1/metrics', 'ingest', async () => {
    throw new RefusedError(
      'not-found',
      'Metrics are not stored, only logs (`/v1/logs`) and traces (`/v1/traces`). Remove this exporter from the metrics pipelines.',
    )
  }),
  encodeError: encodeOtlpError,
}

const RECORDS = { logs: 'log records', traces: 'spans' } as const

function otlp(signal: Signal): IngestProtocol {
  return {
    name: 'otlp',
    encodeError: encodeOtlpError,
    decode(call, service) {
      const encoding = requiredEncoding(call.request)
      const batch: DecodedBatch = {
        dataset: targetDataset(call, service),
        timestampField: '_time',
        definedFields: DEFINED_FIELDS[signal],
      }
      return {
        // Messages are decoded as a whole: the attributes of a resource may follow its events.
        async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
          yield decodeMessage(await wholeBody(body), { batch, signal, encoding })
        },
        encode: (results) => encoded(outcomesOf(results)[0], { signal, encoding }),
      }
    },
  }
}

function requiredEncoding(request: ServiceRequest): OtlpEncoding {
  const encoding = otlpEncoding(request)
  if (encoding !== undefined) return encoding
  const type = request.headers['content-type']
  throw new RefusedError(
    'unsupported-media-type',
    `${type === undefined ? 'The request has no content type' : `The content type \`${type}\` is not supported`}. Supported types: \`application/x-protobuf\`, \`application/json\`.`,
  )
}

function* decodeMessage(
  body: Buffer,
  { batch, signal, encoding }: { batch: DecodedBatch; signal: Signal; encoding: OtlpEncoding },
): Generator<BatchPiece | undefined, void> {
  yield { batch, lines: Buffer.alloc(0), bodyBytes: body.length }
  try {
    const message = encoding === 'json' ? yield* jsonToProtobufInSteps(body, signal) : body
    for (const lines of new OtlpDecoder(signal).decode(message)) {
      yield lines && { batch, lines, bodyBytes: 0 }
    }
  } catch (error) {
    throw error instanceof OtlpError ? refusal(error, signal) : error
  }
}

function refusal({ message, reason }: OtlpError, signal: Signal): RefusedError {
  return reason === 'too-large'
    ? new RefusedError('too-large', `The request is too large: ${message}. Send smaller requests.`)
    : invalidRequest(`The request body is not a valid export request of ${signal}: ${message}.`)
}

function encoded(
  outcome: BatchOutcome | undefined,
  { signal, encoding }: { readonly signal: Signal; readonly encoding: OtlpEncoding },
): ServiceResponse {
  const { failed = 0, ingested = 0, rejected: [first] = [] } = outcome ?? {}
  if (failed === 0) return encodeOtlpResponse(encoding)
  const all = `${formatInteger(failed)} of ${formatInteger(failed + ingested)} ${RECORDS[signal]}`
  const reason = first === undefined ? '' : ` The first, at index ${first.index}: ${first.reason}.`
  const message = `${all} were rejected.${reason}`
  return encodeOtlpResponse(encoding, { signal, rejected: failed, message })
}
