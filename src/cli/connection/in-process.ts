import type { HttpTrace } from '../../client/address.js'
import type { Connection, HttpRequest, HttpResponse } from '../../client/connection.js'
import { NetworkError } from '../../client/error.js'
import { locate } from '../../client/http.js'
import type { App, ServiceRequest } from '../../service/http.js'
import { orAborted } from '../../text/abort.js'
import { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'

interface InProcessOptions {
  readonly app: App
  /** The name of the service in messages. */
  readonly name: string
  readonly observe?: HttpTrace | undefined
}

/** The base URL of the local service. The host is never resolved. */
export const LOCAL_URL = 'http://localhost'

/** Returns a connection to the service in this process, which receives the same requests as over a socket. */
export function connectInProcess({ app, name, observe }: InProcessOptions): Connection {
  const inFlight = new Map<AbortController, Promise<unknown>>()

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const url = locate({ name, url: LOCAL_URL }, request)
    const perform = () => exchange(request, url)
    return await (observe?.({ url, request }, perform) ?? perform())
  }

  async function exchange(request: HttpRequest, url: URL): Promise<HttpResponse> {
    const disconnected = new AbortController()
    const stop = (): never => {
      disconnected.abort()
      throw new NetworkError('stopped', `The request to ${name} was canceled.`)
    }
    if (request.signal?.aborted) return stop()
    const handled = app(serviceRequest(request, url, disconnected.signal))
    inFlight.set(disconnected, handled)
    const response = handled.finally(() => inFlight.delete(disconnected))
    const { status, headers = {}, body } = await orAborted(response, request.signal, stop)
    return { status, headers, body: ChunkedBuffer.of(body), url: LOCAL_URL + url.pathname }
  }

  return {
    name,
    send,
    async close() {
      for (const disconnected of inFlight.keys()) disconnected.abort()
      await Promise.allSettled(inFlight.values())
    },
  }
}

function serviceRequest(request: HttpRequest, url: URL, signal: AbortSignal): ServiceRequest {
  const { method, headers, body = '' } = request
  return {
    method,
    path: url.pathname,
    query: url.searchParams,
    headers: { ...headers, 'content-length': String(Buffer.byteLength(body)) },
    body: (async function* () {
      if (body.length > 0) yield typeof body === 'string' ? Buffer.from(body) : body
    })(),
    keepsBody: true,
    signal,
    trusted: true,
    onLoopback: true,
  }
}
