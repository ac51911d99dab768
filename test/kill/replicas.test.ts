import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { serveFlags } from '../support/clickhouse-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'
import { KilledLoad } from './load.js'
import { numbersFrom } from './random.js'
import { KillableService } from './service.js'

/**
 * The long run is 100 rounds of 100,000 events. `EVQ_KILL_SEED` is the seed of the first round, to repeat one or to resume
 * after one; no round starts after `EVQ_KILL_SECONDS`.
 */
const ROUNDS = Math.min(100, Number(process.env.EVQ_KILLS ?? 3))
const EVENTS = Number(process.env.EVQ_KILL_EVENTS ?? (process.env.EVQ_LONG ? 100_000 : 2_000))
const FIRST_SEED = Number(process.env.EVQ_KILL_SEED ?? 1)
const LIMIT_MS = Number(process.env.EVQ_KILL_SECONDS ?? Number.POSITIVE_INFINITY) * 1000
const ROUND_MS = 600_000
/** Clients that store events. They go on until the end of a round, so that fewer of them cost less. */
const CLIENTS = process.env.EVQ_KILLS === undefined ? 2 : 4
const VICTIMS = ['replica', 'service', 'both'] as const

const scratch = temporaryDirectory()

it('two services in front of replicas store every event exactly once when a replica, a service or both are killed during an ingest', {
  ...needsReplicas,
  timeout: 300_000 + ROUNDS * ROUND_MS,
}, async () => {
  const replicas = await startReplicas({ shards: 2, replicas: 2 })
  const first = await KillableService.start(
    join(scratch, 'one'),
    ...serveFlags(replicas.urls, scratch),
  )
  const services = [first, await KillableService.join(join(scratch, 'other'), first)]
  const began = performance.now()
  for (let round = 0; round < ROUNDS && performance.now() - began < LIMIT_MS; round++) {
    await storesOnce(FIRST_SEED + round, { replicas, services })
  }
  for (const service of services) await service.stop()
  await replicas.stop()
})

interface Bed {
  readonly replicas: Replicas
  readonly services: readonly KillableService[]
}

/** A round, determined by its seed: an ingest into datasets of its own. */
async function storesOnce(seed: number, { replicas, services }: Bed): Promise<void> {
  const began = performance.now()
  const random = numbersFrom(seed)
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)]!
  const victim = VICTIMS[seed % VICTIMS.length]!
  const service = pick(services)
  const server = pick(replicas.servers)
  const urls = services.map(({ env }) => env.EVQ_URL ?? '')
  const token = services[0]?.env.EVQ_TOKEN ?? ''
  const clients = { ingesting: CLIENTS, querying: 1, mayBeAway: true, suffix: `-${seed}` }
  const load = new KilledLoad({ urls, token }, random, clients)
  const reached = (share: number) => () => load.total >= EVENTS * share || load.wrong.length > 0
  await until(reached(random() * 0.7), 'the ingest is in progress', ROUND_MS)
  await sleep(random() * 200)
  await Promise.all([victim !== 'service' && server.kill(), victim !== 'replica' && service.kill()])
  await sleep(random() * 3_000)
  if (victim !== 'service') await server.start()
  if (victim !== 'replica') {
    service.restart()
    await service.ready()
  }
  await until(reached(1), `${EVENTS} events are acknowledged`, ROUND_MS)
  await load.finish()
  const datasets = [...load.acknowledged]
  const found = await Promise.all(datasets.map(([dataset]) => load.counts(dataset)))
  const message = `seed ${seed}, killed: ${victim}`
  const distinct = sum(found.map(([, events = 0]) => events))
  process.stderr.write(
    `${message}: ${load.total} events acknowledged, ${distinct} found, ` +
      `${load.total - distinct} lost, ${sum(found.map(([events = 0]) => events)) - distinct} duplicated, ` +
      `${load.wrong.length} wrong responses, ${load.broken} requests broken, ` +
      `${((performance.now() - began) / 1000).toFixed(1)} s\n`,
  )
  expect(load.wrong, message).toEqual([])
  expect(found, message).toEqual(datasets.map(([, count]) => [count, count, 1, count - 1]))
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
