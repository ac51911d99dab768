import { createServer, request as sendOn } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll } from 'vitest'

/** A proxy on loopback that tunnels and forwards all requests to one port. */
export async function forwardProxy(port: number) {
  const requests: { readonly target: string; readonly authorization: string | undefined }[] = []
  const server = createServer((request, response) => {
    record(request.url, request.headers['proxy-authorization'])
    const { pathname, search } = new URL(request.url ?? '')
    const { method, headers } = request
    const onward = sendOn(
      { host: '127.0.0.1', port, path: pathname + search, method, headers },
      (upstream) => {
        response.writeHead(upstream.statusCode ?? 502, upstream.headers)
        upstream.pipe(response)
      },
    )
    onward.on('error', () => response.destroy())
    request.pipe(onward)
  })
  server.on('connect', (request, socket, head) => {
    record(request.url, request.headers['proxy-authorization'])
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 Connection Established\r\n\r\n')
      onward.write(head)
      onward.pipe(socket).pipe(onward)
    })
    onward.on('error', () => socket.destroy())
    socket.on('error', () => onward.destroy())
  })
  function record(target = '', authorization?: string): void {
    requests.push({ target, authorization })
  }
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests }
}
