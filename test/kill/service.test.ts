import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { temporaryDirectory } from '../support/temporary.js'
import { KilledLoad } from './load.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/** `EVQ_KILLS=200` is the long run. */
const KILLS = Number(process.env.EVQ_KILLS ?? 4)
const SEED = Number(process.env.EVQ_KILL_SEED ?? 1)
/** The maximum time between two kills. */
const PAUSE_MS = process.env.EVQ_KILLS === undefined ? 1_000 : 4_000

const scratch = temporaryDirectory()

it(
  'stores every acknowledged event exactly once when the service is killed under load at random moments',
  async () => {
    const random = numbersFrom(SEED)
    const service = await KillableService.start(join(scratch, 'data'))
    const { EVQ_URL: url = '', EVQ_TOKEN: token = '' } = service.env
    const load = new KilledLoad({ urls: [url], token }, random, { ingesting: 4, querying: 2 })
    for (let kill = 0; kill < KILLS && load.wrong.length === 0; kill++) {
      // Every fourth kill occurs during recovery or soon after.
      await sleep(kill % 4 === 3 ? random() * 500 : random() ** 2 * PAUSE_MS)
      await service.kill()
      await sleep(random() * 100)
      service.restart()
      if (kill % 4 !== 2) await service.ready()
      if (kill % 10 === 0) await load.answered()
    }
    await load.finish()
    const datasets = [...load.acknowledged]
    const found = await Promise.all(datasets.map(([dataset]) => load.counts(dataset)))
    await service.stop()
    process.stderr.write(`${KILLS} kills: ${load.broken} requests broken, ${datasets.join(' ')}\n`)
    expect(load.wrong, `seed ${SEED}`).toEqual([])
    expect(found).toEqual(datasets.map(([, count]) => [count, count, 1, count - 1]))
    // Nothing was repaired by hand, and no parts were detached.
    for (const output of service.said.slice(1))
      expect(output).toMatch(/^(Serving .*\n(Existing tokens are valid: .*\n)?)?$/)
  },
  300_000 + KILLS * 20_000,
)
