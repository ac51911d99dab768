import { execFileSync } from 'node:child_process'
import { once } from 'node:events'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { describe, expect, it } from 'vitest'
import type { HttpAddress } from '../../src/client/address.js'
import type { HttpRequest } from '../../src/client/connection.js'
import { NetworkError } from '../../src/client/error.js'
import { connectHttp } from '../../src/client/http.js'
import { codeFlags } from '../support/code-flags.js'
import { temporaryDirectory } from '../support/temporary.js'
import { cut, json, type Reply, scriptedService, silent } from './scripted-service.js'

const scratch = temporaryDirectory()
const ask: HttpRequest = { method: 'POST', path: '/v1/x', body: '{}', purpose: 'query' }

describe('an HTTP request', () => {
  it.each(['', '/', '/prefix', '/prefix/', '/a/b//'])(
    'is sent below a base of `%s`',
    async (base) => {
      const service = await scriptedService(json({}))
      await exchange({ url: service.url + base }, ask)
      expect(service.received[0]?.url).toBe(`${base.replace(/\/+$/, '')}/v1/x`)
    },
  )

  it('has the token, the organization and the query', async () => {
    const service = await scriptedService(json({}))
    const token = { text: 'xapt-1', origin: 'a test' }
    const request = { ...ask, query: { format: 'tabular', 'a b': 'é&', absent: undefined } }
    await exchange({ url: service.url, token, organizationId: 'acme' }, request)
    const [{ headers, url, body }] = service.received as [(typeof service.received)[0]]
    expect(headers).toMatchObject({ authorization: 'Bearer xapt-1', 'x-service-org-id': 'acme' })
    expect(url).toBe('/v1/x?format=tabular&a+b=%C3%A9%26')
    expect(body.toString()).toBe('{}')
  })

  it('has neither token nor organization when there is none', async () => {
    const service = await scriptedService(json({}))
    await exchange({ url: service.url }, ask)
    expect(service.received[0]?.headers).not.toHaveProperty('authorization')
    expect(service.received[0]?.headers).not.toHaveProperty('x-service-org-id')
  })

  it('is sent to the ingest address when it ingests', async () => {
    const base = await scriptedService(json({}))
    const edge = await scriptedService(json({}))
    const address = { url: base.url, ingestUrl: `${edge.url}/edge/` }
    await exchange(address, { ...ask, purpose: 'ingest' })
    await exchange(address, ask)
    expect(edge.received.map(({ url }) => url)).toEqual(['/edge/v1/x'])
    expect(base.received.map(({ url }) => url)).toEqual(['/v1/x'])
  })

  it('is sent over a Unix socket', async () => {
    const socketPath = join(scratch, 'socket')
    const service = await scriptedService(json({ a: 1 }), socketPath)
    const response = await exchange({ url: 'http://localhost', socketPath }, ask)
    expect(response.body.toString()).toBe('{"a":1}')
    expect(service.received.length).toBe(1)
  })

  it('leaves the flags of V8 as they were, so that threads can use cached code', async () => {
    const options = execFileSync(process.execPath, ['--v8-options'], { encoding: 'utf8' })
    const [, budget] = /default: --wasm-tiering-budget=(\d+)/.exec(options) ?? []
    setFlagsFromString(`--wasm-tiering-budget=${budget}`)
    const flags = codeFlags()
    const service = await scriptedService(json({}))
    await exchange({ url: service.url }, ask)
    expect(codeFlags()).toBe(flags)
  })
})

describe('an HTTP response', () => {
  it('is complete, whatever its status', async () => {
    const big = 'x'.repeat(3_000_000)
    const service = await scriptedService((response) => {
      response.writeHead(418, { 'X-Service-Trace-Id': 't-1' })
      response.end(big)
    })
    const received = await exchange({ url: service.url }, ask)
    expect(received).toMatchObject({ status: 418, headers: { 'x-service-trace-id': 't-1' } })
    expect(received.body.toString()).toBe(big)
    expect(received.url).toBe(`${service.url}/v1/x`)
  })
})

describe('a response without an end', () => {
  const endless: Reply = (response) => {
    response.writeHead(Number(response.req.headers['x-status']))
    const piece = Buffer.alloc(1024 * 1024, 'x')
    const more = (error?: Error | null): void => {
      if (!error && !response.destroyed) response.write(piece, more)
    }
    more()
  }
  const request = (status: number, purpose: HttpRequest['purpose']) => ({
    ...{ ...ask, purpose },
    headers: { 'x-status': String(status) },
  })

  it('is abandoned at 16 MiB if it is an error, whose status is kept', async () => {
    const service = await scriptedService(endless)
    const received = await exchange({ url: service.url }, request(503, 'query'))
    expect(received.status).toBe(503)
    expect(received.body.toString()).toBe(
      'The service responded with status 503 and a body of more than 16 MiB, which was not read.',
    )
  })

  it.each(['ingest', 'manage'] as const)('is refused at 64 MiB for %s', async (purpose) => {
    const service = await scriptedService(endless)
    await expect(exchange({ url: service.url }, request(200, purpose))).rejects.toThrow(
      'Unexpected response: it is longer than 64 MiB.',
    )
  })
})

