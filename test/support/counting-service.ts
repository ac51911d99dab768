import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service on loopback that stores nothing and counts the bytes and events that it receives. */
export async function countingService() {
  let bytes = 0
  const server = createServer((request, response) => {
    let events = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) events += 1
    })
    request.on('end', () => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ingested: events, failed: 0, failures: [] }))
    })
  })
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => bytes,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
