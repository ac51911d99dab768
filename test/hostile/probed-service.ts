import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { expect } from 'vitest'
import { start } from '../support/evq.js'
import { until } from '../support/until.js'
import { SYSLOG_DATASET, type SyslogTarget } from './bodies.js'

/** A response to `GET /healthz`. */
export interface Probe {
  readonly due: number
  readonly ms: number
  /** The response time of an idle server at the same moment. */
  readonly bareMs: number
  readonly status: number | string
  /** The due time of the oldest probe without a response. */
  readonly oldest: number
  readonly rss: number
}

/** A service that is asked for `GET /healthz` all the time. */
export interface ProbedService {
  readonly target: SyslogTarget
  /** Runs the work; resolves with its result, its time, and the probes that were due meanwhile. */
  during<Result>(work: () => Promise<Result>): Promise<Observed<Result>>
  /** Resolves with the CPU seconds of the service so far, once it is idle. */
  idleCpuSeconds(): Promise<number>
  stop(): Promise<void>
}

interface Observed<Result> {
  readonly result: Result
  readonly ms: number
  readonly probes: readonly Probe[]
}

/** The time for which an idle service uses no CPU time worth mentioning. */
const IDLE_MS = 400
const IDLE_TICKS = 4
const TICKS_PER_SECOND = 100

/** Starts a service on a data directory, and what probes it. */
export async function probedService(
  directory: string,
  flags: readonly string[],
): Promise<ProbedService> {
  const args = ['serve', '--listen', '127.0.0.1:0', '-q', '--syslog', '127.0.0.1:0']
  const service = start([...args, '--syslog-dataset', SYSLOG_DATASET, ...flags], { directory })
  const [, url = ''] = await service.err.until(/on (http:\S+)\. /)
  const [, token = ''] = await service.err.until(/shown only once: (xapt-\S+)\n/)
  const [, syslogPort] = await service.err.until(/Receiving syslog on 127\.0\.0\.1:(\d+) /)
  const pid = service.child.pid!
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare.js')])
  const [port] = await once(bare.stdout.setEncoding('utf8'), 'data')
  const bareUrl = `http://127.0.0.1:${String(port).trim()}`
  const script = join(import.meta.dirname, 'probe.js')
  const probe = spawn(process.execPath, [script, url, String(pid), bareUrl])
  const probes: Probe[] = []
  createInterface({ input: probe.stdout }).on('line', (line) => probes.push(JSON.parse(line)))
  return {
    target: { url, token, syslogPort: Number(syslogPort) },
    async during(work) {
      const from = Date.now()
      const result = await work()
      const to = Date.now()
      await until(
        () => probes.some(({ oldest, due }) => due > to && oldest > to),
        'an answer to `GET /healthz`',
        600_000,
      )
      const during = probes.filter(({ due }) => due >= from - 50 && due <= to)
      return { result, ms: to - from, probes: during }
    },
    async idleCpuSeconds() {
      for (let last = cpuTicks(pid); ; ) {
        await setTimeout(IDLE_MS)
        const now = cpuTicks(pid)
        if (now - last < IDLE_TICKS) return now / TICKS_PER_SECOND
        last = now
      }
    },
    async stop() {
      probe.kill()
      bare.kill()
      service.child.kill('SIGTERM')
      expect((await service.ended).status).toBe(0)
    },
  }
}

/** The CPU time of a process and its threads. */
function cpuTicks(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return Number(fields[11]) + Number(fields[12])
}
