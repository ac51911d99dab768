import { type ChildProcess, spawn } from 'node:child_process'
import { randomInt } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { inspect } from 'node:util'
import { needs } from './needs.js'
import { removeDirectory } from './remove-directory.js'
import { until } from './until.js'

const SCRIPT = join(import.meta.dirname, 'serve-clickhouse.js')
const START_MS = 120_000
/** The exit of a process is reported after its connections are reset. */
const EXIT_MS = 60_000
const MOST_CRASHES = 5

/** The name of the cluster of servers that were started together. */
export const CLUSTER = 'duo'

/** A real ClickHouse server, HTTP and native TCP. */
export interface ClickHouseServer {
  readonly url: string
  /** Kills it, like a machine that fails. */
  kill(): Promise<void>
  /** Suspends it, like a machine that is cut off from the network. */
  pause(): void
  resume(): void
  /** Starts it again, on the same data. */
  start(): Promise<void>
  /** Waits until it responds: an unknown build of the library aborts when a connection is reset, and is then started again. */
  ready(): Promise<void>
  /** The number of times that it aborted. */
  crashes(): number
  /** The id of its process, while it runs. */
  pid(): number | undefined
}

export interface ClickHouseServers {
  readonly servers: readonly ClickHouseServer[]
  /**
   * Makes an attempt, and repeats it when `isCut` returns true and a server aborted meanwhile. Fails
   * when no server aborted: then the result has another cause.
   */
  despiteCrashes<T>(attempt: () => Promise<T>, isCut: (result: T) => boolean): Promise<T>
  stop(): Promise<void>
}

/** Servers are started from the embedded library, which is possible on Linux only. */
export const needsServers = needs(process.platform === 'linux', 'Linux, to start ClickHouse')

/** Starts servers that know nothing of each other. */
export async function startServers(count: number): Promise<ClickHouseServers> {
  const root = mkdtempSync(join(tmpdir(), 'evq-clickhouse-'))
  const ports = await freePorts(2 * count)
  const config = join(root, 'config.xml')
  writeFileSync(config, '<clickhouse><logger><level>none</level></logger></clickhouse>')
  const servers = Array.from({ length: count }, (_, i) => {
    const directory = join(root, `server-${i}`)
    mkdirSync(directory)
    return clickHouseServer({ directory, config, http: ports[i]!, tcp: ports[count + i]! })
  })
  await Promise.all(servers.map((one) => one.start()))
  return {
    servers,
    despiteCrashes: (attempt, isCut) => despiteCrashes(servers, attempt, isCut),
    async stop() {
      await Promise.all(servers.map((one) => one.kill()))
      await removeDirectory(root)
    },
  }
}

/** Returns the flags of `evq serve` for these servers: several are a cluster, whose nodes are listed in a file in the directory. */
export function serveFlags(urls: readonly string[], directory: string): readonly string[] {
  const [first = ''] = urls
  if (urls.length === 1) return ['--clickhouse', first]
  const config = join(directory, 'nodes.toml')
  writeFileSync(config, `nodes = ${JSON.stringify(urls)}\n`)
  return ['--clickhouse', first, '--cluster', CLUSTER, '--clickhouse-config', config]
}

interface ServerOptions {
  readonly directory: string
  readonly config: string
  readonly http: number
  readonly tcp: number
  /** The address at which other replicas reach this server; without it, it is no replica. */
  readonly interserver?: string
}

/** Returns a server that is not started yet. */
export function clickHouseServer(options: ServerOptions): ClickHouseServer {
  const { directory, config, http, tcp, interserver = [] } = options
  const url = `http://127.0.0.1:${http}`
  let child: ChildProcess | undefined
  let crashes = 0
  const run = (): void => {
    const args = [SCRIPT, directory, String(http), String(tcp), config].concat(interserver)
    const running = spawn(process.execPath, args, { stdio: 'ignore' })
    child = running
    running.once('exit', (_, signal) => {
      if (child !== running || signal !== 'SIGABRT') return
      crashes += 1
      run()
    })
  }
  const hasStopped = (): boolean =>
    child === undefined || (hasEnded(child) && child.signalCode !== 'SIGABRT')
  const ready = (): Promise<void> => untilResponding(url, hasStopped)
  return {
    url,
    ready,
    crashes: () => crashes,
    pid: () => child?.pid,
    async start() {
      run()
      await ready()
    },
    pause: () => void child?.kill('SIGSTOP'),
    resume: () => void child?.kill('SIGCONT'),
    async kill() {
      const running = child
      child = undefined
      if (running === undefined || hasEnded(running)) return
      const exited = new Promise((resolve) => running.once('exit', resolve))
      running.kill('SIGKILL')
      await exited
    },
  }
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null
}

async function untilResponding(url: string, hasEnded: () => boolean): Promise<void> {
  const state = async () => hasEnded() || ((await fetch(`${url}/ping`)).ok && 'ready')
  if ((await until(state, `the server at ${url} responds`, START_MS)) === true)
    throw new Error(`the server at ${url} has ended`)
}

export async function despiteCrashes<T>(
  servers: readonly ClickHouseServer[],
  attempt: () => Promise<T>,
  isCut: (result: T) => boolean,
): Promise<T> {
  const crashes = () => servers.reduce((sum, server) => sum + server.crashes(), 0)
  for (let tries = 0; ; tries++) {
    for (const server of servers) await server.ready()
    const before = crashes()
    const result = await attempt()
    if (!isCut(result) || tries === MOST_CRASHES) return result
    await until(() => crashes() > before, `a crash that explains ${inspect(result)}`, EXIT_MS)
  }
}

/** Below the range of ephemeral ports of Linux. */
const PORT_BLOCKS = { first: 10_000, size: 32, count: 700 }

/**
 * Returns up to 31 ports that no other test process uses: it claims a block of ports by listening on the first of them until it
 * ends.
 */
export async function freePorts(count: number): Promise<readonly number[]> {
  const { first, size, count: blocks } = PORT_BLOCKS
  for (;;) {
    const block = first + size * randomInt(blocks)
    const claim = await listening(block)
    if (claim === undefined) continue
    const ports = Array.from({ length: count }, (_, i) => block + 1 + i)
    if ((await Promise.all(ports.map(isFree))).every(Boolean)) return ports
    claim.close()
  }
}

async function isFree(port: number): Promise<boolean> {
  const probe = await listening(port)
  await new Promise((resolve) => (probe === undefined ? resolve(undefined) : probe.close(resolve)))
  return probe !== undefined
}

/** Resolves with undefined when the port is in use. */
function listening(port: number): Promise<Server | undefined> {
  return new Promise((resolve) => {
    const server = createServer().unref()
    server.once('error', () => resolve(undefined))
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}
