import { describe, expect, it } from 'vitest'
import { connectInProcess } from '../../../src/cli/connection/in-process.js'
import { showing } from '../../../src/cli/connection/trace.js'
import { NetworkError } from '../../../src/client/error.js'
import type { App, ServiceRequest } from '../../../src/service/http.js'
import { ChunkedBuffer } from '../../../src/wire/bytes/chunked-buffer.js'

const question = { method: 'POST', path: '/v1/x y', purpose: 'query' } as const

/** A scripted service, and the requests that it received. */
function service(handler: App) {
  const requests: ServiceRequest[] = []
  const app: App = async (request) => {
    requests.push(request)
    return await handler(request)
  }
  return { app, requests }
}

const fine: App = async () => ({ status: 200, body: '{}' })

/** Responds after the caller has disconnected, like an aborted query. */
const until: App = ({ signal }) =>
  new Promise((resolve) => {
    signal.addEventListener('abort', () => resolve({ status: 499, body: 'gone' }))
  })

describe('the service in this process', () => {
  it('gets the request as over its socket', async () => {
    const { app, requests } = service(async ({ body }) => {
      const pieces: Buffer[] = []
      for await (const piece of body) pieces.push(piece)
      return { status: 201, headers: { 'x-a': 'b' }, body: Buffer.concat(pieces) }
    })
    const { send } = connectInProcess({ app, name: 'here' })
    const response = await send({
      ...question,
      query: { format: 'a b', none: undefined },
      headers: { 'content-type': 'text/plain' },
      body: 'é',
    })
    expect(response).toEqual({
      status: 201,
      headers: { 'x-a': 'b' },
      body: ChunkedBuffer.of('é'),
      url: 'http://localhost/v1/x%20y',
    })
    expect(requests).toMatchObject([
      {
        method: 'POST',
        path: '/v1/x%20y',
        headers: { 'content-type': 'text/plain', 'content-length': '2' },
        trusted: true,
        onLoopback: true,
      },
    ])
    expect(requests[0]?.query.toString()).toBe('format=a+b')
  })

  it('gets the bytes of a body without a copy, and learns that they must not change', async () => {
    const pieces: Buffer[] = []
    const { app, requests } = service(async ({ body }) => {
      for await (const piece of body) pieces.push(piece)
      return { status: 200, body: '' }
    })
    const body = Buffer.from('event')
    await connectInProcess({ app, name: 'here' }).send({ ...question, body })
    expect(pieces).toHaveLength(1)
    expect(pieces[0]).toBe(body)
    expect(requests[0]?.keepsBody).toBe(true)
  })

  it('aborts a canceled request, which then has no response', async () => {
    const { app, requests } = service(until)
    const stop = new AbortController()
    const response = connectInProcess({ app, name: 'here' }).send({
      ...question,
      signal: stop.signal,
    })
    stop.abort()
    await expect(response).rejects.toThrow(NetworkError)
    await expect(response).rejects.toMatchObject({ failure: 'stopped' })
    expect(requests[0]?.signal.aborted).toBe(true)
  })

  it('does not receive a request that was canceled before', async () => {
    const { app, requests } = service(fine)
    const response = connectInProcess({ app, name: 'here' }).send({
      ...question,
      signal: AbortSignal.abort(),
    })
    await expect(response).rejects.toMatchObject({ failure: 'stopped' })
    expect(requests).toEqual([])
  })

  it('ends all requests when the connection is closed', async () => {
    const { app, requests } = service(until)
    const connection = connectInProcess({ app, name: 'here' })
    const response = connection.send(question)
    await connection.close()
    expect(requests[0]?.signal.aborted).toBe(true)
    expect((await response).status).toBe(499)
  })

  it('reports each exchange to the trace', async () => {
    const lines: string[] = []
    const { app } = service(fine)
    const observe = showing((line) => lines.push(line))
    await connectInProcess({ app, name: 'here', observe }).send(question)
    expect(lines).toEqual([
      expect.stringMatching(/^#\d+ > POST http:\/\/localhost\/v1\/x%20y, 0 B$/),
      expect.stringMatching(/^#\d+ < 200, 2 B in \d+ ms$/),
    ])
  })
})
