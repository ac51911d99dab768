import type { Signal } from '../../../wire/otlp/decode.js'
import { ProtobufWriter } from '../../../wire/otlp/protobuf-writer.js'
import { type FailedRequest, withRetryAfter } from '../../error-response.js'
import { jsonText, mediaType, type ServiceRequest, type ServiceResponse } from '../../http.js'

export type OtlpEncoding = 'protobuf' | 'json'

const ENCODINGS: ReadonlyMap<string, OtlpEncoding> = new Map([
  ['application/x-protobuf', 'protobuf'],
  ['application/json', 'json'],
  ['application/x-ndjson', 'json'],
])

/** Returns the encoding of a request; undefined when its content type is not one of OTLP. */
export function otlpEncoding(request: ServiceRequest): OtlpEncoding | undefined {
  return ENCODINGS.get(mediaType(request))
}

/** Records of a request that were not stored. */
interface PartialSuccess {
  readonly signal: Signal
  readonly rejected: number
  readonly message: string
}

const REJECTED_COUNT = { logs: 'rejectedLogRecords', traces: 'rejectedSpans' } as const

/** Returns the response to a request whose records were stored, except for rejected records. */
export function encodeOtlpResponse(
  encoding: OtlpEncoding,
  partial?: PartialSuccess,
): ServiceResponse {
  if (encoding === 'json') {
    const partialSuccess = partial && {
      // A 64-bit integer is a string in the JSON encoding of protobuf.
      [REJECTED_COUNT[partial.signal]]: String(partial.rejected),
      errorMessage: partial.message,
    }
    return jsonText(200, JSON.stringify({ partialSuccess }))
  }
  const writer = new ProtobufWriter(256)
  if (partial !== undefined) {
    const start = writer.beginMessage(0x0a)
    writeNumberAndText(writer, partial.rejected, partial.message)
    writer.endMessage(start)
  }
  return protobuf(200, writer.written)
}

/** The canonical codes of gRPC for the statuses of refusals; others are internal errors. */
const STATUS_CODES: Readonly<Record<number, number | undefined>> = {
  ...{ 400: 3, 403: 7, 404: 5, 405: 12, 410: 9, 413: 3, 415: 3, 422: 3, 429: 8, 503: 14 },
}
const INTERNAL = 13

/** Replacements for statuses of transient conditions after which exporters do not retry. No event of such a request was stored. */
const TRANSIENT: Readonly<Record<number, number | undefined>> = { 408: 503, 507: 503 }
const RETRY_SECONDS = 5

/** Returns the response to a request that fails: a `google.rpc.Status`. */
export function encodeOtlpError(
  { body, retryAfterSeconds }: FailedRequest,
  request: ServiceRequest,
): ServiceResponse {
  const status = TRANSIENT[body.code] ?? body.code
  const seconds = retryAfterSeconds ?? (status === 503 ? RETRY_SECONDS : undefined)
  const code = STATUS_CODES[status] ?? INTERNAL
  const response =
    otlpEncoding(request) === 'protobuf'
      ? protobuf(status, statusMessage(code, body.message))
      : jsonText(status, JSON.stringify({ code, message: body.message }))
  return withRetryAfter(response, seconds)
}

function statusMessage(code: number, message: string): Buffer {
  const writer = new ProtobufWriter(256)
  writeNumberAndText(writer, code, message)
  return writer.written
}

/** Writes field 1, an integer, and field 2, a string. */
function writeNumberAndText(writer: ProtobufWriter, number: number, text: string): void {
  writer.varint(0x08)
  writer.varint(number)
  writer.varint(0x12)
  writer.delimited(Buffer.from(text))
}

function protobuf(status: number, body: Buffer): ServiceResponse {
  return { status, headers: { 'content-type': 'application/x-protobuf' }, body }
}
