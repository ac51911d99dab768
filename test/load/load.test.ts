import { join } from 'node:path'
import { expect, it } from 'vitest'
import { start } from '../support/evq.js'
import { at, count, load, prepare } from '../support/load.js'
import { temporaryDirectory } from '../support/temporary.js'

// 8 clients store events and 8 query for `EVQ_LOAD` seconds: no error, no wrong result, no lost event, and
// constant memory. The short version in every test run checks only the first three.

const SECONDS = Number(process.env.EVQ_LOAD ?? 1)
/** The time until caches are filled and the engine's pools have their final size. */
const LONG_SECONDS = 120

const directory = join(temporaryDirectory(), 'data')

it(
  `carries 8 ingesting and 8 querying clients for ${SECONDS} s`,
  async () => {
    const process_ = start(['serve', '--listen', '127.0.0.1:0', '-q'], { directory })
    const [, url = ''] = await process_.err.until(/on (http:\S+)\. /)
    const [, token = ''] = await process_.err.until(/shown only once: (xapt-\S+)\n/)
    try {
      const service = { url, token }
      const { expected, idleMs } = await prepare(service)
      const found = await load(service, { seconds: SECONDS, expected })
      expect(found.errors).toEqual([])
      expect(found.queryMs.length).toBeGreaterThan(0)
      expect(await count(service)).toBe(found.stored)
      tell(idleMs, found)
      if (SECONDS >= LONG_SECONDS) expect(growth(found.memory)).toBeLessThan(1.15)
    } finally {
      process_.child.kill('SIGTERM')
      expect((await process_.ended).status).toBe(0)
    }
  },
  (SECONDS + 300) * 1000,
)

/** The maximum of the last third divided by that of the second. */
function growth(memory: readonly number[]): number {
  const third = Math.floor(memory.length / 3)
  return Math.max(...memory.slice(2 * third)) / Math.max(...memory.slice(third, 2 * third))
}

function tell(idleMs: readonly number[], found: Awaited<ReturnType<typeof load>>): void {
  const ms = (value: number | undefined) => `${(value ?? Number.NaN).toFixed(1)} ms`
  const mib = (bytes: number) => `${Math.round(bytes / 2 ** 20)} MiB`
  process.stderr.write(
    [
      `${found.stored} events, ${found.queryMs.length} queries in ${SECONDS} s`,
      `query p50 idle ${ms(at(idleMs, 0.5))}, loaded ${ms(at(found.queryMs, 0.5))}, p99 ${ms(at(found.queryMs, 0.99))}`,
      `ingest p50 ${ms(at(found.ingestMs, 0.5))}, p99 ${ms(at(found.ingestMs, 0.99))}`,
      `memory ${found.memory
        .filter((_, i) => i % Math.ceil(found.memory.length / 12) === 0)
        .map(mib)
        .join(' ')}\n`,
    ].join('\n'),
  )
}
