import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needsLinux } from '../support/needs.js'
import { temporaryDirectory } from '../support/temporary.js'
import { hostileBodies, NATIVE, ORDINARY } from './bodies.js'
import { type ProbedService, probedService } from './probed-service.js'

// No body of a protocol holds up the service, or costs much more than ordinary events of the same length. With `EVQ_HOSTILE` both
// are measured; otherwise the bodies are small and only need a response.

const IS_FULL = process.env.EVQ_HOSTILE !== undefined
const BYTES = IS_FULL ? 8_000_000 : 8_000
const HEALTH_MS = 250
const MOST_COST = 10
/**
 * Bodies that cost more. Syslog has no requests: 8 MB of it are up to four million messages, four times as many as a request may
 * have lines.
 */
const COSTLIER: Readonly<Record<string, number>> = {
  'syslog: lines of one letter': 80,
  'syslog: frames of 3 bytes': 40,
  'syslog: parameters of one element': 30,
  'syslog: other times': 30,
  'syslog: programs that are known': 30,
}

let service: ProbedService
let ordinarySeconds = 0
/** The CPU seconds of native requests with the same texts, by the name of the body. */
const nativeSeconds = new Map<string, number>()

beforeAll(async () => {
  service = await probedService(join(temporaryDirectory(), 'data'), [])
  if (!IS_FULL) return
  const body = ORDINARY.make(BYTES)
  const seconds: number[] = []
  for (let i = 0; i < 5; i++) {
    const before = await service.idleCpuSeconds()
    expect(await ORDINARY.send(service.target, body)).toBe(200)
    seconds.push((await service.idleCpuSeconds()) - before)
  }
  ordinarySeconds = seconds.sort((a, b) => a - b)[2]!
  process.stderr.write(`${ORDINARY.name}: ${seconds.join(', ')} CPU s\n`)
}, 600_000)

afterAll(() => service.stop())

/** True for a response that is no failure: 503 asks to repeat a request that has events for many new datasets. */
function isExpected(status: number): boolean {
  return status < 500 || status === 503
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
      const before = await service.idleCpuSeconds()
      const { result: status, ms, probes } = await service.during(send)
      const seconds = (await service.idleCpuSeconds()) - before
      const health = Math.max(...probes.map((probe) => probe.ms - probe.bareMs))
      const rss = Math.max(...probes.map((probe) => probe.rss))
      const ratio = seconds / Math.max(ordinarySeconds, nativeSeconds.get(one.name) ?? 0)
      if (one.protocol === NATIVE) nativeSeconds.set(one.name, seconds)
      process.stderr.write(
        `${one.protocol}: ${one.name}: ${status} in ${ms} ms, ${seconds.toFixed(2)} CPU s, ${ratio.toFixed(1)} ×; health ${health} ms; ${Math.round(rss / 1e6)} MB\n`,
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
