import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, expect, it } from 'vitest'
import { SHUTDOWN_GRACE_MS } from '../../src/service/limits.js'
import { evq, start } from '../support/evq.js'
import { needs, needsLinux } from '../support/needs.js'
import { hasTerminal, startOnTerminal } from '../support/pty.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const needsTerminal = needs(hasTerminal, 'a pseudo-terminal')
const binary = join(import.meta.dirname, '../../bin/evq.js')
const scratch = temporaryDirectory()
let directories = 0
const sockets: Socket[] = []

afterEach(() => {
  for (const socket of sockets.splice(0)) socket.destroy()
})

async function serving() {
  const directory = join(scratch, `data-${directories++}`)
  const service = start(['serve', '--listen', '127.0.0.1:0', '-q'], { directory })
  const [, port = ''] = await service.err.until(/on http:\/\/127\.0\.0\.1:(\d+)\. /)
  const [, token = ''] = await service.err.until(/shown only once: (xapt-\S+)\n/)
  return { directory, service, port: Number(port), token }
}

/** Waits until the service has started this number of ingest requests. */
async function ingesting(port: number, token: string, count: number): Promise<void> {
  const headers = { authorization: `Bearer ${token}` }
  await until(async () => {
    const response = await fetch(`http://127.0.0.1:${port}/metrics`, { headers })
    return (await response.text()).includes(`\nevq_ingest_requests_waiting ${count}\n`)
  }, `${count} requests in flight`)
}

/** A connection, and everything received on it so far. */
async function client(port: number): Promise<{ socket: Socket; output: () => string }> {
  const socket = connect(port, '127.0.0.1')
  sockets.push(socket)
  let received = ''
  socket.setEncoding('utf8').on('data', (text) => {
    received += text
  })
  socket.on('error', () => {})
  await once(socket, 'connect')
  return { socket, output: () => received }
}

function ingestHead(token: string, length: number): string {
  return `POST /v1/ingest/logs HTTP/1.1\r\nhost: x\r\nauthorization: Bearer ${token}\r\ncontent-type: application/x-ndjson\r\ncontent-length: ${length}\r\n\r\n`
}

/** True when the system has stopped each thread of a process. */
function isStopped(pid: number | undefined): boolean {
  const threads = `/proc/${pid}/task`
  // The state follows the name, which is in parentheses.
  const stateOf = (thread: string) =>
    readFileSync(`${threads}/${thread}/stat`, 'utf8').split(') ')[1]
  return readdirSync(threads).every((thread) => stateOf(thread)?.startsWith('T'))
}

it('survives the end of its terminal when it does not write to it', async () => {
  const { service, port } = await serving()
  service.child.kill('SIGHUP')
  const response = await fetch(`http://127.0.0.1:${port}/healthz`)
  expect(response.status).toBe(200)
  service.child.kill('SIGTERM')
  expect((await service.ended).status).toBe(0)
})

it('exits as usual when its terminal was closed before', needsTerminal, async () => {
  const env = { EVQ_DATA_DIR: join(scratch, `data-${directories++}`), XDG_STATE_HOME: scratch }
  const command = [process.execPath, binary, 'serve', '--listen', '127.0.0.1:0', '-q']
  const { child, hangUp } = startOnTerminal(command, { env, pipes: ['stdout', 'stderr'] })
  await once(child.stderr!, 'data')
  hangUp()
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
})

it('finishes requests in flight after a signal and accepts no others', async () => {
  const { directory, service, port, token } = await serving()
  const body = '{"a":1}\n{"a":2}\n'
  const { socket, output } = await client(port)
  const closed = once(socket, 'close')
  socket.write(ingestHead(token, body.length) + body.slice(0, 8))
  const idle = await client(port)
  const idleCloses = once(idle.socket, 'close')
  await ingesting(port, token, 1)
  service.child.kill('SIGTERM')
  // Idle connections are closed first, and from then on no others are accepted.
  await idleCloses
  await expect(client(port)).rejects.toThrow('ECONNREFUSED')
  socket.write(body.slice(8))
  await closed
  expect(output()).toMatch(/^HTTP\/1\.1 200 .*connection: close.*"ingested":2/is)
  expect((await service.ended).status).toBe(0)
  const { stdout } = await evq(['query', 'logs | summarize sum(a)', '-o', 'csv'], { directory })
  expect(stdout).toBe('sum_a\n3\n')
})

it(
  'does not count the time in which it is stopped as time that requests have to end',
  needsLinux,
  async () => {
    const { directory, service, port, token } = await serving()
    const body = '{"a":1}\n{"a":2}\n'
    const { socket, output } = await client(port)
    const closed = once(socket, 'close')
    socket.write(ingestHead(token, body.length) + body.slice(0, 8))
    const idle = await client(port)
    const idleCloses = once(idle.socket, 'close')
    await ingesting(port, token, 1)
    service.child.kill('SIGTERM')
    await idleCloses
    service.child.kill('SIGSTOP')
    await until(() => isStopped(service.child.pid), 'all threads are stopped')
    socket.write(body.slice(8))
    await sleep(SHUTDOWN_GRACE_MS + 500)
    service.child.kill('SIGCONT')
    await closed
    expect(output()).toMatch(/^HTTP\/1\.1 200 .*"ingested":2/is)
    expect((await service.ended).status).toBe(0)
    const { stdout } = await evq(['query', 'logs | summarize sum(a)', '-o', 'csv'], { directory })
    expect(stdout).toBe('sum_a\n3\n')
  },
)

it('keeps all acknowledged events and ends within seconds while clients are sending', async () => {
  const { directory, service, port, token } = await serving()
  // A request whose body never ends.
  const { socket, output } = await client(port)
  socket.write(`${ingestHead(token, 1_000)}{"a":`)
  await ingesting(port, token, 1)
  let acknowledged = 0
  const sending = Array.from({ length: 4 }, async (_, i) => {
    for (let batch = 0; ; batch++) {
      const response = await fetch(`http://127.0.0.1:${port}/v1/ingest/logs`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify([{ sender: i, batch }]),
      })
      if (response.status !== 200) return
      await response.arrayBuffer()
      acknowledged++
    }
  })
  const ends = Promise.allSettled(sending)
  await until(() => acknowledged > 0, 'a batch is acknowledged')
  service.child.kill('SIGTERM')
  expect((await service.ended).status).toBe(0)
  await ends
  expect(output()).not.toContain('200')
  const { stdout } = await evq(['query', 'logs | count', '-o', 'csv'], { directory })
  const stored = Number(stdout.split('\n')[1])
  // A batch may be stored whose connection was cut before the response: at most one of each sender.
  expect(stored).toBeGreaterThanOrEqual(acknowledged)
  expect(stored).toBeLessThanOrEqual(acknowledged + sending.length)
})
