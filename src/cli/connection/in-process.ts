import type { Connection, HttpRequest, HttpResponse } from '../../client/connection.js'
import { NetworkError } from '../../client/error.js'
import { type HttpTrace, traced } from '../../client/http-trace.js'
import type { App, ServiceRequest } from '../../service/http.js'
import { orAborted } from '../../text/abort.js'
import { ChunkedBuffer } from '../../wire/bytes/chunked-buffer.js'

interface InProcessOptions {
  readonly app: App
  /** What to call the service in a message. */
  readonly name: string
  readonly observe?: HttpTrace | undefined
}

/** The host is never looked up, and shown only with what is sent. */
export const LOCAL_URL = 'http://localhost'

/** A way to the service in this process: the same requests as over a socket, without their bytes being copied through one. */
export function connectInProcess({ app, name, observe }: InProcessOptions): Connection {
  const underWay = new Map<AbortController, Promise<unknown>>()

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const url = new URL(LOCAL_URL + request.path)
    for (const [key, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(key, value)
    }
    const carryOut = () => exchange(request, url)
    if (observe === undefined) return await carryOut()
    return await traced(observe, { url, request }, carryOut)
  }

  async function exchange(request: HttpRequest, url: URL): Promise<HttpResponse> {
    const gone = new AbortController()
    const stop = (): never => {
      gone.abort()
      throw new NetworkError('stopped', `The request to ${name} was canceled.`)
    }
    if (request.signal?.aborted) return stop()
    const answered = app(serviceRequest(request, url, gone.signal))
    underWay.set(gone, answered)
    const answer = answered.finally(() => underWay.delete(gone))
    const { status, headers = {}, body } = await orAborted(answer, request.signal, stop)
    return { status, headers, body: ChunkedBuffer.of(body), url: LOCAL_URL + url.pathname }
  }

  return {
    name,
    send,
    async close() {
      for (const gone of underWay.keys()) gone.abort()
      await Promise.allSettled(underWay.values())
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
    // The service may write into what it reads, and what was sent may have to be sent again.
    body: (async function* () {
      if (body.length > 0) yield Buffer.from(body)
    })(),
    signal,
    trusted: true,
    onLoopback: true,
  }
}
