import { once } from 'node:events'
import { mkdtemp } from 'node:fs/promises'
import { connect, type NetConnectOpts, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, describe, expect, it } from 'vitest'
import { describeError, jsonError } from '../../src/service/error-response.js'
import type { App } from '../../src/service/http.js'
import { type ListenAddress, listen } from '../../src/service/listener/listen.js'
import { LISTENER_TIMEOUTS, type ListenerTimeouts } from '../../src/service/listener/timeouts.js'
import { ChunkedBuffer } from '../../src/wire/bytes/chunked-buffer.js'
import { MAX_UNREAD_BYTES } from '../../src/wire/limits.js'
import { removeDirectory } from '../support/remove-directory.js'
import { until } from '../support/until.js'

// Slow clients. Each of them must hold nothing but its own connection.

const closers: (() => unknown)[] = []

afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Reads the whole body, as a route does. */
const reading: App = async ({ body }) => {
  try {
    let bytes = 0
    for await (const piece of body) bytes += piece.length
    return { status: 200, body: String(bytes) }
  } catch (error) {
    return jsonError(describeError(error, { traceId: '', report: undefined, now: () => 0n }))
  }
}

interface Started {
  readonly app?: App
  readonly address?: ListenAddress
  readonly timeouts?: Partial<ListenerTimeouts>
  readonly maxConnections?: number
}

async function start(options: Started = {}): Promise<NetConnectOpts> {
  const { app = reading, address = { host: '127.0.0.1', port: 0 }, timeouts, ...rest } = options
  const listener = await listen({
    app,
    address,
    trusted: false,
    timeouts: { ...LISTENER_TIMEOUTS, ...timeouts },
    ...rest,
  })
  closers.push(() => listener.close({ graceMs: 0 }))
  return 'socketPath' in listener.address
    ? { path: listener.address.socketPath }
    : { ...listener.address }
}

async function client(address: NetConnectOpts): Promise<Socket> {
  const socket = connect(address)
  closers.push(() => socket.destroy())
  socket.on('error', () => {})
  await once(socket, 'connect')
  return socket
}

/** Resolves when a connection is closed, by an error too: a client that still sends may get one after the response. */
function closeOf(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once('close', () => resolve()))
}

/** Everything that a connection receives until it ends; meanwhile writes a piece every few milliseconds. */
async function trickle(socket: Socket, pieces: Iterable<string>): Promise<string> {
  let output = ''
  socket.setEncoding('utf8').on('data', (text) => {
    output += text
  })
  const closed = closeOf(socket)
  for (const piece of pieces) {
    if (!socket.writable) break
    socket.write(piece)
    await delay(10)
  }
  await closed
  return output
}

function* endless(piece: string): Generator<string> {
  for (;;) yield piece
}

const HEAD = 'POST / HTTP/1.1\r\nhost: x\r\n'

