import { createServer, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An address of a server that fails at some statement. */
export interface FailingServer {
  readonly url: string
  stop(): void
}

interface Failure {
  /** The statement from which on all connections are closed. */
  readonly at: RegExp
  /** True when the server runs that statement. */
  readonly isLate?: boolean
}

/** Forwards requests to a server until one of them matches: then it closes all connections. */
export async function failingServer(
  target: string,
  { at, isLate }: Failure,
): Promise<FailingServer> {
  let hasFailed = false
  const { hostname, port } = new URL(target)
  const proxy: Server = createServer(async (incoming, outgoing) => {
    const pieces: Buffer[] = []
    for await (const piece of incoming) pieces.push(piece)
    const body = Buffer.concat(pieces)
    const fails = !hasFailed && at.test(body.toString())
    if (hasFailed || (fails && !isLate)) {
      hasFailed = true
      return incoming.socket.destroy()
    }
    hasFailed = fails
    const { method, url: path, headers } = incoming
    request({ hostname, port, method, path, headers }, (response) => {
      if (fails) return void incoming.socket.destroy()
      outgoing.writeHead(response.statusCode ?? 500, response.headers)
      response.pipe(outgoing)
    }).end(body)
    return
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`,
    stop() {
      proxy.closeAllConnections()
      proxy.close()
    },
  }
}
