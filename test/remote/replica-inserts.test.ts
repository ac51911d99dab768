import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { RemoteEngine } from '../../src/engine/clickhouse/remote.js'
import { RemoteServer } from '../../src/engine/clickhouse/remote-server.js'
import { arePrepared, prepareReplica } from '../../src/engine/cluster/replica-bootstrap.js'
import type { Replica } from '../../src/engine/cluster/replica-set.js'
import { CLUSTER, type ClickHouseServer } from '../support/clickhouse-server.js'
import { failingServer } from '../support/replicas/failing-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import {
  type ClusterService,
  count,
  dropReplica,
  ingest,
  isUsed,
  numberOf,
  openService,
  range,
  read,
  run,
} from '../support/replicas/service.js'
import { until } from '../support/until.js'

const EVENTS = 20
const ROUNDS = process.env.EVQ_LONG ? 5 : 2

/** Stores events with unique values of `n`, which the name of their batch selects. */
function store(
  service: ClusterService,
  batch: number,
  { dataset = 'logs', fields = {} }: { readonly dataset?: string; readonly fields?: object } = {},
): Promise<number> {
  const events = range(batch * EVENTS, EVENTS).map((event) => ({ ...event, ...fields }))
  return ingest(service, events, { dataset, batchId: `batch ${batch}` })
}

/** Sends a batch until it is stored, like a client. */
async function deliver(...args: Parameters<typeof store>): Promise<number> {
  for (;;) {
    try {
      return await store(...args)
    } catch (error) {
      if (Reflect.get(Object(error), 'reason') !== 'unavailable') throw error
    }
  }
}

/** Returns the numbers of events and of distinct ones. */
async function counts(service: ClusterService): Promise<readonly number[]> {
  const query = 'SELECT count() AS v, uniqExact(`n:int`) AS distinct FROM logs'
  const result = await read(service, query)
  return ['v', 'distinct'].map((name) => numberOf(result, name))
}

/** Connects to two replicas as a service does. */
async function connect({ urls }: Replicas): Promise<readonly [Replica, Replica]> {
  const both = urls.map(async (url, position): Promise<Replica> => {
    const server = await RemoteServer.open({ url })
    const engine = new RemoteEngine(server, { settings: { database: 'system' } })
    return { url, shard: 0, position, server, engine } as unknown as Replica
  })
  return (await Promise.all(both)) as [Replica, Replica]
}