describe.each(['tcp', 'unix'])('on %s', (kind) => {
  async function address(): Promise<ListenAddress> {
    if (kind === 'tcp') return { host: '127.0.0.1', port: 0 }
    const directory = await mkdtemp(join(tmpdir(), 'evq-slow-'))
    closers.push(() => removeDirectory(directory))
    return { socketPath: join(directory, 'evq.sock') }
  }

  it('a head that never ends is refused with 408', async () => {
    const server = await start({ address: await address(), timeouts: { headMs: 100 } })
    const output = await trickle(await client(server), [HEAD, ...Array(1_000).fill('a: b\r\n')])
    expect(output).toMatch(/^HTTP\/1\.1 408 /)
    expect(output).toContain('{"code":408,"message":"The request head did not arrive in time."}')
  })

  it('a connection that never sends anything is closed', async () => {
    const server = await start({ address: await address(), timeouts: { headMs: 100 } })
    expect(await trickle(await client(server), [])).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('a body that trickles is refused with 408', async () => {
    const server = await start({ address: await address(), timeouts: { slackMs: 200 } })
    const socket = await client(server)
    socket.write(`${HEAD}content-length: 1000000\r\n\r\n`)
    const output = await trickle(socket, endless('x'))
    expect(output).toMatch(/^HTTP\/1\.1 408 /)
    expect(output).toContain('The request body arrived too slowly, and none of it was stored.')
  })

  it('a body of unknown length that stops is refused with 408', async () => {
    const server = await start({ address: await address(), timeouts: { streamIdleMs: 100 } })
    const socket = await client(server)
    socket.write(`${HEAD}transfer-encoding: chunked\r\n\r\n3\r\nabc\r\n`)
    expect(await trickle(socket, [])).toMatch(/^HTTP\/1\.1 408 /)
  })

  it('an idle connection without a further request is closed', async () => {
    const server = await start({ address: await address(), timeouts: { idleMs: 100 } })
    const output = await trickle(await client(server), [`${HEAD}content-length: 1\r\n\r\nx`])
    expect(output).toMatch(/^HTTP\/1\.1 200 /)
  })

  it('a request that arrived while the service was blocked is handled', async () => {
    const server = await start({ address: await address(), timeouts: { idleMs: 100 } })
    const socket = await client(server)
    for (const _ of ['first', 'after a pause']) {
      socket.write(`${HEAD}content-length: 1\r\n\r\nx`)
      // The timeout of the connection expires before the service can read.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 300)
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    }
  })
})

describe('a body of unknown length', () => {
  it('can pause for longer than others, and than an idle connection', async () => {
    const server = await start({ timeouts: { slackMs: 50, idleMs: 50 } })
    const socket = await client(server)
    const head = `${HEAD}connection: close\r\ntransfer-encoding: chunked\r\n\r\n`
    socket.write(`${head}3\r\nabc\r\n`)
    await delay(500)
    expect(await trickle(socket, ['2\r\nde\r\n', '0\r\n\r\n'])).toMatch(/^HTTP\/1\.1 200 .*\r\n5$/s)
  })
})

describe('a body at the minimum rate', () => {
  it('can take any time', async () => {
    // Less than the whole takes; each piece makes up for a delay of many seconds.
    const server = await start({ timeouts: { slackMs: 400, minBytesPerSecond: 1 } })
    const socket = await client(server)
    socket.write(`${HEAD}connection: close\r\ncontent-length: 10000\r\n\r\n`)
    const output = await trickle(socket, Array(100).fill('x'.repeat(100)))
    expect(output).toMatch(/^HTTP\/1\.1 200 .*10000$/s)
  })

  it('is not slow when the service is slow to read it', async () => {
    const app: App = async (request) => {
      async function* body(): AsyncGenerator<Buffer> {
        for await (const piece of request.body) {
          await delay(200)
          yield piece
        }
      }
      return reading({ ...request, body: body() })
    }
    const server = await start({ app, timeouts: { slackMs: 1_000 } })
    const socket = await client(server)
    const length = 512 * 1024
    socket.write(`${HEAD}connection: close\r\ncontent-length: ${length}\r\n\r\n`)
    socket.write('x'.repeat(length))
    expect(await trickle(socket, [])).toMatch(new RegExp(`^HTTP/1\\.1 200 .*${length}$`, 's'))
  })
})

describe('a response that the client does not read', () => {
  it('is abandoned', async () => {
    const large = ChunkedBuffer.of('x'.repeat(32 * 1024 * 1024))
    let isLate = false
    const server = await start({
      app: async () => {
        // Started after the deadline of the response, 84 ms, which therefore expires first on any machine.
        setImmediate(() =>
          setTimeout(() => {
            isLate = true
          }, 1_000),
        )
        return { status: 200, body: large }
      },
      timeouts: { slackMs: 50, minBytesPerSecond: 1e9 },
    })
    const socket = await client(server)
    socket.pause()
    socket.write('GET / HTTP/1.1\r\nhost: x\r\n\r\n')
    await until(() => isLate, 'the deadline has expired')
    let bytes = 0
    socket.on('data', (piece) => {
      bytes += piece.length
    })
    await closeOf(socket.resume())
    expect(bytes).toBeLessThan(large.length)
  })
})

describe('responses that clients do not read', () => {
  it('close the connection of the oldest one when they are too large together', async () => {
    // One buffer in many places: no memory of this size is needed.
    const piece = Buffer.alloc(1024 * 1024)
    const body = new ChunkedBuffer(
      Array(Math.ceil((0.4 * MAX_UNREAD_BYTES) / piece.length)).fill(piece),
    )
    const server = await start({ app: async () => ({ status: 200, body }) })
    const clients: { readonly socket: Socket; readonly closed: Promise<void> }[] = []
    const received = [0, 0, 0]
    for (const i of received.keys()) {
      const socket = await client(server)
      clients.push({ socket, closed: closeOf(socket) })
      socket.write('GET / HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n')
      await once(socket, 'readable')
      socket.on('data', ({ length }) => {
        received[i]! += length
      })
      socket.pause()
    }
    for (const { socket, closed } of clients) {
      socket.resume()
      await closed
    }
    expect(received.map((bytes) => bytes > body.length)).toEqual([false, true, true])
  })
})

describe('a request behind others of a connection that is reset', () => {
  const COUNT = 4
  const REQUESTS = 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(COUNT)

  it('is aborted', async () => {
    const signals: AbortSignal[] = []
    const server = await start({
      app: async ({ signal }) => {
        signals.push(signal)
        await once(signal, 'abort')
        return { status: 200, body: '' }
      },
    })
    const socket = await client(server)
    socket.write(REQUESTS)
    await until(() => signals.length === COUNT, 'all requests are running')
    socket.resetAndDestroy()
    await until(() => signals.every(({ aborted }) => aborted), 'all requests are aborted')
  })

  it('leaves no response in memory', async () => {
    const bodies: WeakRef<Buffer>[] = []
    const server = await start({
      app: async () => {
        const body = Buffer.alloc(32 * 1024 * 1024)
        bodies.push(new WeakRef(body))
        return { status: 200, body: ChunkedBuffer.of(body) }
      },
    })
    const socket = await client(server)
    socket.pause().write(REQUESTS)
    await until(() => bodies.length === COUNT, 'all responses are being sent')
    socket.resetAndDestroy()
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    await until(() => {
      collect()
      return bodies.every((body) => body.deref() === undefined)
    }, 'all responses are collected')
  })
})

describe('open connections', () => {
  const REQUEST = `${HEAD}content-length: 0\r\n\r\n`

  it('above the limit close the connection that has been idle longest', async () => {
    const server = await start({ maxConnections: 3 })
    const used = await client(server)
    const silent = await client(server)
    const survivor = await client(server)
    // From here on `silent` has been idle longest, though it is not the oldest.
    for (const socket of [used, survivor]) {
      socket.write(REQUEST)
      await once(socket, 'data')
    }
    const closed = closeOf(silent.resume())
    const next = await client(server)
    next.write(REQUEST)
    expect(String((await once(next, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    await closed
    for (const socket of [used, survivor]) {
      socket.write(REQUEST)
      expect(String((await once(socket, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
    }
  })

  it('above the limit are closed themselves when all others have a request', async () => {
    let arrived: () => void = () => {}
    const app: App = async (request) => {
      arrived()
      return await reading(request)
    }
    const server = await start({ app, maxConnections: 1 })
    const busy = await client(server)
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    busy.write(`${HEAD}content-length: 1\r\n\r\n`)
    await arrival
    const refused = await client(server)
    await closeOf(refused.resume())
    busy.write('x')
    expect(String((await once(busy, 'data'))[0])).toMatch(/^HTTP\/1\.1 200 /)
  })
})

describe('malformed HTTP', () => {
  it('is refused without a host header too', async () => {
    const request = 'GET / HTTP/1.1\r\nconnection: close\r\n\r\n'
    const output = await trickle(await client(await start()), [request])
    expect(output).toMatch(
      /^HTTP\/1\.1 400 .*{"code":400,"message":"The request has no `Host` header."}$/s,
    )
  })

  it('does not include HTTP/1.0, or requests with expectations', async () => {
    const server = await start()
    const old = await trickle(await client(server), ['GET / HTTP/1.0\r\n\r\n'])
    expect(old).toMatch(/^HTTP\/1\.1 200 /)
    const head = `${HEAD}connection: close\r\nexpect: the-best\r\ncontent-length: 1\r\n\r\nx`
    expect(await trickle(await client(server), [head])).toMatch(/^HTTP\/1\.1 200 .*1$/s)
  })

  it.each([
    ['garbage', '\x16\x03\x01garbage\r\n\r\n', 400],
    ['a head of 1 MB', `${HEAD}a: ${'b'.repeat(1_000_000)}\r\n\r\n`, 431],
    ['an address of 100 kB', `GET /${'a'.repeat(100_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, 431],
    ['two lengths', `${HEAD}content-length: 1\r\ncontent-length: 2\r\n\r\nab`, 400],
    ['a length and chunks', `${HEAD}content-length: 1\r\ntransfer-encoding: chunked\r\n\r\n0`, 400],
    ['a negative length', `${HEAD}content-length: -1\r\n\r\n`, 400],
    ['a chunk without a length', `${HEAD}transfer-encoding: chunked\r\n\r\nzz\r\n`, 400],
    ['a body cut by the end', `${HEAD}content-length: 10\r\n\r\nabc`, 400],
    [
      'endless chunk extensions',
      `${HEAD}transfer-encoding: chunked\r\n\r\n1;${'a'.repeat(100_000)}\r\n`,
      413,
    ],
  ])('is refused: %s', async (_, bytes, status) => {
    const server = await start()
    const socket = await client(server)
    let output = ''
    socket.setEncoding('utf8').on('data', (text) => {
      output += text
    })
    const closed = closeOf(socket)
    socket.end(bytes)
    await closed
    expect(output).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `))
    expect(JSON.parse(output.slice(output.indexOf('\r\n\r\n')))).toMatchObject({ code: status })
  })
})
