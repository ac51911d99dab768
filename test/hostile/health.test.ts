import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needsLinux } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { inputs } from './inputs.js'
import { type ProbedService, probedService } from './probed-service.js'

// Requests with a valid token cannot harm the service: it still responds soon to others, and its memory is bounded.
// With `EVQ_HOSTILE` the inputs have their full size and both are measured; otherwise they are small and only need a response.

const IS_FULL = process.env.EVQ_HOSTILE !== undefined
const SHARE = IS_FULL ? 1 : 0.001
const HEALTH_P99_MS = 250
const MEMORY = 2 * 2 ** 30
const MEMORY_BESIDES = 500 * 1_000_000

let service: ProbedService

beforeAll(async () => {
  service = await probedService(join(temporaryDirectory(), 'data'), ['--query-memory', '2GiB'])
})

afterAll(() => service.stop())

describe.sequential('a service is not held up by', needsLinux, () => {
  it.each(inputs(SHARE))('$name', async ({ name, send }) => {
    const {
      result: statuses,
      ms,
      probes: during,
    } = await service.during(() => send(service.target))
    expect(during.filter(({ status }) => status !== 200)).toEqual([])
    expect(statuses.filter((status) => status >= 500)).toEqual([])
    if (!IS_FULL) return
    const health = p99(during.map(({ ms }) => ms))
    const bare = p99(during.map(({ bareMs }) => bareMs))
    const rss = Math.max(...during.map((probe) => probe.rss))
    process.stderr.write(
      `${name}: ${[...new Set(statuses)].join(' ')} in ${ms} ms; health p99 ${health} ms, of a bare server ${bare} ms, of ${during.length}; ${Math.round(rss / 1e6)} MB\n`,
    )
    expect.soft(health - bare).toBeLessThan(HEALTH_P99_MS)
    expect.soft(rss).toBeLessThan(MEMORY + MEMORY_BESIDES)
  })
})

function p99(ms: number[]): number {
  return ms.sort((a, b) => a - b)[Math.ceil(ms.length * 0.99) - 1] ?? 0
}