describe('two services in front of two replicas', needsReplicas, () => {
  let replicas: Replicas
  let services: readonly [ClusterService, ClusterService]
  let batches = 0

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 1, replicas: 2 })
    services = [await openService(replicas.urls), await openService([...replicas.urls].reverse())]
    expect(await store(services[0], batches++)).toBe(EVENTS)
  })

  afterAll(async () => {
    for (const { store } of services) await store.close()
    await replicas.stop()
  })

  /** Sends new batches, each to both services at the same time. */
  function deliverTwice(count: number): Promise<readonly number[]> {
    const own = Array.from({ length: count }, () => batches++)
    return Promise.all(own.flatMap((batch) => services.map((service) => deliver(service, batch))))
  }

  /** All batches are stored exactly once, and both replicas have all of them. */
  async function expectAll(): Promise<void> {
    const all = batches * EVENTS
    for (const service of services) expect(await counts(service)).toEqual([all, all])
    for (const server of replicas.servers) {
      const own = () => run(server, 'SELECT count() FROM datasets_shard.logs')
      await until(async () => (await own()) === `${all}`, `${server.url} has all events`)
    }
  }

  it('store every batch once while their sessions in Keeper expire', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const sent = deliverTwice(2)
      replicas.keeper.expireAll()
      expect(await sent).toEqual(Array(4).fill(EVENTS))
    }
    await expectAll()
  })

  it('store every batch once while Keeper hangs for 5 s', async () => {
    replicas.keeper.pause()
    const sent = deliverTwice(2)
    try {
      await sleep(5_000)
      expect(await counts(services[0])).toEqual([expect.any(Number), expect.any(Number)])
    } finally {
      replicas.keeper.resume()
    }
    expect(await sent).toEqual(Array(4).fill(EVENTS))
    await expectAll()
  })

  it('respond once both replicas have the events when fetches were stopped', async () => {
    const [first, second] = replicas.servers
    for (const server of [first!, second!]) {
      await run(server, 'SYSTEM STOP FETCHES datasets_shard.logs')
    }
    const batch = batches++
    let isAcknowledged = false
    const sent = deliver(services[0], batch).finally(() => {
      isAcknowledged = true
    })
    const query = `SELECT count() FROM datasets_shard.logs WHERE \`n:int\` = ${batch * EVENTS}`
    const copies = async () => [await run(first!, query), await run(second!, query)].sort().join()
    await until(async () => (await copies()) === '0,1', 'one replica has the events')
    expect(isAcknowledged).toBe(false)
    for (const server of [first!, second!]) {
      await run(server, 'SYSTEM START FETCHES datasets_shard.logs')
    }
    expect(await sent).toBe(EVENTS)
    expect(await copies()).toBe('1,1')
    await expectAll()
  })

  it('store a batch once when the disk of the only replica that has it is lost before the fetch', async () => {
    const [first, second] = replicas.servers
    const batch = batches++
    const query = `SELECT count() FROM datasets_shard.logs WHERE \`n:int\` = ${batch * EVENTS}`
    for (const server of [first!, second!]) {
      await run(server, 'SYSTEM STOP FETCHES datasets_shard.logs')
    }
    const sent = deliver(services[0], batch)
    const holder = await until(async () => {
      for (const server of [first!, second!]) if ((await run(server, query)) === '1') return server
      return false
    }, 'one replica has the events')
    const other = holder === first ? second! : first!
    await holder.loseDisk()
    await run(other, 'SYSTEM START FETCHES datasets_shard.logs')
    expect(await sent).toBe(EVENTS)
    expect(await counts(services[0])).toEqual([batches * EVENTS, batches * EVENTS])
    await holder.start()
    await dropReplica(() => run(other, `SYSTEM DROP REPLICA '${holder.name}'`))
    for (const service of services) await isUsed(service, holder)
    await expectAll()
  })

  it('store events and fields while the table of a replica is read-only', async () => {
    const [first, second] = replicas.servers
    const state = `SELECT is_readonly FROM system.replicas WHERE table = 'logs'`
    await first!.kill()
    const drop = `SYSTEM DROP REPLICA '${first!.name}' FROM TABLE datasets_shard.logs`
    await until(async () => (await run(second!, drop)) === '', 'its session in Keeper expires')
    await first!.start()
    await until(async () => (await run(first!, state)) === '1', 'its table is loaded')
    // It asks the first replica first.
    const service = await openService(replicas.urls)
    for (const one of [...services, service]) {
      const fields = { [`new${batches}`]: 1 }
      expect(await store(one, batches++, { fields })).toBe(EVENTS)
    }
    expect(await run(first!, state)).toBe('1')
    await service.store.close()
    await run(first!, 'SYSTEM RESTORE REPLICA datasets_shard.logs')
    await expectAll()
  })

  it('extend the schema at the same time', async () => {
    const names: string[] = []
    for (let round = 1; round <= ROUNDS; round++) {
      const sent = services.map((service, i) => {
        const own = [`own${round}_${i}`, `other${round}_${i}`, `both${round}`]
        names.push(...own)
        return deliver(service, batches++, {
          fields: Object.fromEntries(own.map((name) => [name, round])),
        })
      })
      expect(await Promise.all(sent)).toEqual([EVENTS, EVENTS])
    }
    await expectAll()
    const columnsOf = `SELECT name FROM system.columns WHERE database = 'datasets' AND table = 'logs'`
    const known = (await run(replicas.servers[0]!, columnsOf)).split('\n')
    // Columns are added in the background: a value is in a column, or in the remainder of its event.
    const stored = (name: string): string => {
      const rest = `JSONExtractInt(line, '${name}')`
      return known.includes(`${name}:int`) ? `ifNull(\`${name}:int\`, ${rest})` : rest
    }
    for (const service of services) {
      const fields = service.store.schema.fields('logs') ?? []
      expect(fields.map(({ name }) => name)).toEqual(expect.arrayContaining(names))
      const sums = names.map((name, i) => `sum(${stored(name)}) AS s${i}`).join()
      const { columns } = await read(service, `SELECT ${sums} FROM logs`)
      for (const [i, name] of names.entries()) {
        const round = Number(/\d+/.exec(name)?.[0])
        const events = name.startsWith('both') ? 2 * EVENTS : EVENTS
        expect(columns.get(`s${i}`)).toMatch(new RegExp(`^\\["?${round * events}"?\\]$`))
      }
    }
  })

  it('create a table that a server in use lacks', async () => {
    const [, second] = replicas.servers
    await run(second!, 'DROP TABLE datasets.logs SYNC')
    await run(second!, 'DROP TABLE datasets_shard.logs SYNC')
    const sent = services.map((service, i) =>
      deliver(service, batches++, { fields: { [`after${i}`]: 1 } }),
    )
    expect(await Promise.all(sent)).toEqual([EVENTS, EVENTS])
    await expectAll()
  })

  it('know a dataset that the server which they ask lacks', async () => {
    const dataset = 'created'
    expect(await store(services[0], 0, { dataset, fields: { only: 1 } })).toBe(EVENTS)
    const [first] = replicas.servers
    await run(first!, `DROP TABLE datasets.${dataset} SYNC`)
    await run(first!, `DROP TABLE datasets_shard.${dataset} SYNC`)
    for (const { store } of services) {
      await store.refresh()
      expect(store.schema.datasets).toContain(dataset)
      expect(store.schema.fields(dataset)?.map(({ name }) => name)).toContain('only')
    }
    expect(await store(services[1], 1, { dataset })).toBe(EVENTS)
    const each = services.map((service) => count(service, dataset))
    expect(await Promise.all(each)).toEqual([2 * EVENTS, 2 * EVENTS])
  })

  it('do not create a dataset again that is being deleted', async () => {
    expect(await store(services[0], 0, { dataset: 'deleted' })).toBe(EVENTS)
    const drop = async (server: ClickHouseServer): Promise<void> => {
      await run(server, 'DROP TABLE IF EXISTS datasets.deleted SYNC')
      await run(server, 'DROP TABLE IF EXISTS datasets_shard.deleted SYNC')
    }
    const [own, other] = await connect(replicas)
    await drop(replicas.servers[0]!)
    const { ask } = RemoteEngine.prototype
    other.engine.ask = async function (query) {
      const result = await ask.call(this, query)
      await drop(replicas.servers[1]!)
      return result
    }
    await prepareReplica(own, { others: [other], isComplete: true, cluster: CLUSTER })
    const tables = "SELECT count() FROM system.tables WHERE name = 'deleted'"
    expect(await run(replicas.servers[0]!, tables)).toBe('0')
    for (const { server } of [own, other]) await server.close()
  })

  it('start while a server fails', async () => {
    const failing = await failingServer(replicas.urls[0]!, { at: /KILL QUERY/ })
    const service = await openService([failing.url, replicas.urls[1]!])
    expect(service.warnings.join()).toContain(`\`${failing.url}\` is not used`)
    expect(await store(service, batches++)).toBe(EVENTS)
    await expectAll()
    await service.store.close()
    failing.stop()
  })

  it('return an event at once of which the server that is read has no copy', async () => {
    const [first, second] = replicas.servers
    const service = await openService(replicas.urls)
    const [before = 0] = await counts(service)
    await run(first!, 'SYSTEM STOP FETCHES datasets_shard.logs')
    await run(second!, "INSERT INTO datasets_shard.logs (_seq, line) SELECT 1, '{}'")
    expect((await counts(service))[0]).toBe(before + 1)
    expect(await run(first!, 'SELECT count() FROM datasets_shard.logs')).toBe(`${before}`)
    await run(first!, 'SYSTEM START FETCHES datasets_shard.logs')
    await service.store.close()
  })
})

