import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { Countdown } from '../../text/countdown.js'
import { isLoopback } from '../../wire/http/loopback.js'
import { MAX_CONNECTIONS } from '../../wire/limits.js'
import { type App, json } from '../http.js'
import { Connections } from './connections.js'
import { type Exchange, handleExchange } from './exchange.js'
import { rejectMalformed } from './malformed-request.js'
import { LISTENER_TIMEOUTS, type ListenerTimeouts } from './timeouts.js'

const MAX_HEAD_BYTES = 16 * 1024
/** The maximum number of connections that wait to be accepted. Beyond Node's default of 511, clients would retry after a second. */
const BACKLOG = 4_096
/** TCP keep-alive detects peers that vanished without closing the connection. */
const PROBE_AFTER_MS = 30_000

/** The address to listen on: a Unix socket, or a host and a port. */
export type ListenAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }

export interface Listener {
  /** The actual address, with the port that was assigned when 0 was requested. */
  readonly address: ListenAddress
  /** Stops accepting requests and resolves when the requests in flight are finished; after `graceMs` they are aborted. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

interface ListenOptions {
  readonly app: App
  readonly address: ListenAddress
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
export async function listen(options: ListenOptions): Promise<Listener> {
  const { app, address, trusted, timeouts = LISTENER_TIMEOUTS } = options
  const { maxConnections = MAX_CONNECTIONS } = options
  const connections = new Connections(maxConnections)
  let closing = false
  let onLoopback = false

  const server = createServer(
    {
      headersTimeout: timeouts.headMs,
      // A body has no time limit as long as it keeps the minimum rate.
      requestTimeout: 0,
      connectionsCheckingInterval: timeouts.headMs / 4,
      keepAliveTimeout: timeouts.idleMs,
      maxHeaderSize: MAX_HEAD_BYTES,
      // Checked below, with the usual error response.
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
    },
    (incoming, outgoing) => {
      const { socket } = incoming
      const exchange = { incoming, outgoing }
      connections.begin(exchange)
      const chosen = closing ? stopping : (invalidHeaders(incoming) ?? app)
      // An error closes the connection and must not affect the service.
      handleExchange(exchange, {
        app: chosen,
        trusted,
        onLoopback,
        timeouts,
        isClosing: () => closing,
      }).catch(() => socket.destroy())
    },
  )
  // Otherwise Node drops the complete requests of clients that do not wait for their responses, or that end only their own side.
  Object.assign(server, { httpAllowHalfOpen: true })
  server.on('connection', (socket) => {
    // Each request that a client sends before it gets responses has a listener, and Node would warn of a leak.
    socket.setMaxListeners(0)
    connections.add(socket)
  })
  server.on('clientError', (error, socket) => {
    rejectMalformed(error, { socket, exchange: connections.exchangeOn(socket as Socket) })
  })
  // `100 Continue` is sent when the body is read.
  server.on('checkContinue', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  // HTTP defines no expectation other than `100-continue`; unknown ones are ignored.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  server.setTimeout(timeouts.idleMs, (socket) => {
    const { bytesRead } = socket
    // A request that arrived while the event loop was blocked is read before the timeout takes effect.
    setImmediate(() => {
      if (socket.bytesRead === bytesRead && !isWorking(connections.exchangeOn(socket)))
        socket.destroy()
    })
  })

  const where = 'socketPath' in address ? { path: address.socketPath } : address
  // Other accounts must not connect to a socket, not even before its permissions could be changed.
  const mask = 'path' in where ? process.umask(0o077) : undefined
  server.listen({ ...where, backlog: BACKLOG })
  // The socket exists when `listen` returns.
  if (mask !== undefined) process.umask(mask)
  await once(server, 'listening')
  onLoopback = isWithinMachine(server.address())
  // Failing to accept a connection, for example because too many files are open, must not end the service.
  server.on('error', () => {})

  return {
    address: 'socketPath' in address ? address : actualAddress(address.host, server.address()),
    async close({ graceMs } = {}) {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      connections.closeIdle()
      const grace =
        graceMs === undefined
          ? undefined
          : new Countdown(graceMs, () => server.closeAllConnections())
      await closed
      grace?.stop()
    },
  }
}

/** The app for requests that arrive on open connections during shutdown. */
const stopping: App = async () => json(503, { code: 503, message: 'The service is stopping.' })

/** Returns an app that refuses a request with missing or duplicate headers; undefined for a valid request. */
function invalidHeaders({ httpVersion, headersDistinct }: IncomingMessage): App | undefined {
  const { host = [], authorization = [] } = headersDistinct
  if (httpVersion === '1.1' && host.length === 0) return refuse('The request has no `Host` header.')
  // A proxy in front of the service may have used the other one.
  if (host.length > 1) return refuse('The request has more than one `Host` header.')
  if (authorization.length > 1)
    return refuse('The request has more than one `Authorization` header.')
  return undefined
}

function refuse(message: string): App {
  return async () => json(400, { code: 400, message })
}

/** True while the service reads or processes a request. The idle timeout does not apply then: a body has its own timeouts. */
function isWorking(exchange: Exchange | undefined): boolean {
  return exchange !== undefined && !exchange.outgoing.headersSent
}

/** True for an address that other machines cannot reach: a loopback address, or a Unix socket. */
function isWithinMachine(address: AddressInfo | string | null): boolean {
  return address === null || typeof address === 'string' || isLoopback(address.address)
}

function actualAddress(host: string, address: AddressInfo | string | null): ListenAddress {
  if (address === null || typeof address === 'string') throw new Error('not a TCP address')
  return { host, port: address.port }
}