describe('an exchange without a response', () => {
  it('reports that the host is unreachable', async () => {
    const error = await failure(
      { url: 'http://127.0.0.1:1', token: { text: 'xapt-secret', origin: 'a test' } },
      ask,
    )
    expect(error).toMatchObject({ failure: 'unreachable' })
    expect(error.message).toBe('the service could not be reached: nothing listens there.')
  })

  it('reports that the server does not speak TLS', async () => {
    const service = await scriptedService(json({}))
    const error = await failure({ url: service.url.replace('http:', 'https:') }, ask)
    expect(error.failure).toBe('unreachable')
    expect(error.message).toBe(
      'the service could not be reached: it does not use TLS on that port; the address may need `http://`.',
    )
  })

  it('reports that the connection was lost', async () => {
    const service = await scriptedService(cut)
    expect(await failure({ url: service.url }, ask)).toMatchObject({ failure: 'cut' })
  })

  it('reports that the connection was lost in the middle of the response', async () => {
    const service = await scriptedService((response) => {
      response.writeHead(200, { 'content-length': '100' })
      response.write('half', () => response.socket?.destroy())
    })
    expect(await failure({ url: service.url }, ask)).toMatchObject({ failure: 'cut' })
  })

  it.each([
    ['closes the connection', '', 'the proxy closed the connection.'],
    [
      'refuses the connection',
      'HTTP/1.1 407 Proxy Authentication Required\r\ncontent-length: 0\r\n\r\n',
      'the proxy refused the connection with status 407.',
    ],
    ['is silent', undefined, 'no connection within 0.2 s.'],
  ])('reports that a proxy %s', async (_, response, reason) => {
    let requests = 0
    const proxy = createServer((socket) => {
      socket.on('error', () => {})
      socket.on('data', () => {
        requests += 1
        if (response !== undefined) socket.end(response)
      })
    })
    await once(proxy.listen(0, '127.0.0.1'), 'listening')
    const { port } = proxy.address() as AddressInfo
    const proxyTo = () => `http://127.0.0.1:${port}`
    const timeouts = { connectMs: 200 }
    const error = await failure({ url: 'https://logs.test', proxyTo, timeouts }, ask)
    const message = `the service could not be reached through the proxy \`127.0.0.1:${port}\`: ${reason}`
    expect(error).toMatchObject({ failure: 'unreachable', message })
    expect(requests).toBe(1)
    proxy.close()
  })

  it('names a proxy that is unreachable, without its password', async () => {
    for (const url of ['http://logs.test', 'https://logs.test']) {
      const error = await failure({ url, proxyTo: () => 'http://ann:secret@127.0.0.1:1' }, ask)
      expect(error.message).toBe(
        'the service could not be reached through the proxy `127.0.0.1:1`: nothing listens there.',
      )
    }
  })

  it('reports a timeout', async () => {
    const service = await scriptedService(silent)
    const timeouts = { responseMs: 50 }
    expect(await failure({ url: service.url, timeouts }, ask)).toMatchObject({ failure: 'timeout' })
  })

  it('reports an aborted request', async () => {
    const stop = new AbortController()
    const service = await scriptedService(() => stop.abort())
    const request = { ...ask, signal: stop.signal }
    expect(await failure({ url: service.url }, request)).toMatchObject({ failure: 'stopped' })
    expect(await failure({ url: service.url }, request)).toMatchObject({ failure: 'stopped' })
    expect(service.received.length).toBe(1)
  })

  it('causes no warning, however many requests have the same signal', async () => {
    const warnings: Error[] = []
    const warned = (warning: Error) => warnings.push(warning)
    process.on('warning', warned)
    const stop = new AbortController()
    const service = await scriptedService(() => {
      if (service.received.length === 20) stop.abort()
    })
    const request = { ...ask, signal: stop.signal }
    const sent = Array.from({ length: 20 }, () => failure({ url: service.url }, request))
    for (const error of await Promise.all(sent)) expect(error.failure).toBe('stopped')
    await nextTurn()
    process.off('warning', warned)
    expect(warnings).toEqual([])
  })

  it('never reports the token', async () => {
    const service = await scriptedService(cut)
    const error = await failure(
      { url: service.url, token: { text: 'xapt-secret', origin: 'a test' } },
      ask,
    )
    expect(`${error.message} ${error.stack} ${String(error.cause)}`).not.toContain('xapt-secret')
  })
})

async function exchange(address: Omit<HttpAddress, 'name'>, request: HttpRequest) {
  const connection = connectHttp({ name: 'the service', ...address })
  try {
    return await connection.send(request)
  } finally {
    await connection.close()
  }
}

async function failure(address: Omit<HttpAddress, 'name'>, request: HttpRequest) {
  const error = await exchange(address, request).catch((reason: unknown) => reason)
  if (error instanceof NetworkError) return error
  throw new Error(`not a network error: ${error}`)
}
