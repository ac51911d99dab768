import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { HEADER } from '../../src/wire/http/header.js'

/**
 * A service on loopback that stores nothing and counts the bytes and events that it receives. Like a service that stores them, it counts a
 * batch once, however often it is sent.
 */
export async function countingService() {
  const batches = new Map<unknown, number>()
  const server = createServer((request, response) => {
    let events = 0
    let bytes = 0
    request.on('data', (piece: Buffer) => {
      bytes += piece.length
      for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) events += 1
    })
    request.on('end', () => {
      batches.set(request.headers[HEADER.batchId], bytes)
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify({ ingested: events, failed: 0, failures: [] }))
    })
  })
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  // Likewise, all requests in flight would get 408 after five minutes.
  server.requestTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    bytes: () => [...batches.values()].reduce((sum, bytes) => sum + bytes, 0),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}
