import type { IncomingMessage, ServerResponse } from 'node:http'
import { finished } from 'node:stream/promises'
import { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { singleHeaders } from '../../wire/http/header.js'
import { isLocalHost } from '../../wire/http/loopback.js'
import type { App, ServiceRequest } from '../http.js'
import { inTime } from './slow-client.js'
import type { ListenerTimeouts } from './timeouts.js'
import type { UnreadResponses } from './unread-responses.js'

export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
  /** Aborts the request: without a reason when its client disconnects, with the refusal for the client when the service stops. */
  readonly aborter: AbortController
}

interface ExchangeOptions extends Required<Pick<ServiceRequest, 'trusted' | 'onLoopback'>> {
  readonly app: App
  readonly timeouts: ListenerTimeouts
  readonly unread: UnreadResponses
  /** True when the connection is to be closed after the response. */
  readonly isClosing: () => boolean
}

/** Passes a request to the app and sends the response. Resolves when the kernel has accepted the whole response. */
export async function handleExchange(exchange: Exchange, options: ExchangeOptions): Promise<void> {
  const { incoming, outgoing, aborter } = exchange
  const { socket } = incoming
  // Most clients that end their side of the connection have closed it. An event that they sent before is stored nevertheless.
  const abort = (): void => aborter.abort()
  socket.once('end', abort)
  // Node emits `close` on a response only once the earlier responses of its connection are sent.
  socket.once('close', abort)
  outgoing.once('close', () => {
    socket.off('end', abort).off('close', abort)
    if (!outgoing.writableFinished) abort()
  })
  // A disconnect is observed through `close` above; without a listener, the error event would end the process.
  incoming.on('error', () => {})
  outgoing.on('error', () => {})
  const { trusted, timeouts } = options
  const onLoopback = options.onLoopback && isLocalName(incoming.headers.host)
  const { signal } = aborter
  const request = serviceRequest(exchange, timeouts, { signal, trusted, onLoopback })
  const response = await options.app(request)
  if (outgoing.destroyed || !socket.writable) return
  const isLast = options.isClosing() || !incoming.complete
  const body = ChunkedBuffer.of(response.body)
  outgoing.writeHead(response.status, {
    ...response.headers,
    'content-length': body.length,
    ...(isLast ? { connection: 'close' } : {}),
  })
  options.unread.add(incoming, body.length)
  await write(exchange, body, timeouts)
  options.unread.delete(incoming)
  // A client that was too slow to send its body is not given more time.
  if (!incoming.complete && response.status !== 408) await drain(incoming, timeouts)
  outgoing.end()
}

/**
 * Sends the body, and resolves when the kernel has accepted all of it. Only then can the response be ended: on shutdown, Node
 * destroys connections whose response was ended, even when most of the response is still buffered. A client that reads more slowly
 * than the minimum rate is disconnected.
 */
function write(
  { incoming: { socket }, outgoing }: Exchange,
  body: ChunkedBuffer,
  { slackMs, minBytesPerSecond }: ListenerTimeouts,
): Promise<void> {
  return new Promise((resolve) => {
    const ms = slackMs + (body.length / minBytesPerSecond) * 1000
    const deadline = setTimeout(() => outgoing.destroy(), Math.min(ms, MAX_TIMER_MS))
    const done = (): void => {
      clearTimeout(deadline)
      socket.off('close', done)
      resolve()
    }
    outgoing.cork()
    for (const piece of body.chunks.slice(0, -1)) outgoing.write(piece)
    outgoing.write(body.chunks.at(-1) ?? '', done)
    outgoing.uncork()
    socket.once('close', done)
  })
}

const MAX_TIMER_MS = 2 ** 31 - 1

function serviceRequest(
  { incoming, outgoing }: Exchange,
  { slackMs, minBytesPerSecond, streamIdleMs }: ListenerTimeouts,
  options: Pick<ServiceRequest, 'signal' | 'trusted' | 'onLoopback'>,
): ServiceRequest {
  const target = pathAndQuery(incoming.url ?? '/')
  const { remoteAddress } = incoming.socket
  const mark = target.indexOf('?')
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)),
    headers: singleHeaders(incoming.headers),
    body: {
      [Symbol.asyncIterator]() {
        // Sent when the body is read: a client that waits for it does not send a body that is refused because of the head.
        if (expectsContinue(incoming)) sendContinue(outgoing)
        // Leaving the loop early must not close the connection: the refusal still has to reach the client.
        const pieces = incoming.iterator({ destroyOnReturn: false })
        return incoming.headers['content-length'] === undefined
          ? inTime(pieces, { slackMs: streamIdleMs, earnedMs: () => Number.POSITIVE_INFINITY })
          : inTime(pieces, {
              slackMs,
              earnedMs: ({ length }) => (length / minBytesPerSecond) * 1000,
            })
      },
    },
    ...options,
    remoteAddress,
  }
}

/** True when the client waits for `100 Continue`, which HTTP/1.0 does not have. */
function expectsContinue({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '')
}

/** Sends status 100 once earlier responses of the connection are sent: before, Node would write it behind the head of this one. */
function sendContinue(outgoing: ServerResponse): void {
  if (outgoing.socket) outgoing.writeContinue()
  else outgoing.once('socket', () => outgoing.headersSent || outgoing.writeContinue())
}

/** Returns the path and query of a request target, which can be an absolute URL, as sent to proxies (RFC 9112, 3.2.2). */
function pathAndQuery(target: string): string {
  const [address = ''] = /^https?:\/\/[^/?]*/i.exec(target) ?? []
  const rest = target.slice(address.length)
  return rest.startsWith('/') || address === '' ? rest : `/${rest}`
}

/**
 * Reads and discards the rest of the body. Closing the connection immediately would reset it, and a client that has not read the
 * response yet would only see a broken pipe.
 */
async function drain(incoming: IncomingMessage, { drainMs }: ListenerTimeouts): Promise<void> {
  incoming.resume()
  await finished(incoming, { signal: AbortSignal.timeout(drainMs) }).catch(() => {})
}

/**
 * True when the `host` of a request is a local name. A web page can make a browser send requests to this machine under a domain
 * that resolves to 127.0.0.1 (DNS rebinding), but the `host` header then contains this domain.
 */
function isLocalName(host = 'localhost'): boolean {
  return isLocalHost(host.replace(/:\d*$/, ''))
}
