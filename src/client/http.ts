import { setMaxListeners } from 'node:events'
import type { IncomingHttpHeaders } from 'node:http'
import type { buildConnector, Dispatcher } from 'undici'
import { deferred } from '../text/deferred.js'
import { HEADER, type HeaderNames, singleHeaders } from '../wire/http/header.js'
import type { HttpAddress } from './address.js'
import { compilingOnce } from './compile-once.js'
import type { Connection, HttpRequest, HttpResponse } from './connection.js'
import { NetworkError, type NetworkErrorContext, networkError, seconds } from './error.js'
import { PROGRESS_BYTES, TIMEOUTS } from './limits.js'
import { openProxy } from './proxy.js'
import { redaction } from './redaction.js'
import { responseBody } from './response-body.js'
import { secretsOf, withoutSecrets } from './secrets.js'

/** Returns a connection over HTTP. The network is not used before the first request. */
export function connectHttp(address: HttpAddress): Connection {
  const timeouts = { ...TIMEOUTS, ...address.timeouts }
  const hereOf = new Map(namesOf(address).map(([here, there]) => [there, here]))
  const redact = redaction(secretsOf(address))
  const { name } = address
  const pools = new Map<string, Promise<Dispatcher>>()

  function pool(origin: string): Promise<Dispatcher> {
    const existing = pools.get(origin)
    if (existing !== undefined) return existing
    const opened = openDispatcher(origin, address, timeouts.connectMs)
    pools.set(origin, opened)
    return opened
  }

  async function send(request: HttpRequest): Promise<HttpResponse> {
    const { url, headers } = addressed(address, request)
    const outgoing = { ...request, headers }
    const { purpose } = request
    const opened = await pool(url.origin)
    const proxy = address.proxyTo?.(url.origin)
    const carryOut = () =>
      withoutSecrets(new Exchange(outgoing, { url, timeouts, name, proxy }).carryOut(opened), {
        purpose,
        redact,
      })
    const response = await (address.trace?.({ url, request: outgoing }, carryOut) ?? carryOut())
    return {
      ...response,
      headers: renamed(response.headers, hereOf),
      credential: address.token?.origin,
    }
  }

  async function close(): Promise<void> {
    const opened = await Promise.allSettled(pools.values())
    pools.clear()
    await Promise.all(opened.map((one) => one.status === 'fulfilled' && one.value.destroy()))
  }

  return { name, send, close }
}

/** Opens the connection pool for an origin: to a socket, over the network, or through a proxy. */
async function openDispatcher(
  origin: string,
  { socketPath, ca, proxyTo, userAgent }: HttpAddress,
  connectMs: number,
): Promise<Dispatcher> {
  const connect = { timeout: connectMs, ...(ca !== undefined && { ca: await trusted(ca) }) }
  const uri = proxyTo?.(origin)
  return uri === undefined
    ? await openPool(origin, { ...connect, socketPath })
    : await openProxy({
        uri,
        connectMs,
        ...(userAgent && { headers: { 'user-agent': userAgent } }),
        requestTls: connect,
        proxyTls: connect,
        // Many proxies allow tunnels to the HTTPS port only.
        proxyTunnel: origin.startsWith('https:'),
      })
}

async function openPool(origin: string, options: buildConnector.BuildOptions): Promise<Dispatcher> {
  const { default: Pool } = await import('undici/lib/dispatcher/pool.js')
  const { default: connector } = await import('undici/lib/core/connect.js')
  return new Pool(origin, { connect: compilingOnce(connector(options)) })
}

/** Returns the certificates to trust. A list replaces Node's default certificates, so it must contain them. */
async function trusted(ca: string): Promise<string[]> {
  const { rootCertificates } = await import('node:tls')
  return [...rootCertificates, ca]
}

/** Returns the URL and the headers of a request as they are sent. */
export function addressed(
  address: HttpAddress,
  request: HttpRequest,
): { readonly url: URL; readonly headers: Readonly<Record<string, string>> } {
  const headers = {
    ...(address.userAgent && { 'user-agent': address.userAgent }),
    ...(address.token !== undefined && { authorization: `Bearer ${address.token.text}` }),
    ...(address.organizationId && { [HEADER.organization]: address.organizationId }),
    ...request.headers,
  }
  return { url: locate(address, request), headers: renamed(headers, new Map(namesOf(address))) }
}

/** Returns the URL of a request. */
export function locate({ url, ingestUrl }: HttpAddress, request: HttpRequest): URL {
  const base = request.purpose === 'ingest' ? (ingestUrl ?? url) : url
  const located = new URL(base.replace(/\/+$/, '') + request.path)
  for (const [name, value] of Object.entries(request.query ?? {})) {
    if (value !== undefined) located.searchParams.set(name, value)
  }
  return located
}

