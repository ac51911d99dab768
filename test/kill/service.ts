import { rmSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePorts } from '../support/clickhouse-server.js'
import { start } from '../support/evq.js'

/** Ports that nobody else takes while a service is down. */
const ports: number[] = []

/** `evq serve` on a temporary directory; it keeps its address when it is killed and restarted. */
export class KillableService {
  readonly env: Readonly<Record<string, string>>
  /** The output of each process that has exited. */
  readonly said: string[] = []
  private readonly directory: string
  private readonly flags: readonly string[]
  private process: ReturnType<typeof start>

  private constructor(
    directory: string,
    options: {
      readonly flags: readonly string[]
      readonly process: ReturnType<typeof start>
      readonly url: string
      readonly token: string
    },
  ) {
    this.directory = directory
    this.flags = options.flags
    this.process = options.process
    this.env = { EVQ_URL: options.url, EVQ_TOKEN: options.token }
  }

  static async start(directory: string, ...flags: readonly string[]): Promise<KillableService> {
    const process = serve(directory, [await freeAddress(), ...flags])
    const [, url = ''] = await process.err.until(/ on (http:\/\/127\.0\.0\.1:\d+)/)
    const [, token = ''] = await process.err.until(/(xapt-[\w-]+)/)
    return new KillableService(directory, { flags, process, url, token })
  }

  /** Starts a service with the data of another one, in front of the same servers. */
  static async join(directory: string, { flags, env }: KillableService): Promise<KillableService> {
    const process = serve(directory, [await freeAddress(), ...flags])
    const [, url = ''] = await process.err.until(/ on (http:\/\/127\.0\.0\.1:\d+)/)
    return new KillableService(directory, { flags, process, url, token: env.EVQ_TOKEN ?? '' })
  }

  async killAndRestart(pauseMs: number): Promise<void> {
    await this.kill()
    await sleep(pauseMs)
    this.restart()
    await this.ready()
  }

  async kill(): Promise<void> {
    this.process.child.kill('SIGKILL')
    this.said.push((await this.process.ended).stderr)
  }

  restart(): void {
    this.process = serve(this.directory, [new URL(this.env.EVQ_URL ?? '').host, ...this.flags])
  }

  /** Waits until it responds. */
  async ready(): Promise<void> {
    await this.process.err.until(/Serving /)
  }

  async stop(): Promise<void> {
    this.process.child.kill('SIGTERM')
    this.said.push((await this.process.ended).stderr)
    rmSync(this.directory, { recursive: true })
  }
}

function serve(directory: string, listen: readonly string[]) {
  return start(['serve', '-q', '--listen', ...listen], { directory })
}

async function freeAddress(): Promise<string> {
  if (ports.length === 0) ports.push(...(await freePorts(31)))
  return `127.0.0.1:${ports.pop()}`
}
