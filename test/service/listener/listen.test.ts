import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import { statSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { Agent, type IncomingMessage, type RequestOptions, request, type Server } from 'node:http'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { App, ServiceRequest } from '../../../src/service/http.js'
import { type Listener, listen } from '../../../src/service/listener/listen.js'
import { LISTENER_TIMEOUTS } from '../../../src/service/listener/timeouts.js'
import { removeDirectory } from '../../support/remove-directory.js'
import { standStill } from '../../support/stand-still.js'
import { until } from '../../support/until.js'

const LOOPBACK = { host: '127.0.0.1', port: 0 }
/** Large bodies arrive in time on any machine. */
const TIMEOUTS = { ...LISTENER_TIMEOUTS, drainMs: 120_000 }
const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function start(app: App, trusted = false): Promise<Listener & { port: number }> {
  const listener = await listen({ app, address: LOOPBACK, trusted, timeouts: TIMEOUTS })
  closers.push(() => listener.close({ graceMs: 0 }))
  if (!('port' in listener.address)) throw new Error('not a TCP address')
  return { ...listener, port: listener.address.port }
}

async function readAll(body: AsyncIterable<Buffer>): Promise<string> {
  const pieces: Buffer[] = []
  for await (const piece of body) pieces.push(piece)
  return Buffer.concat(pieces).toString()
}

/** One request on its own connection, and the whole response. */
async function exchange(
  options: RequestOptions,
  body = '',
): Promise<{ status: number; headers: IncomingMessage['headers']; body: string }> {
  const outgoing = request({ agent: false, ...options })
  // A client that is refused may still be sending when the response is complete, and is then disconnected.
  outgoing.on('error', () => {})
  outgoing.end(body)
  const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
  return {
    status: incoming.statusCode ?? 0,
    headers: incoming.headers,
    body: await readAll(incoming),
  }
}

async function socketTo(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  await once(socket, 'connect')
  // Some tests disconnect on purpose.
  socket.on('error', () => {})
  return socket
}

/** A promise and its resolve function. */
function gate<T = void>(): { readonly opened: Promise<T>; readonly open: (value: T) => void } {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

describe('listen', () => {
  it('passes the request to the app and its response back', async () => {
    let seen: ServiceRequest | undefined
    const { port } = await start(async (given) => {
      seen = given
      return { status: 201, headers: { 'x-said': 'ü' }, body: await readAll(given.body) }
    })
    const response = await exchange(
      { port, method: 'PUT', path: '/a/b%20c?d=1&d=2', headers: { 'X-One': '1' } },
      'hello ü',
    )
    expect(response.status).toBe(201)
    expect(response.body).toBe('hello ü')
    expect(response.headers['content-length']).toBe('8')
    expect(seen?.method).toBe('PUT')
    expect(seen?.path).toBe('/a/b%20c')
    expect(seen?.query.getAll('d')).toEqual(['1', '2'])
    expect(seen?.headers['x-one']).toBe('1')
    expect(seen?.trusted).toBe(false)
  })

  it('listens on a Unix socket', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evq-listen-'))
    closers.push(() => removeDirectory(directory))
    const socketPath = join(directory, 'evq.sock')
    const app: App = async ({ trusted }) => ({ status: 200, body: String(trusted) })
    const listener = await listen({ app, address: { socketPath }, trusted: true })
    closers.push(() => listener.close())
    expect((await exchange({ socketPath })).body).toBe('true')
  })

  it('keeps a connection open for the next request', async () => {
    const { port } = await start(async ({ body }) => ({ status: 200, body: await readAll(body) }))
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    closers.push(() => agent.destroy())
    const ports = new Set<number | undefined>()
    for (const text of ['one', 'two']) {
      const outgoing = request({ port, agent, method: 'POST' })
      outgoing.end(text)
      const [incoming] = (await once(outgoing, 'response')) as [IncomingMessage]
      ports.add(incoming.socket.localPort)
      expect(await readAll(incoming)).toBe(text)
    }
    expect(ports.size).toBe(1)
  })

  it('sends the response to a request that is followed by more bytes than it declared', async () => {
    const received = gate()
    const answer = gate()
    const { port } = await start(async ({ body }) => {
      received.open()
      await answer.opened
      return { status: 200, headers: {}, body: await readAll(body) }
    })
    const socket = await socketTo(port)
    socket.write('POST / HTTP/1.1\r\nhost: a\r\ncontent-length: 5\r\n\r\nstored')
    await received.opened
    // The excess bytes are in the same packet, so they have been parsed by now.
    answer.open()
    const response = await readAll(socket)
    expect(response).toMatch(/^HTTP\/1\.1 200 OK\r\n/)
    expect(response).toMatch(/\r\n\r\nstore$/)
  })

  it('warns of nothing when a client sends many requests before it gets a response', async () => {
    const warnings: Error[] = []
    const warn = (warning: Error) => warnings.push(warning)
    process.on('warning', warn)
    closers.push(() => process.off('warning', warn))
    const { port } = await start(async () => ({ status: 200, body: '' }))
    const socket = await socketTo(port)
    socket.end('GET / HTTP/1.1\r\nhost: a\r\n\r\n'.repeat(30))
    expect((await readAll(socket)).split('HTTP/1.1 200 OK')).toHaveLength(31)
    expect(warnings).toEqual([])
  })

  it('rejects when the port is in use', async () => {
    const { port } = await start(async () => ({ status: 200, body: '' }))
    const second = listen({
      app: async () => ({ status: 200, body: '' }),
      address: { host: '127.0.0.1', port },
      trusted: false,
    })
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' })
  })

  it('continues after a connection that cannot be accepted', async () => {
    const { port } = await start(async () => ({ status: 200, body: '' }))
    const servers = new Set<Server>()
    const keep = (message: unknown) => servers.add((message as { readonly server: Server }).server)
    subscribe('http.server.request.start', keep)
    closers.push(() => unsubscribe('http.server.request.start', keep))
    await exchange({ port })
    // As Node does when the system has too many open files.
    for (const server of servers) server.emit('error', new Error('accept ENFILE'))
    expect(servers.size).toBe(1)
    expect((await exchange({ port })).status).toBe(200)
  })

  it('delivers a refusal to a client that reads only after it has sent everything', async () => {
    const { port } = await start(async () => ({ status: 403, body: 'no' }))
    const socket = await socketTo(port)
    // Far more than the socket buffers: a connection closed immediately would be reset.
    const length = 32 * 1024 * 1024
    socket.pause()
    socket.write(`POST / HTTP/1.1\r\nhost: x\r\ncontent-length: ${length}\r\n\r\n`)
    await new Promise<void>((sent) => socket.write(Buffer.alloc(length), () => sent()))
    const response = await readAll(socket)
    expect(response).toMatch(/^HTTP\/1\.1 403 /)
    expect(response.toLowerCase()).toContain('connection: close')
    expect(response.endsWith('\r\n\r\nno')).toBe(true)
  })

  it('delivers a refusal when the app stops reading in the middle of the body', async () => {
    const { port } = await start(async ({ body }) => {
      for await (const _ of body) break
      return { status: 413, body: 'too much' }
    })
    const response = await exchange({ port, method: 'POST' }, 'x'.repeat(16 * 1024 * 1024))
    expect([response.status, response.body]).toEqual([413, 'too much'])
  })

  it('aborts the signal when the client disconnects before the response', async () => {
    const arrived = gate<AbortSignal>()
    const aborted = gate()
    const { port } = await start(async ({ signal }) => {
      signal.addEventListener('abort', () => aborted.open())
      arrived.open(signal)
      await aborted.opened
      return { status: 200, body: '' }
    })
    const socket = await socketTo(port)
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    const signal = await arrived.opened
    expect(signal.aborted).toBe(false)
    socket.destroy()
    await until(() => signal.aborted, 'the signal is aborted')
  })

  it('fails the body when the client disconnects in the middle of it', async () => {
    const failed = gate<unknown>()
    const begun = gate()
    const { port } = await start(async ({ body }) => {
      try {
        for await (const _ of body) begun.open()
      } catch (error) {
        failed.open(error)
      }
      return { status: 200, body: '' }
    })
    const socket = await socketTo(port)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 10\r\n\r\nabc')
    await begun.opened
    socket.destroy()
    expect(await failed.opened).toBeInstanceOf(Error)
  })

  it('reads the complete request of a client that does not wait for the response', async () => {
    const arrived = gate()
    const disconnected = gate()
    const read = gate<string>()
    const { port } = await start(async ({ body, signal }) => {
      signal.addEventListener('abort', () => disconnected.open())
      arrived.open()
      await disconnected.opened
      read.open(await readAll(body))
      return { status: 200, body: '' }
    })
    const socket = await socketTo(port)
    socket.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc')
    await arrived.opened
    socket.destroy()
    expect(await read.opened).toBe('abc')
  })

  it('responds to a client that has ended its own side of the connection', async () => {
    const { port } = await start(async ({ body }) => ({ status: 200, body: await readAll(body) }))
    const socket = await socketTo(port)
    socket.end('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\n\r\nabc')
    expect((await readAll(socket)).endsWith('\r\n\r\nabc')).toBe(true)
  })

  it('delivers a refusal to a client that goes on with a head that is too large', async () => {
    const { port } = await start(async () => ({ status: 200, body: '' }))
    const socket = await socketTo(port)
    socket.write(`GET / HTTP/1.1\r\nhost: x\r\na: ${'x'.repeat(1024 * 1024)}\r\n\r\n`)
    expect(await readAll(socket)).toMatch(/^HTTP\/1\.1 431 /)
  })

  it('does not abort the signal after the response', async () => {
    let signal: AbortSignal | undefined
    const { port } = await start(async (given) => {
      signal = given.signal
      return { status: 200, body: '' }
    })
    await exchange({ port })
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(signal?.aborted).toBe(false)
  })
})

/** Everything received in response to these bytes, until the connection ends. */
async function responseTo(port: number, head: readonly string[], body = ''): Promise<string> {
  const socket = await socketTo(port)
  socket.write(`${[...head, 'connection: close'].join('\r\n')}\r\n\r\n${body}`)
  return readAll(socket)
}

describe('the head of a request', () => {
  const echo: App = async ({ method, path, query, onLoopback }) => ({
    status: 200,
    body: `${method} ${path} ${query} ${onLoopback}`,
  })

  it.each([
    ['http://example.com/a/b?c=1', 'GET /a/b c=1 true'],
    ['HTTPS://example.com:8443?c=1', 'GET / c=1 true'],
    ['/http://example.com/', 'GET /http://example.com/  true'],
  ])('can have %s as its target', async (target, output) => {
    const { port } = await start(echo)
    expect(await responseTo(port, [`GET ${target} HTTP/1.1`, 'host: localhost'])).toContain(output)
  })

  it.each([
    ['two hosts', ['host: localhost', 'host: example.com'], 'more than one `Host` header'],
    ['no host', [], 'no `Host` header'],
    [
      'two tokens',
      ['host: localhost', 'authorization: Bearer a', 'authorization: Bearer b'],
      'more than one `Authorization` header',
    ],
  ])('is refused with %s', async (_, headers, output) => {
    const { port } = await start(echo)
    const response = await responseTo(port, ['GET / HTTP/1.1', ...headers])
    expect(response).toMatch(/^HTTP\/1\.1 400 /)
    expect(response).toContain(output)
  })

  it('is refused with a transfer encoding that only the sender knows', async () => {
    const { port } = await start(echo)
    const head = ['POST / HTTP/1.1', 'host: localhost', 'transfer-encoding: gzip, chunked']
    expect(await responseTo(port, head, '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 501 /)
    const chunked = ['POST / HTTP/1.1', 'host: localhost', 'transfer-encoding: Chunked']
    expect(await responseTo(port, chunked, '0\r\n\r\n')).toMatch(/^HTTP\/1\.1 200 /)
  })

  it.each([
    ['localhost', true],
    ['LOCALHOST:4600', true],
    ['evq.localhost', true],
    ['127.0.0.1:4600', true],
    ['127.1.2.3', true],
    ['[::1]:4600', true],
    ['example.com:4600', false],
    ['localhost.example.com', false],
    ['127.0.0.1.example.com', false],
    ['192.0.2.1', false],
    ['[2001:db8::1]', false],
    ['', false],
  ])('with the host %j is local: %s', async (host, onLoopback) => {
    const { port } = await start(echo)
    const response = await responseTo(port, ['GET / HTTP/1.1', `host: ${host}`])
    expect(response.endsWith(`GET /  ${onLoopback}`)).toBe(true)
  })

  it('is enough to refuse a body that has not been sent', async () => {
    const { port } = await start(async ({ path, body }) => {
      if (path === '/refused') return { status: 403, body: 'no' }
      return { status: 200, body: await readAll(body) }
    })
    const asking = ['host: x', 'content-length: 2', 'expect: 100-continue']
    const socket = await socketTo(port)
    socket.write(`${['POST /taken HTTP/1.1', ...asking].join('\r\n')}\r\n\r\n`)
    const [told] = (await once(socket, 'data')) as [Buffer]
    expect(told.toString()).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    socket.write('ok')
    const [taken] = (await once(socket, 'data')) as [Buffer]
    expect(taken.toString()).toMatch(/^HTTP\/1\.1 200 /)
    const other = await socketTo(port)
    other.write(`${['POST /refused HTTP/1.1', ...asking].join('\r\n')}\r\n\r\n`)
    const [refused] = (await once(other, 'data')) as [Buffer]
    expect(refused.toString()).toMatch(/^HTTP\/1\.1 403 /)
  })

  it.each([
    ['before it sends its body', '', ['200', 'first', '100', '200', 'second']],
    // The body arrived meanwhile: status 100 may be left out.
    ['unless it has sent its body', 'second', ['200', 'first', '200', 'second']],
  ])('gets status 100 after the response in front of it, %s', async (_, early, expected) => {
    const first = gate()
    const answered = gate()
    const { port } = await start(async ({ path, body }) => {
      if (path === '/first') await first.opened
      const text = await readAll(body)
      if (path === '/second') answered.open()
      return { status: 200, body: Buffer.from(text || 'first') }
    })
    const socket = await socketTo(port)
    let received = ''
    socket.on('data', (piece) => {
      received += piece
      if (early === '' && received.endsWith('HTTP/1.1 100 Continue\r\n\r\n')) socket.write('second')
    })
    const head = ['host: x', 'content-length: 6', 'expect: 100-continue', 'connection: close', '']
    socket.write(
      `GET /first HTTP/1.1\r\nhost: x\r\n\r\nPOST /second HTTP/1.1\r\n${head.join('\r\n')}\r\n${early}`,
    )
    if (early !== '') await answered.opened
    setImmediate(first.open)
    await once(socket, 'close')
    const parts = received.split(/HTTP\/1\.1 (\d+) [\s\S]*?\r\n\r\n/)
    expect(parts.filter(Boolean)).toEqual(expected)
  })

  it('gets no features of HTTP/1.1 when it is HTTP/1.0', async () => {
    const { port } = await start(async ({ body }) => ({ status: 200, body: await readAll(body) }))
    const socket = await socketTo(port)
    socket.write('POST / HTTP/1.0\r\ncontent-length: 2\r\nexpect: 100-continue\r\n\r\nok')
    const [response] = (await once(socket, 'data')) as [Buffer]
    expect(response.toString()).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('closing a listener', () => {
  it('finishes the requests in flight and announces the end of the connection', async () => {
    const arrived = gate()
    const response = gate()
    const listener = await start(async () => {
      arrived.open()
      await response.opened
      return { status: 200, body: 'done' }
    })
    const pending = exchange({ port: listener.port, agent: new Agent({ keepAlive: true }) })
    await arrived.opened
    let isClosed = false
    const closed = listener.close().then(() => {
      isClosed = true
    })
    await expect(socketTo(listener.port)).rejects.toThrow('ECONNREFUSED')
    expect(isClosed).toBe(false)
    response.open()
    const { body, headers } = await pending
    expect([body, headers.connection]).toEqual(['done', 'close'])
    await closed
  })

  it('responds with 503 on connections whose end was not announced', async () => {
    const large = 'x'.repeat(32 * 1024 * 1024)
    const listener = await start(async () => ({ status: 200, body: large }))
    const socket = await socketTo(listener.port)
    socket.write('GET /1 HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(socket, 'readable')
    const closed = listener.close()
    socket.write('GET /2 HTTP/1.1\r\nhost: x\r\n\r\n')
    const second = (await readAll(socket)).slice(large.length)
    expect(second).toMatch(/HTTP\/1\.1 503 /)
    expect(second).toMatch(/connection: close/i)
    expect(second).toContain('{"code":503,"message":"The service is stopping."}')
    await closed
  })

  it('does not wait for idle connections', async () => {
    const listener = await start(async () => ({ status: 200, body: '' }))
    const fresh = await socketTo(listener.port)
    const used = await socketTo(listener.port)
    used.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await once(used, 'data')
    const ends = Promise.all([once(fresh, 'close'), once(used, 'close')])
    fresh.resume()
    await listener.close()
    await ends
  })

  it('does not count the time in which the process stood still as grace period', async () => {
    const arrived = gate()
    const finished = gate()
    const listener = await start(async () => {
      arrived.open()
      await finished.opened
      return { status: 200, body: 'finished' }
    })
    const pending = exchange({ port: listener.port })
    await arrived.opened
    const closed = listener.close({ graceMs: 500 })
    setImmediate(() => {
      standStill(1_000)
      // Timers that are due run before the next immediate.
      setImmediate(() => finished.open())
    })
    expect(await pending).toMatchObject({ status: 200 })
    await closed
  })

  it('listens on a socket that never was accessible to other accounts', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'evq-socket-'))
    const socketPath = join(directory, 'evq.sock')
    const mask = process.umask(0)
    closers.push(
      () => removeDirectory(directory),
      () => process.umask(mask),
    )
    const app: App = async () => ({ status: 200, body: '' })
    const listening = listen({ app, address: { socketPath }, trusted: true })
    const { mode } = statSync(socketPath)
    expect(mode & 0o077).toBe(0)
    expect(process.umask()).toBe(0)
    await (await listening).close()
  })

  it('aborts requests after the grace period, and sends their responses', async () => {
    const arrived = gate()
    const listener = await start(async ({ signal }) => {
      arrived.open()
      await new Promise((resolve) => signal.addEventListener('abort', resolve))
      return { status: 503, body: String(signal.reason) }
    })
    const pending = exchange({ port: listener.port })
    await arrived.opened
    await listener.close({ graceMs: 10 })
    expect(await pending).toMatchObject({
      status: 503,
      headers: { connection: 'close' },
      body: 'RefusedError: The service is stopping.',
    })
  })

  it('disconnects the clients of requests that do not end when they are aborted', async () => {
    const arrived = gate()
    const finished = gate()
    const listener = await start(async () => {
      arrived.open()
      await finished.opened
      return { status: 200, body: '' }
    })
    const pending = exchange({ port: listener.port })
    pending.catch(() => {})
    await arrived.opened
    await listener.close({ graceMs: 10 })
    finished.open()
    await expect(pending).rejects.toThrow()
  })
})
