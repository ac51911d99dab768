import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needsLinux } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { type HostileBody, hostileBodies, NATIVE, ORDINARY } from './bodies.js'
import { type ProbedService, probedService } from './probed-service.js'

// No body of a protocol holds up the service, or costs much more than native requests: than ordinary events of the same length, or
// than the same texts or messages, whichever cost more. A body may consist of millions of messages, which take their time on the
// native endpoint, too. With `EVQ_HOSTILE`, all are measured in the same run; otherwise the bodies are small and only need a
// response.

const IS_FULL = process.env.EVQ_HOSTILE !== undefined
const BYTES = IS_FULL ? 8_000_000 : 8_000
const HEALTH_MS = 250
const MOST_COST = 10
const COSTLIER: Readonly<Record<string, number>> = {
  // All envelopes are read before the number of new datasets is known; then 32 of these are created, and the request is refused.
  'HEC: 250 datasets': 20,
  // Twenty labels with escapes, in a text with escapes, are a tenth of a second more than ten times ordinary events.
  'Loki, JSON: labels in text': 15,
}

let service: ProbedService
let ordinarySeconds = 0
/** The CPU seconds of native requests with the same texts or messages. */
const nativeSeconds = new Map<string, number>()

beforeAll(async () => {
  service = await probedService(join(temporaryDirectory(), 'data'), [])
  if (!IS_FULL) return
  const body = ORDINARY.make(BYTES)
  const seconds: number[] = []
  for (let i = 0; i < 5; i++) {
    seconds.push(await cpuSeconds(() => ORDINARY.send(service.target, body)))
  }
  ordinarySeconds = seconds.sort((a, b) => a - b)[2]!
  process.stderr.write(`${ORDINARY.name}: ${seconds.join(', ')} CPU s\n`)
}, 600_000)

afterAll(() => service.stop())

/** True for a response that is no failure: 503 asks to repeat a request that has events for many new datasets. */
function isExpected(status: number): boolean {
  return status < 500 || status === 503
}

/** Sends native requests, and returns the CPU seconds that they take. */
async function cpuSeconds(send: () => Promise<number>): Promise<number> {
  const before = await service.idleCpuSeconds()
  expect(await send()).toSatisfy(isExpected)
  return (await service.idleCpuSeconds()) - before
}

/** Returns the CPU seconds of the native requests that a body is compared with. */
async function comparedSeconds({ protocol, native }: HostileBody): Promise<number> {
  if (native === undefined || protocol === NATIVE) return ordinarySeconds
  let seconds = nativeSeconds.get(native.name)
  if (seconds === undefined) {
    seconds = 0
    for (const body of native.make(BYTES)) {
      seconds += await cpuSeconds(() => native.send(service.target, body))
    }
    nativeSeconds.set(native.name, seconds)
  }
  return Math.max(ordinarySeconds, seconds)
}

describe.sequential('a body of 8 MB costs little', needsLinux, () => {
  it.each(hostileBodies(IS_FULL ? 'own' : 'shared'))(
    '$protocol: $name',
    { timeout: 600_000 },
    async (one) => {
      const body = one.make(BYTES)
      const send = () => one.send(service.target, body)
      if (!IS_FULL) {
        expect(await send()).toSatisfy(isExpected)
        return
      }
      const compared = await comparedSeconds(one)
      await one.prepare(service.target)
      const before = await service.idleCpuSeconds()
      const { result: status, ms, probes } = await service.during(send)
      const seconds = (await service.idleCpuSeconds()) - before
      const health = Math.max(...probes.map((probe) => probe.ms - probe.bareMs))
      const rss = Math.max(...probes.map((probe) => probe.rss))
      const ratio = seconds / compared
      process.stderr.write(
        `${one.protocol}: ${one.name}: ${status} in ${ms} ms, ${seconds.toFixed(2)} CPU s, ${ratio.toFixed(1)} × ${compared.toFixed(2)}; health ${health} ms; ${Math.round(rss / 1e6)} MB\n`,
      )
      expect(probes.filter((probe) => probe.status !== 200)).toEqual([])
      expect.soft(status).toSatisfy(isExpected)
      expect.soft(health).toBeLessThan(HEALTH_MS)
      // The native endpoint is what others are compared with.
      if (one.protocol.startsWith(NATIVE)) return
      expect.soft(ratio).toBeLessThan(COSTLIER[`${one.protocol}: ${one.name}`] ?? MOST_COST)
    },
  )
})
