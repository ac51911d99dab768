import { HEADER } from '../../wire/http/header.js'
import { mediaType, type ServiceRequest } from '../http.js'
import { invalidRequest, RefusedError } from '../refused-error.js'
import type { Service } from '../route.js'
import { FrameReader, FramingError, type ReceivedMessage } from '../syslog/frame-reader.js'
import { MessageStep, SYSLOG_LIMITS, type SyslogMessages } from '../syslog/messages.js'
import type { DecodedBatch, DecodingSteps } from './protocol.js'

const TYPE = 'application/logplex-1'

/** The mark for absent structured data, which the parser requires and logplex leaves out. */
const NO_STRUCTURED_DATA = Buffer.from('- ')

/** The priority, the version, and five words: time, host, app, process id and message id. */
const HEAD = /^<\d{1,3}>\d{1,2}(?: [^ ]+){5} /
/** More than the words of a head may have (RFC 5424, 6). */
const HEAD_BYTES = 1024

/** True for a request of a log drain of Heroku: messages of RFC 5424, each preceded by its length. */
export function isLogplex(request: ServiceRequest): boolean {
  return mediaType(request) === TYPE
}

/** Returns the batch id of a request: a request that is delivered again has the same frame id. */
export function logplexBatchId({ headers }: ServiceRequest): string | undefined {
  const frame = headers['logplex-frame-id']
  const ofFrame = frame && `${headers['logplex-drain-token'] ?? ''}/${frame}`
  return headers[HEADER.batchId] || ofFrame || undefined
}

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
  let step = new MessageStep()
  try {
    for (const { bytes } of messages) {
      const [head = ''] = HEAD.exec(bytes.toString('latin1', 0, HEAD_BYTES)) ?? []
      const end = head.length
      if (end === 0) step.add(bytes)
      else step.add(bytes.subarray(0, end), NO_STRUCTURED_DATA, bytes.subarray(end))
      if (step.hasRoom(0)) {
        yield undefined
        continue
      }
      yield { batch, lines: toLines(step), bodyBytes: 0 }
      step = new MessageStep()
    }
  } catch (error) {
    if (!(error instanceof FramingError)) throw error
    throw invalidRequest(`The request body has no frames: ${error.message}.`)
  }
  yield { batch, lines: toLines(step), bodyBytes }
}

function notSupported(): RefusedError {
  return new RefusedError(
    'unsupported-media-type',
    `Only \`evq serve\` supports the content type \`${TYPE}\`.`,
  )
}

type LogplexService = Pick<Service, 'loadSyslog' | 'now'>
