import { isUtf8 } from 'node:buffer'
import { ByteWriter } from '../../wire/bytes/byte-writer.js'
import { HEADER } from '../../wire/http/header.js'
import { mediaType, type ServiceRequest } from '../http.js'
import { RefusedError } from '../refused-error.js'
import type { Service } from '../route.js'
import { FrameReader, FramingError, type ReceivedMessage } from '../syslog/frame-reader.js'
import { SYSLOG_LIMITS } from '../syslog/messages.js'
import type { BatchPiece, DecodedBatch } from './protocol.js'

const TYPE = 'application/logplex-1'

/** Priority, version, time, host, app, process id and message id: logplex sends no structured data after them. */
const HEAD = /^<\d{1,3}>\d{1,2}(?: \S+){5} /

/** True for a request of a log drain of Heroku: frames of RFC 5424 with their lengths in front. */
export function isLogplex(request: ServiceRequest): boolean {
  return mediaType(request) === TYPE
}

/** Returns the batch id of a request: a frame that is delivered again has the same id. */
export function logplexBatchId({ headers }: ServiceRequest): { batchId?: string } {
  const frame = headers['logplex-frame-id']
  const batchId =
    headers[HEADER.batchId] || (frame && `${headers['logplex-drain-token'] ?? ''}/${frame}`)
  return batchId ? { batchId } : {}
}

/** Decodes the frames of a request. Throws a `RefusedError` for a body that has none. */
export async function* logplexPieces(
  body: AsyncIterable<Buffer>,
  { batch, service }: { readonly batch: DecodedBatch; readonly service: LogplexService },
): AsyncGenerator<BatchPiece, void> {
  if (service.loadSyslog === undefined) throw notSupported()
  const convert = await service.loadSyslog()
  const reader = new FrameReader(SYSLOG_LIMITS.messageBytes)
  const piece = (messages: Iterable<ReceivedMessage>, bodyBytes: number): BatchPiece => {
    const writer = new ByteWriter(Math.max(bodyBytes * 2, 1024))
    const extents: number[] = []
    for (const { bytes } of messages) {
      const from = writer.size
      writer.addText(withStructuredData(bytes))
      extents.push(from, writer.size)
    }
    const { lines } = convert({ bytes: writer.written, extents }, service.now())
    return { batch, lines, bodyBytes }
  }
  try {
    for await (const bytes of body) yield piece(reader.push(bytes), bytes.length)
  } catch (error) {
    if (!(error instanceof FramingError)) throw error
    throw new RefusedError('invalid-request', `The request body has no frames: ${error.message}.`)
  }
  const rest = reader.end()
  yield piece(rest === undefined ? [] : [rest], 0)
}

function notSupported(): RefusedError {
  return new RefusedError(
    'unsupported-media-type',
    `Only \`evq serve\` supports the content type \`${TYPE}\`.`,
  )
}

type LogplexService = Pick<Service, 'loadSyslog' | 'now'>

function withStructuredData(message: Buffer): string {
  const text = message.toString(isUtf8(message) ? 'utf8' : 'latin1')
  return text.replace(HEAD, '$&- ')
}
