import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll } from 'vitest'

/** A request as it arrived. */
export interface Received {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
  readonly body: string
}

export interface CannedResponse {
  readonly status?: number
  readonly headers?: Readonly<Record<string, string>>
  readonly body: string | object
}

/** A service on loopback that sends scripted responses and records the requests. */
export async function cannedService() {
  let canned: CannedResponse = { body: {} }
  const received: Received[] = []
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => undefined)
    // The client is gone.
    if (body === undefined) return
    const { method = '', url = '', headers } = request
    received.push({ method, url, headers, body })
    const { status = 200, headers: responseHeaders = {}, body: responseBody } = canned
    response.writeHead(status, { 'content-type': 'application/json', ...responseHeaders })
    response.end(typeof responseBody === 'string' ? responseBody : JSON.stringify(responseBody))
  })
  // Otherwise a process that stood still for five seconds would cut the connection that it is about to use.
  server.keepAliveTimeout = 0
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  afterAll(() => new Promise((resolve) => server.close(resolve)))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    respondWith(next: CannedResponse) {
      canned = next
    },
  }
}

/** Returns a tabular response with one table. Columns are JSON text, so that no number is rounded. */
export function tabular(
  fields: readonly { readonly name: string; readonly type: string; readonly values: string }[],
  status: object = {},
): string {
  const names = JSON.stringify(fields.map(({ name, type }) => ({ name, type })))
  const columns = fields.map(({ values }) => values).join(',')
  return `{"format":"tabular","status":${JSON.stringify({
    elapsedTime: 34_000,
    rowsExamined: 1_204_311,
    rowsMatched: 2,
    ...status,
  })},"tables":[{"name":"0","sources":[{"name":"logs"}],"fields":${names},"order":null,"groups":null,"columns":[${columns}]}],"datasetNames":["logs"],"fieldsMetaMap":null}`
}
