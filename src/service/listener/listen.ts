import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Countdown } from '../../text/countdown.js'
import { isLoopback } from '../../wire/http/loopback.js'
import { MAX_CONNECTIONS } from '../../wire/limits.js'
import { type App, json } from '../http.js'
import { RefusedError } from '../refused-error.js'
import { Connections } from './connections.js'
import { type Exchange, handleExchange } from './exchange.js'
import { rejectMalformed } from './malformed-request.js'
import { KEEP_ALIVE, LISTENER_TIMEOUTS, type ListenerTimeouts } from './timeouts.js'
import { UnreadResponses } from './unread-responses.js'

const MAX_HEAD_BYTES = 16 * 1024
/** The maximum number of connections that wait to be accepted. Beyond Node's default of 511, clients would retry after a second. */
const BACKLOG = 4_096

/** The address to listen on: a Unix socket, or a host and a port. */
export type ListenAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }

export interface Listener<Address extends ListenAddress = ListenAddress> {
  /** The actual address, with the port that was assigned when 0 was requested. */
  readonly address: Address
  /** Stops accepting requests and resolves when the requests in flight are finished; after `graceMs` they are refused. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

interface ListenOptions<Address> {
  readonly app: App
  readonly address: Address
  /** True when every caller that can reach the address is trusted. */
  readonly trusted: boolean
  readonly timeouts?: ListenerTimeouts
  /**
   * The maximum number of connections. A new connection beyond it closes the connection that has been idle longest, or is closed
   * itself when no connection is idle.
   */
  readonly maxConnections?: number
}

/** Serves an app over HTTP/1.1 on a Unix socket or a TCP port. */
export async function listen<Address extends ListenAddress>(
  options: ListenOptions<Address>,
): Promise<Listener<Address>> {
  const { address } = options
  const listener = new HttpListener(options)
  const bound = await listener.bind(address)
  return {
    address: { ...address, ...(isTcp(bound) && { port: bound.port }) },
    close: ({ graceMs } = {}) => listener.close(graceMs),
  }
}

class HttpListener {
  private readonly app: App
  private readonly trusted: boolean
  private readonly timeouts: ListenerTimeouts
  private readonly connections: Connections
  private readonly unread = new UnreadResponses()
  private readonly server: Server
  private onLoopback = false
  private isClosing = false

  constructor(options: Omit<ListenOptions<unknown>, 'address'>) {
    this.app = options.app
    this.trusted = options.trusted
    this.timeouts = options.timeouts ?? LISTENER_TIMEOUTS
    this.connections = new Connections(options.maxConnections ?? MAX_CONNECTIONS)
    this.server = this.openServer()
  }

  /** Resolves when the server accepts connections. */
  async bind(address: ListenAddress): Promise<AddressInfo | string | null> {
    const where = 'socketPath' in address ? { path: address.socketPath } : address
    // Other accounts must not connect to a socket, not even before its permissions could be changed.
    const mask = 'path' in where ? process.umask(0o077) : undefined
    this.server.listen({ ...where, backlog: BACKLOG })
    // The socket exists when `listen` returns.
    if (mask !== undefined) process.umask(mask)
    await once(this.server, 'listening')
    const bound = this.server.address()
    this.onLoopback = isWithinMachine(bound)
    // Failing to accept a connection, for example because too many files are open, must not end the service.
    this.server.on('error', () => {})
    return bound
  }

  async close(graceMs: number | undefined): Promise<void> {
    this.isClosing = true
    const closed = new Promise<void>((resolve) => this.server.close(() => resolve()))
    this.connections.closeIdle()
    let grace: Countdown | undefined
    const refuse = (): void => {
      this.connections.refuseBusy(STOPPING)
      grace = new Countdown(REFUSAL_MS, () => this.server.closeAllConnections())
    }
    if (graceMs !== undefined) grace = new Countdown(graceMs, refuse)
    await closed
    grace?.stop()
  }