interface ExchangeContext extends Omit<NetworkErrorContext, 'wasSent'> {
  readonly url: URL
}

/** A request in flight. */
class Exchange implements Dispatcher.DispatchHandler {
  private readonly outcome = deferred<HttpResponse>()
  private readonly request: HttpRequest
  private readonly context: ExchangeContext
  private wasSent = false
  private head: Pick<HttpResponse, 'status' | 'headers'> = { status: 0, headers: {} }
  private body: ReturnType<typeof responseBody>
  private abort: ((reason: Error) => void) | undefined
  private endWatch: (() => void) | undefined

  constructor(request: HttpRequest, context: ExchangeContext) {
    this.request = request
    this.context = context
    this.body = responseBody(0, request.purpose)
  }

  /** Sends the request, once; resolves with the response. */
  async carryOut(dispatcher: Dispatcher): Promise<HttpResponse> {
    const { request, outcome } = this
    const { url, timeouts } = this.context
    if (request.signal?.aborted) {
      this.stop()
      return outcome.promise
    }
    // Each request in flight adds a listener; Node would warn of a leak on the terminal.
    if (request.signal !== undefined) setMaxListeners(0, request.signal)
    request.signal?.addEventListener('abort', this.stop, { once: true })
    dispatcher.dispatch(
      {
        origin: url.origin,
        method: request.method,
        path: url.pathname + url.search,
        headers: { ...request.headers },
        body: request.body ?? null,
        headersTimeout: timeouts.responseMs,
        // `watchProgress` also detects pauses.
        bodyTimeout: 0,
      },
      this,
    )
    return outcome.promise
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    if (this.request.signal?.aborted) {
      controller.abort(new Error('canceled'))
      return
    }
    this.wasSent = true
    this.abort = (reason) => controller.abort(reason)
  }

  onResponseStart(_: unknown, status: number, headers: IncomingHttpHeaders): void {
    const { name, timeouts } = this.context
    this.head = { status, headers: singleHeaders(headers) }
    this.body = responseBody(status, this.request.purpose)
    this.endWatch?.()
    this.endWatch = watchProgress({ ...timeouts, length: this.body.length }, () =>
      this.end(stalledError(name, timeouts.idleMs)),
    )
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    this.body.add(chunk)
    if (!this.body.isTooLong()) return
    this.onResponseEnd()
    controller.abort(new Error('The response is too long.'))
  }

  onResponseEnd(): void {
    const { url } = this.context
    this.settled()
    try {
      const body = this.body.whole()
      this.outcome.resolve({ ...this.head, body, url: url.origin + url.pathname })
    } catch (error) {
      this.outcome.reject(error)
    }
  }

  onResponseError(_: unknown, cause: Error): void {
    this.settled()
    this.outcome.reject(networkError(cause, { ...this.context, wasSent: this.wasSent }))
  }

  private readonly stop = (): void => {
    this.end(new NetworkError('stopped', `The request to ${this.context.name} was canceled.`))
  }

  private end(error: NetworkError): void {
    this.abort?.(error)
    this.onResponseError(undefined, error)
  }

  private settled(): void {
    this.endWatch?.()
    this.request.signal?.removeEventListener('abort', this.stop)
  }
}

/** The number of parts of a timeout. A process that was stopped for a long time misses only one part. */
const PARTS = 4

/**
 * Calls `stalled` when too little of a response arrives within the timeout; a timeout of 0 is unlimited. Returns a function that ends
 * the watch.
 */
export function watchProgress(
  { idleMs, length }: { readonly idleMs: number; readonly length: () => number },
  stalled: () => void,
): () => void {
  if (idleMs === 0) return () => {}
  let before = 0
  let parts = 0
  const timer = setInterval(() => {
    const now = length()
    if (now - before >= PROGRESS_BYTES) {
      before = now
      parts = 0
    } else if (++parts === PARTS) stalled()
  }, idleMs / PARTS)
  return () => clearInterval(timer)
}

function stalledError(name: string, idleMs: number): NetworkError {
  return new NetworkError(
    'timeout',
    `${name} stopped in the middle of a response: it sent less than ${PROGRESS_BYTES / 1024} KiB within ${seconds(idleMs)}.`,
  )
}

type Headers<Value> = Readonly<Record<string, Value>>

/** Returns the names in `HEADER` that differ at a deployment, each with the name that it has there. */
function namesOf({ headerNames = {} }: HttpAddress): readonly (readonly [string, string])[] {
  return (Object.keys(headerNames) as (keyof HeaderNames)[]).map((key) => [
    HEADER[key],
    headerNames[key] ?? HEADER[key],
  ])
}

function renamed<Value>(
  headers: Headers<Value>,
  names: ReadonlyMap<string, string>,
): Headers<Value> {
  if (names.size === 0) return headers
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [names.get(name) ?? name, value]),
  )
}
