import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import type { App } from '../http.js'
import { json } from '../json-response.js'
import { answerRequest, type Exchange } from './exchange.js'
import { isLoopback } from './loopback.js'
import { answerBroken } from './malformed-request.js'
import { LISTENER_TIMEOUTS, type ListenerTimeouts } from './timeouts.js'

/** The most open connections: each takes a file descriptor and some memory. */
const MOST_CONNECTIONS = 4_096
const MOST_HEAD_BYTES = 16 * 1024
/** A peer that is gone without a word is noticed although it owes nothing. */
const PROBE_AFTER_MS = 30_000

/** Where to listen: a socket in the file system, or a host and a port. */
export type ListenAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }

/** A service that accepts connections. */
export interface Listener {
  /** Where it listens in fact: a port that was given as 0 is the one that was found. */
  readonly address: ListenAddress
  /** Takes no new requests and resolves when those in flight have their answers; after `graceMs` they are cut. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

interface ListenOptions {
  readonly app: App
  readonly address: ListenAddress
  /** Whether whoever reaches the address is trusted by that alone. */
  readonly trusted: boolean
  readonly timeouts?: ListenerTimeouts
  /** Above it, each new connection closes the one that has been idle longest; without an idle one, the new one is closed. */
  readonly mostConnections?: number
}

/** Serves the app over HTTP/1.1 on a unix socket or a TCP port. */
export async function listen(options: ListenOptions): Promise<Listener> {
  const { app, address, trusted, timeouts = LISTENER_TIMEOUTS } = options
  const { mostConnections = MOST_CONNECTIONS } = options
  const busy = new Map<Socket, Exchange>()
  /** Connections without a request, the one that has been idle longest first. */
  const idle = new Set<Socket>()
  let closing = false
  let onLoopback = false

  const server = createServer(
    {
      headersTimeout: timeouts.headMs,
      // A body of any length may take its time as long as it keeps the pace.
      requestTimeout: 0,
      connectionsCheckingInterval: timeouts.headMs / 4,
      keepAliveTimeout: timeouts.idleMs,
      maxHeaderSize: MOST_HEAD_BYTES,
      // Refused below, in the same words as everything else.
      requireHostHeader: false,
      keepAlive: true,
      keepAliveInitialDelay: PROBE_AFTER_MS,
    },
    (incoming, outgoing) => {
      const { socket } = incoming
      const exchange = { incoming, outgoing }
      idle.delete(socket)
      busy.set(socket, exchange)
      outgoing.once('close', () => {
        if (busy.get(socket) !== exchange) return
        busy.delete(socket)
        if (!socket.destroyed) idle.add(socket)
      })
      const chosen = closing ? stopping : (ambiguous(incoming) ?? app)
      // What fails here costs the connection; nothing may cost the service.
      answerRequest(exchange, {
        app: chosen,
        trusted,
        onLoopback,
        timeouts,
        isClosing: () => closing,
      }).catch(() => socket.destroy())
    },
  )
  server.on('connection', (socket) => {
    socket.once('close', () => {
      idle.delete(socket)
      busy.delete(socket)
    })
    // Connections that send nothing must not lock out those that have a request.
    if (idle.size + busy.size >= mostConnections) {
      const [oldest] = idle
      if (oldest === undefined) return void socket.destroy()
      idle.delete(oldest)
      oldest.destroy()
    }
    idle.add(socket)
  })
  server.on('clientError', (error, socket) => {
    answerBroken(error, { socket, outgoing: busy.get(socket as Socket)?.outgoing })
  })
  // Told to go on once the body is read.
  server.on('checkContinue', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  // Nothing beside `100-continue` is to be expected, and what else a client expects is no reason to fail.
  server.on('checkExpectation', (incoming, outgoing) => server.emit('request', incoming, outgoing))
  server.setTimeout(timeouts.idleMs, (socket) => {
    if (!isWorking(busy.get(socket))) socket.destroy()
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen('socketPath' in address ? { path: address.socketPath } : address, () => {
      server.off('error', reject)
      onLoopback = isWithinMachine(server.address())
      resolve()
    })
  })

  return {
    address: 'socketPath' in address ? address : found(address.host, server.address()),
    async close({ graceMs } = {}) {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const socket of idle) socket.destroy()
      const deadline =
        graceMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(deadline)
    },
  }
}

/** What a connection that was kept gets when it brings one more request. */
const stopping: App = async () => json(503, { code: 503, message: 'The service is stopping.' })

/** What answers a request whose head says nothing or two things where it has to say one; undefined when it does not. */
function ambiguous({ httpVersion, headersDistinct }: IncomingMessage): App | undefined {
  const { host = [], authorization = [] } = headersDistinct
  if (httpVersion === '1.1' && host.length === 0) return refusing('The request has no `host`.')
  // A proxy in front may have looked at another one of them.
  if (host.length > 1) return refusing('The request has more than one `host`.')
  if (authorization.length > 1) return refusing('The request has more than one `authorization`.')
  return undefined
}

function refusing(message: string): App {
  return async () => json(400, { code: 400, message })
}

/** Silent because the service has the request and is still at it. */
function isWorking(exchange: Exchange | undefined): boolean {
  return exchange?.incoming.complete === true && !exchange.outgoing.headersSent
}

/** A socket of the file system has no address, and no other machine reaches it either. */
function isWithinMachine(address: AddressInfo | string | null): boolean {
  return address === null || typeof address === 'string' || isLoopback(address.address)
}

function found(host: string, address: AddressInfo | string | null): ListenAddress {
  if (address === null || typeof address === 'string') throw new Error('not a TCP address')
  return { host, port: address.port }
}