  private openServer(): Server {
    const { headMs, idleMs } = this.timeouts
    const server = createServer(
      {
        headersTimeout: headMs,
        // A body has no time limit as long as it keeps the minimum rate.
        requestTimeout: 0,
        connectionsCheckingInterval: headMs / 4,
        keepAliveTimeout: idleMs,
        maxHeaderSize: MAX_HEAD_BYTES,
        // Checked below, with the usual error response.
        requireHostHeader: false,
        ...KEEP_ALIVE,
      },
      (incoming, outgoing) => this.handle(incoming, outgoing),
    )
    // Otherwise Node drops the complete requests of clients that do not wait for their responses, or that end only their own side.
    Object.assign(server, { httpAllowHalfOpen: true })
    server.on('connection', (socket) => {
      // Each request that a client sends before it gets responses has a listener, and Node would warn of a leak.
      socket.setMaxListeners(0)
      this.connections.add(socket)
    })
    server.on('clientError', (error, socket) => {
      rejectMalformed(error, { socket, exchange: this.connections.exchangeOn(socket as Socket) })
    })
    // `100 Continue` is sent when the body is read.
    server.on('checkContinue', (incoming, outgoing) => this.handle(incoming, outgoing))
    // HTTP defines no expectation other than `100-continue`; unknown ones are ignored.
    server.on('checkExpectation', (incoming, outgoing) => this.handle(incoming, outgoing))
    return server.setTimeout(idleMs, (socket) => this.closeQuiet(socket))
  }

  private handle(incoming: IncomingMessage, outgoing: ServerResponse): void {
    const exchange = { incoming, outgoing, aborter: new AbortController() }
    this.connections.begin(exchange)
    const chosen = this.isClosing ? stopping : (invalidHeaders(incoming) ?? this.app)
    const { trusted, onLoopback, timeouts, unread } = this
    const isClosing = () => this.isClosing
    // An error closes the connection and must not affect the service.
    handleExchange(exchange, {
      app: chosen,
      trusted,
      onLoopback,
      timeouts,
      unread,
      isClosing,
    }).catch(() => incoming.socket.destroy())
  }

  /** Closes a connection that reached the idle timeout. */
  private closeQuiet(socket: Socket): void {
    const { bytesRead } = socket
    // A request that arrived while the event loop was blocked is read before the timeout takes effect.
    setImmediate(() => {
      const isQuiet = socket.bytesRead === bytesRead
      if (isQuiet && !isWorking(this.connections.exchangeOn(socket))) socket.destroy()
    })
  }
}

/** Without `Retry-After`, which tells local commands that the service is busy and not stopping. */
const STOPPING = new RefusedError('unavailable', 'The service is stopping.')
/** The time that refused requests have to end after the grace period. */
const REFUSAL_MS = 1_000

/** The app for requests that arrive on open connections during shutdown. */
const stopping: App = async () => json(STOPPING.body.code, STOPPING.body)

/** Returns an app that refuses a request because of its headers; undefined for a valid request. */
function invalidHeaders({
  httpVersion,
  headers,
  headersDistinct,
}: IncomingMessage): App | undefined {
  const { host = [], authorization = [] } = headersDistinct
  if (httpVersion === '1.1' && host.length === 0) return refuse('The request has no `Host` header.')
  // A proxy in front of the service may have used the other one.
  if (host.length > 1) return refuse('The request has more than one `Host` header.')
  if (authorization.length > 1)
    return refuse('The request has more than one `Authorization` header.')
  // The parser undoes only `chunked`, and would pass on a body that is still compressed (RFC 9112, 6.1).
  if ((headers['transfer-encoding'] ?? 'chunked').trim().toLowerCase() !== 'chunked') {
    return refuse('The only transfer encoding that the service accepts is `chunked`.', 501)
  }
  return undefined
}

function refuse(message: string, code = 400): App {
  return async () => json(code, { code, message })
}

/** True while the service reads or processes a request. The idle timeout does not apply then: a body has its own timeouts. */
function isWorking(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && !exchange.outgoing.headersSent
}

/** True for an address that other machines cannot reach: a loopback address, or a Unix socket. */
function isWithinMachine(address: AddressInfo | string | null): boolean {
  return !isTcp(address) || isLoopback(address.address)
}

function isTcp(address: AddressInfo | string | null): address is AddressInfo {
  return typeof address === 'object' && address !== null
}
