import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterEach } from 'vitest'

export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: Buffer
}

export type Reply = (response: ServerResponse, request: Received) => void

const closing: (() => Promise<void>)[] = []

afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()))
})

/** Starts a service on loopback or on a socket that replies as the test says and records its requests. */
export async function scriptedService(reply: Reply, socketPath?: string) {
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request).catch(() => undefined)
    // The client is gone.
    if (body === undefined) return
    const { method = '', url = '', headers } = request
    const incoming = { method, url, headers, body }
    received.push(incoming)
    reply(response, incoming)
  })
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) =>
    socketPath === undefined
      ? server.listen(0, '127.0.0.1', resolve)
      : server.listen(socketPath, resolve),
  )
  closing.push(
    () =>
      new Promise((resolve) => {
        server.closeAllConnections()
        server.close(() => resolve())
      }),
  )
  const address = server.address()
  const port = typeof address === 'string' ? 0 : ((address as AddressInfo | null)?.port ?? 0)
  return {
    url: `http://127.0.0.1:${port}`,
    received,
    /** Refuses new connections; open ones stay. */
    stopListening: () => void server.close(),
  }
}

/** A JSON response. */
export function json(body: object, status = 200, headers: Record<string, string> = {}): Reply {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers })
    response.end(JSON.stringify(body))
  }
}

/** Replies in order; the last one is repeated. */
export function inTurn(...replies: readonly Reply[]): Reply {
  let count = 0
  return (response, request) => {
    const reply = replies[Math.min(count, replies.length - 1)]!
    count += 1
    reply(response, request)
  }
}

/** Closes the connection without a response. */
export const cut: Reply = (response) => {
  response.socket?.resetAndDestroy()
}

/** Never responds. */
export const silent: Reply = () => {}

/** The response of a service that has stored every line. */
export const stored: Reply = (response, request) => {
  const ingested = request.body
    .toString('utf8')
    .split('\n')
    .filter((line) => line.trim() !== '').length
  const counts = { processedBytes: request.body.length, blocksCreated: 1, walLength: 0 }
  json({ ingested, failed: 0, failures: [], ...counts })(response, request)
}
