import { isUtf8 } from 'node:buffer'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { HEADER } from '../../wire/http/header.js'
import { mediaType, type ServiceRequest } from '../http.js'
import { RefusedError } from '../refused-error.js'
import type { Service } from '../route.js'
import { FrameReader, FramingError, type ReceivedMessage } from '../syslog/frame-reader.js'
import { SYSLOG_LIMITS, type SyslogMessages } from '../syslog/messages.js'
import type { DecodedBatch, DecodingSteps } from './protocol.js'

const TYPE = 'application/logplex-1'

/** Priority, version, time, host, app, process id and message id: logplex sends no structured data after them. */
const HEAD = /^<\d{1,3}>\d{1,2}(?: \S+){5} /

/** True for a request of a log drain of Heroku: messages of RFC 5424, each preceded by its length. */
export function isLogplex(request: ServiceRequest): boolean {
  return mediaType(request) === TYPE
}

/** Returns the batch id of a request: a request that is delivered again has the same frame id. */
export function logplexBatchId({ headers }: ServiceRequest): { batchId?: string } {
  const frame = headers['logplex-frame-id']
  const batchId =
    headers[HEADER.batchId] || (frame && `${headers['logplex-drain-token'] ?? ''}/${frame}`)
  return batchId ? { batchId } : {}
}

/** The length of messages that are converted in one step. */
const STEP_BYTES = 16 * 1024

/** Decodes the frames of a request. Throws a `RefusedError` for a body that does not consist of frames. */
export async function* logplexPieces(
  body: AsyncIterable<Buffer>,
  { batch, service }: { readonly batch: DecodedBatch; readonly service: LogplexService },
): AsyncGenerator<DecodingSteps, void> {
  if (service.loadSyslog === undefined) throw notSupported()
  const convert = await service.loadSyslog()
  const reader = new FrameReader(SYSLOG_LIMITS.messageBytes)
  const options = {
    batch,
    toLines: (messages: SyslogMessages) => convert(messages, service.now()).lines,
  }
  for await (const bytes of body) yield piecesOf(reader.push(bytes), bytes.length, options)
  const rest = reader.end()
  yield piecesOf(rest === undefined ? [] : [rest], 0, options)
}

/** Converts the messages of a part of the body, one message per step. */
function* piecesOf(
  messages: Iterable<ReceivedMessage>,
  bodyBytes: number,
  { batch, toLines }: { readonly batch: DecodedBatch; toLines(messages: SyslogMessages): Buffer },
): DecodingSteps {
  let writer = new ByteWriter(2 * STEP_BYTES)
  let extents: number[] = []
  try {
    for (const { bytes } of messages) {
      const from = writer.size
      writer.addText(withStructuredData(bytes))
      extents.push(from, writer.size)
      if (writer.size < STEP_BYTES) {
        yield undefined
        continue
      }
      yield { batch, lines: toLines({ bytes: writer.written, extents }), bodyBytes: 0 }
      writer = new ByteWriter(2 * STEP_BYTES)
      extents = []
    }
  } catch (error) {
    if (!(error instanceof FramingError)) throw error
    throw new RefusedError('invalid-request', `The request body has no frames: ${error.message}.`)
  }
  yield { batch, lines: toLines({ bytes: writer.written, extents }), bodyBytes }
}

function notSupported(): RefusedError {
  return new RefusedError(
    'unsupported-media-type',
    `Only \`evq serve\` supports the content type \`${TYPE}\`.`,
  )
}

type LogplexService = Pick<Service, 'loadSyslog' | 'now'>

/** Inserts `-`, the mark for absent structured data, which the parser requires. */
function withStructuredData(message: Buffer): string {
  const text = message.toString(isUtf8(message) ? 'utf8' : 'latin1')
  return text.replace(HEAD, '$&- ')
}
