import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { needsLinux } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { inputs } from './inputs.js'
import type { Target } from './requests.js'

// Requests with a valid token cannot harm the service: it still responds soon to others, and its memory is bounded.
// With `EVQ_HOSTILE` the inputs have their full size and both are measured; otherwise they are small and only need a response.

const IS_FULL = process.env.EVQ_HOSTILE !== undefined
const SHARE = IS_FULL ? 1 : 0.001
const HEALTH_P99_MS = 250
const MEMORY = 2 * 2 ** 30
const MEMORY_BESIDES = 500 * 1_000_000

interface Probe {
  readonly due: number
  readonly ms: number
  /** The response time of an idle server at the same moment. */
  readonly bareMs: number
  readonly status: number | string
  /** The due time of the oldest probe without a response. */
  readonly oldest: number
  readonly rss: number
}

const directory = join(temporaryDirectory(), 'data')
const probes: Probe[] = []
let target: Target
let stop = async (): Promise<void> => {}

beforeAll(async () => {
  const args = ['serve', '--listen', '127.0.0.1:0', '-q', '--query-memory', '2GiB']
  const service = start(args, { directory })
  const [, url = ''] = await service.err.until(/on (http:\S+)\. /)
  const [, token = ''] = await service.err.until(/shown only once: (xapt-\S+)\n/)
  target = { url, token }
  const bare = spawn(process.execPath, [join(import.meta.dirname, 'bare.js')])
  const [port] = await once(bare.stdout.setEncoding('utf8'), 'data')
  const probe = spawn(process.execPath, [
    join(import.meta.dirname, 'probe.js'),
    url,
    String(service.child.pid),
    `http://127.0.0.1:${String(port).trim()}`,
  ])
  createInterface({ input: probe.stdout }).on('line', (line) => probes.push(JSON.parse(line)))
  stop = async () => {
    probe.kill()
    bare.kill()
    service.child.kill('SIGTERM')
    expect((await service.ended).status).toBe(0)
  }
})

afterAll(() => stop())

describe.sequential('a service is not held up by', needsLinux, () => {
  it.each(inputs(SHARE))('$name', async ({ name, send }) => {
    const from = Date.now()
    const statuses = await send(target)
    const to = Date.now()
    await until(
      () => probes.some(({ oldest, due }) => due > to && oldest > to),
      'an answer to `GET /healthz`',
      600_000,
    )
    const during = probes.filter(({ due }) => due >= from - 50 && due <= to)
    expect(during.filter(({ status }) => status !== 200)).toEqual([])
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    if (!IS_FULL) return
    const health = p99(during.map(({ ms }) => ms))
    const bare = p99(during.map(({ bareMs }) => bareMs))
    const rss = Math.max(...during.map((probe) => probe.rss))
    process.stderr.write(
      `${name}: ${[...new Set(statuses)].join(' ')} in ${to - from} ms; health p99 ${health} ms, of a bare server ${bare} ms, of ${during.length}; ${Math.round(rss / 1e6)} MB\n`,
    )
    expect.soft(health - bare).toBeLessThan(HEALTH_P99_MS)
    expect.soft(rss).toBeLessThan(MEMORY + MEMORY_BESIDES)
  })
})

function p99(ms: number[]): number {
  return ms.sort((a, b) => a - b)[Math.ceil(ms.length * 0.99) - 1] ?? 0
}
