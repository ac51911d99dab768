import { ProtobufError } from '../../../wire/bytes/protobuf-reader.js'
import { bodyTooLarge, wholeBody, wholeText } from '../../body/json-body.js'
import { withRetryAfter } from '../../error-response.js'
import { mediaType, plainText, type ServiceResponse } from '../../http.js'
import { invalidRequest } from '../../refused-error.js'
import { eventPieces } from '../labeled-line.js'
import {
  type BatchResult,
  type DecodedBatch,
  type DecodingSteps,
  type IngestProtocol,
  outcomeOf,
} from '../protocol.js'
import { targetDataset } from '../target-dataset.js'
import { jsonEntries } from './loki-json.js'
import { protobufEntries, protobufMessage } from './loki-protobuf.js'

/**
 * `POST /loki/api/v1/push`: streams of lines with labels, as JSON or as Protocol Buffers compressed with Snappy. Labels and
 * metadata become fields. Responses have the form of Loki's: 204, or an error as plain text.
 */
export const loki: IngestProtocol = {
  name: 'loki',
  // Some clients declare Snappy, which is part of the format, as the content encoding.
  ownEncodings: ['snappy'],
  decode(call, service) {
    const batch: DecodedBatch = { dataset: targetDataset(call, service), timestampField: '_time' }
    const isJson = mediaType(call.request) === 'application/json'
    const { bodyBytes: limitBytes } = service.limits
    return {
      async *decodeBody(body): AsyncGenerator<DecodingSteps, void> {
        if (isJson) {
          const bytes = await wholeText(body)
          yield eventPieces(jsonEntries(bytes.toString()), { batch, bodyBytes: bytes.length })
          return
        }
        const message = await protobufMessage(await wholeBody(body), limitBytes)
        if (message === undefined) throw bodyTooLarge(limitBytes)
        yield eventPieces(entries(message), { batch, bodyBytes: message.length })
      },
      encode,
    }
  },
  encodeError: ({ body, retryAfterSeconds }) =>
    withRetryAfter(plainText(body.code, body.message), retryAfterSeconds),
}

function* entries(message: Buffer): Generator<string | undefined, void> {
  try {
    yield* protobufEntries(message)
  } catch (error) {
    if (!(error instanceof ProtobufError)) throw error
    throw invalidRequest(
      `The body is neither a push request of Loki in Protocol Buffers nor one compressed with Snappy: ${error.message}.`,
    )
  }
}

function encode(results: readonly BatchResult[]): ServiceResponse {
  const { ingested, failed, rejected } = outcomeOf(results)
  if (failed === 0) return { status: 204, body: '' }
  const [first] = rejected
  // As in Loki, the other events are stored, and the client must not repeat the request.
  return plainText(
    400,
    `${failed} of ${ingested + failed} events were rejected, and ${ingested} stored. The first one, entry ${(first?.index ?? 0) + 1} of the request: ${first?.reason ?? 'unknown'}`,
  )
}
