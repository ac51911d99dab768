import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { needsServers, serveFlags, startServers } from '../support/clickhouse-server.js'
import { temporaryDirectory } from '../support/temporary.js'
import { KilledLoad } from './load.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/** `EVQ_KILLS=200` is the long run. */
const KILLS = Number(process.env.EVQ_KILLS ?? 2)
const SEED = Number(process.env.EVQ_KILL_SEED ?? 1)
/** The maximum time between two kills. */
const PAUSE_MS = process.env.EVQ_KILLS === undefined ? 1_000 : 4_000
/** Clients that store events. They go on until the last kill, so that fewer of them cost less. */
const CLIENTS = process.env.EVQ_KILLS === undefined ? 2 : 4

const scratch = temporaryDirectory()

describe('a service in front of ClickHouse', needsServers, () => {
  it(
    'stores every acknowledged event exactly once when it or the server is killed at random moments',
    async () => {
      const random = numbersFrom(SEED)
      const clickHouse = await startServers(1)
      const { servers } = clickHouse
      const service = await KillableService.start(
        join(scratch, 'data'),
        ...serveFlags(
          servers.map(({ url }) => url),
          scratch,
        ),
      )
      const { EVQ_URL: url = '', EVQ_TOKEN: token = '' } = service.env
      const clients = { ingesting: CLIENTS, querying: 1, mayBeAway: true }
      const load = new KilledLoad({ urls: [url], token }, random, clients)
      const killed: string[] = []
      for (let kill = 0; kill < KILLS && load.wrong.length === 0; kill++) {
        await sleep(random() ** 2 * PAUSE_MS)
        const victim = Math.floor(random() * 2)
        const server = servers[victim]
        killed.push(server === undefined ? 'service' : `server ${victim}`)
        if (server === undefined) {
          await service.killAndRestart(random() * 300)
        } else {
          await server.kill()
          await sleep(random() * 500)
          await server.start()
        }
        if (kill % 10 === 0) await load.answered()
      }
      await load.finish()
      const datasets = [...load.acknowledged]
      const found = await Promise.all(datasets.map(([dataset]) => load.counts(dataset)))
      await service.stop()
      await clickHouse.stop()
      process.stderr.write(`${killed}: ${load.broken} requests broken, ${datasets.join(' ')}\n`)
      expect(load.wrong, `seed ${SEED}`).toEqual([])
      expect(found).toEqual(datasets.map(([, events]) => [events, events, 1, events - 1]))
    },
    300_000 + KILLS * 20_000,
  )
})