describe('two services in front of replicas without `KeeperMap`', needsReplicas, () => {
  let replicas: Replicas

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 1, replicas: 2, hasNoKeeperMap: true })
  })

  afterAll(() => replicas.stop())

  it('store every batch once, also while a server is away', async () => {
    const services = [
      await openService(replicas.urls),
      await openService([...replicas.urls].reverse()),
    ] as const
    const deliverTwice = (from: number) => {
      const own = [from, from + 1]
      return Promise.all(
        own.flatMap((batch) =>
          services.map((service) => deliver(service, batch, { fields: { [`field${batch}`]: 1 } })),
        ),
      )
    }
    expect(await deliverTwice(0)).toEqual(Array(4).fill(EVENTS))
    const sent = deliverTwice(2)
    await replicas.servers[0]!.kill()
    expect(await sent).toEqual(Array(4).fill(EVENTS))
    expect(await deliverTwice(4)).toEqual(Array(4).fill(EVENTS))
    await replicas.servers[0]!.start()
    for (const service of services) await isUsed(service, replicas.servers[0]!)
    for (const service of services) {
      expect(await counts(service)).toEqual([6 * EVENTS, 6 * EVENTS])
      await service.store.close()
    }
  })

  it('prepare servers only when tables or columns are missing', async () => {
    const service = await openService(replicas.urls)
    await store(service, 0, { dataset: 'prepared' })
    // From then on, no service prepares them.
    await service.store.close()
    const [one, other] = await connect(replicas)
    const are = () => arePrepared([one, other])
    await until(are, 'all columns are there')
    await run(one, 'ALTER TABLE datasets.prepared DROP COLUMN `n:int`')
    expect(await are()).toBe(false)
    await prepareReplica(one, { others: [other], isComplete: true, cluster: CLUSTER })
    expect(await are()).toBe(true)
    await run(one, 'DROP TABLE datasets.prepared SYNC')
    expect(await are()).toBe(false)
    await run(one, 'DROP TABLE datasets_shard.prepared SYNC')
    expect(await are()).toBe(false)
    await run(other, 'DROP TABLE datasets.prepared SYNC')
    await run(other, 'DROP TABLE datasets_shard.prepared SYNC')
    expect(await are()).toBe(true)
    for (const { server } of [one, other]) await server.close()
  })
})
