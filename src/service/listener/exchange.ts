import type { IncomingMessage, ServerResponse } from 'node:http'
import { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'
import { singleHeaders } from '../../wire/http/header.js'
import type { App, ServiceRequest } from '../http.js'
import { isLocalName } from './loopback.js'
import { withMinimumRate } from './slow-client.js'
import type { ListenerTimeouts } from './timeouts.js'

/** A request as it comes in on a connection, and the answer that goes out. */
export interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

interface AnswerOptions extends Required<Pick<ServiceRequest, 'trusted' | 'onLoopback'>> {
  readonly app: App
  readonly timeouts: ListenerTimeouts
  /** Whether the connection is to be closed behind the answer. */
  readonly isClosing: () => boolean
}

/** Has the app answer a request, and sends what it says; resolves when the system has all of it. */
export async function answerRequest(
  { incoming, outgoing }: Exchange,
  options: AnswerOptions,
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  // The client going away shows as `close` above; without a listener its errors would end the process.
  incoming.on('error', () => {})
  outgoing.on('error', () => {})
  const { trusted, timeouts } = options
  const onLoopback = options.onLoopback && isLocalName(incoming.headers.host)
  const request = serviceRequest(
    { incoming, outgoing },
    { signal: gone.signal, trusted, onLoopback, timeouts },
  )
  const response = await options.app(request)
  if (outgoing.destroyed || outgoing.socket?.writable === false) return
  const isLast = options.isClosing() || !incoming.complete
  const body = ChunkedBuffer.of(response.body)
  outgoing.writeHead(response.status, {
    ...response.headers,
    'content-length': body.length,
    ...(isLast ? { connection: 'close' } : {}),
  })
  await write(outgoing, body, timeouts)
  // Who was too slow to send is not waited for once more.
  if (!incoming.complete && response.status !== 408) await drain(incoming, timeouts)
  outgoing.end()
}

/**
 * Resolves when the system has all of the body. Node's `close` destroys connections whose answer is
 * ended, even while most of it still waits to be sent: so an answer is ended only after that.
 * A client that takes it more slowly than the pace is cut off.
 */
function write(
  outgoing: ServerResponse,
  body: ChunkedBuffer,
  { slackMs: behindMs, minBytesPerSecond: paceBytesPerSecond }: ListenerTimeouts,
): Promise<void> {
  return new Promise((resolve) => {
    const ms = behindMs + (body.length / paceBytesPerSecond) * 1000
    const deadline = setTimeout(() => outgoing.destroy(), Math.min(ms, LONGEST_TIMER_MS))
    const done = (): void => {
      clearTimeout(deadline)
      resolve()
    }
    outgoing.cork()
    for (const piece of body.chunks.slice(0, -1)) outgoing.write(piece)
    outgoing.write(body.chunks.at(-1) ?? '', done)
    outgoing.uncork()
    outgoing.once('close', done)
  })
}

const LONGEST_TIMER_MS = 2 ** 31 - 1

function serviceRequest(
  { incoming, outgoing }: Exchange,
  {
    timeouts,
    ...options
  }: Pick<ServiceRequest, 'signal' | 'trusted' | 'onLoopback'> & {
    readonly timeouts: ListenerTimeouts
  },
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
        // Only now: who asks before sending does not send what is refused by the head alone.
        if (waits(incoming)) outgoing.writeContinue()
        // Leaving the loop early must not close the connection: the refusal still has to reach the client.
        return withMinimumRate(incoming.iterator({ destroyOnReturn: false }), timeouts)
      },
    },
    ...options,
    ...(remoteAddress && { remoteAddress }),
  }
}

/** Whether the client sends its body only when it is told to go on; of HTTP/1.0 none does, nor knows what it is told. */
function waits({ httpVersion, headers }: IncomingMessage): boolean {
  return httpVersion === '1.1' && /(?:^|\W)100-continue(?:$|\W)/i.test(headers.expect ?? '')
}

/** A target may also be written as a whole address (RFC 9112, 3.2.2), as clients of proxies do. */
function pathAndQuery(target: string): string {
  const [address = ''] = /^https?:\/\/[^/?]*/i.exec(target) ?? []
  const rest = target.slice(address.length)
  return rest.startsWith('/') || address === '' ? rest : `/${rest}`
}

/**
 * Reads on what the client is still sending. Closing at once would reset the connection, and a client
 * that has not read its answer by then loses it and sees only a broken pipe.
 */
async function drain(incoming: IncomingMessage, { drainMs }: ListenerTimeouts): Promise<void> {
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(resolve, drainMs)
    incoming.once('close', () => {
      clearTimeout(deadline)
      resolve()
    })
    incoming.once('end', () => {
      clearTimeout(deadline)
      resolve()
    })
    incoming.resume()
  })
}
