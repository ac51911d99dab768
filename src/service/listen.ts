import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { json } from './answer.js'
import type { App, ServiceRequest } from './http.js'

/** How long a connection may stay silent while the service waits for it. */
const SILENCE_MS = 60_000
/** How long the rest of a body is still read after an answer that did not need it. */
const DRAIN_MS = 10_000

export type ListenAddress =
  | { readonly socketPath: string }
  | { readonly host: string; readonly port: number }

export interface Listener {
  /** Where it listens in fact: a port that was given as 0 is the one that was found. */
  readonly address: ListenAddress
  /** Takes no new requests and resolves when those in flight have their answers; after `graceMs` they are cut. */
  close(options?: { readonly graceMs?: number }): Promise<void>
}

export interface ListenOptions {
  readonly app: App
  readonly address: ListenAddress
  /** Whether whoever reaches the address is trusted by that alone. */
  readonly trusted: boolean
}

/** Serves the app over HTTP/1.1 on a unix socket or a TCP port. */
export async function listen({ app, address, trusted }: ListenOptions): Promise<Listener> {
  const connections = new Map<Socket, Exchange | undefined>()
  let closing = false

  const server = createServer(
    // A body of any length may take its time as long as it keeps coming: silence is what ends it.
    { requestTimeout: 0, keepAliveTimeout: SILENCE_MS },
    (incoming, outgoing) => {
      const { socket } = incoming
      const exchange = { incoming, outgoing }
      connections.set(socket, exchange)
      outgoing.once('close', () => {
        if (connections.get(socket) === exchange) connections.set(socket, undefined)
      })
      const chosen = closing ? stopping : app
      void answer(exchange, { app: chosen, trusted, isClosing: () => closing })
    },
  )
  server.on('connection', (socket) => {
    connections.set(socket, undefined)
    socket.once('close', () => connections.delete(socket))
  })
  server.setTimeout(SILENCE_MS, (socket) => {
    if (!isWorking(connections.get(socket))) socket.destroy()
  })

  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen('socketPath' in address ? { path: address.socketPath } : address, () => {
      server.off('error', reject)
      resolve()
    })
  })

  return {
    address: 'socketPath' in address ? address : found(address.host, server.address()),
    async close({ graceMs } = {}) {
      closing = true
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      for (const [socket, exchange] of connections) if (exchange === undefined) socket.destroy()
      const deadline =
        graceMs === undefined ? undefined : setTimeout(() => server.closeAllConnections(), graceMs)
      await closed
      clearTimeout(deadline)
    },
  }
}

/** What a connection that was kept gets when it brings one more request. */
const stopping: App = async () => json(503, { code: 503, message: 'The service is stopping.' })

interface Exchange {
  readonly incoming: IncomingMessage
  readonly outgoing: ServerResponse
}

/** Silent because the service has the request and is still at it. */
function isWorking(exchange: Exchange | undefined): boolean {
  return exchange?.incoming.complete === true && !exchange.outgoing.headersSent
}

function found(host: string, address: AddressInfo | string | null): ListenAddress {
  if (address === null || typeof address === 'string') throw new Error('not a TCP address')
  return { host, port: address.port }
}

async function answer(
  { incoming, outgoing }: Exchange,
  options: { readonly app: App; readonly trusted: boolean; readonly isClosing: () => boolean },
): Promise<void> {
  const gone = new AbortController()
  outgoing.once('close', () => {
    if (!outgoing.writableFinished) gone.abort()
  })
  // The client going away shows as `close` above; without a listener its errors would end the process.
  incoming.on('error', () => {})
  outgoing.on('error', () => {})
  const { trusted } = options
  const response = await options.app(serviceRequest(incoming, { signal: gone.signal, trusted }))
  if (outgoing.destroyed) return
  const isLast = options.isClosing() || !incoming.complete
  outgoing.writeHead(response.status, {
    ...response.headers,
    'content-length': Buffer.byteLength(response.body),
    ...(isLast ? { connection: 'close' } : {}),
  })
  await write(outgoing, response.body)
  if (!incoming.complete) await drain(incoming)
  outgoing.end()
}

/**
 * Resolves when the system has all of the body. Node's `close` destroys connections whose answer is
 * ended, even while most of it still waits to be sent: so an answer is ended only after that.
 */
function write(outgoing: ServerResponse, body: string | Buffer): Promise<void> {
  return new Promise((resolve) => {
    outgoing.write(body, () => resolve())
  })
}

function serviceRequest(
  incoming: IncomingMessage,
  options: { readonly signal: AbortSignal; readonly trusted: boolean },
): ServiceRequest {
  const target = incoming.url ?? '/'
  const mark = target.indexOf('?')
  return {
    method: incoming.method ?? 'GET',
    path: mark === -1 ? target : target.slice(0, mark),
    query: new URLSearchParams(mark === -1 ? '' : target.slice(mark + 1)),
    headers: singleHeaders(incoming),
    // Leaving the loop early must not close the connection: the refusal still has to reach the client.
    body: { [Symbol.asyncIterator]: () => incoming.iterator({ destroyOnReturn: false }) },
    ...options,
  }
}

function singleHeaders(incoming: IncomingMessage): Record<string, string | undefined> {
  return Object.fromEntries(
    Object.entries(incoming.headers).map(([name, value]) => [
      name,
      Array.isArray(value) ? value.join(', ') : value,
    ]),
  )
}

/**
 * Reads on what the client is still sending. Closing at once would reset the connection, and a client
 * that has not read its answer by then loses it and sees only a broken pipe.
 */
async function drain(incoming: IncomingMessage): Promise<void> {
  await new Promise<void>((resolve) => {
    const deadline = setTimeout(resolve, DRAIN_MS)
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
