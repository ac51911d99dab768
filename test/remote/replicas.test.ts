import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch } from '../../src/engine/batch.js'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import { Leases } from '../../src/engine/cluster/leases.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'
import { CLUSTER } from '../support/clickhouse-server.js'
import {
  needsReplicas,
  type Replica,
  type Replicas,
  startReplicas,
} from '../support/replicas/replicas.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const LIMITS = { timeoutMs: 30_000, memoryBytes: 1_000_000_000 }
const DISCONNECTED = /ATTEMPT_TO_READ_AFTER_EOF|NETWORK_ERROR|ALL_CONNECTION_TRIES_FAILED/
const now = () => BigInt(Date.now()) * 1_000_000n

interface Service {
  readonly store: Store
  readonly engine: Engine
  readonly warnings: readonly string[]
}

describe('two shards of two replicas', needsReplicas, () => {
  let replicas: Replicas
  let one: Service
  let other: Service
  let directories = 0
  const open = new Set<Service>()

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2 })
    one = await service(0)
    other = await service(3)
  })

  afterAll(async () => {
    for (const { store } of open) await store.close()
    await replicas.stop()
  })

  /** Starts a service with the n-th server as the first one. */
  async function service(n: number): Promise<Service> {
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const nodes = replicas.urls
    const engine = await openCluster({ url: nodes[n]!, cluster: CLUSTER, nodes, warn })
    const directory = join(scratch, `${directories++}`)
    const store = await openStore({ directory, engine, now, warn })
    const opened = { store, engine, warnings }
    open.add(opened)
    return opened
  }

  async function ingest(
    { store }: Service,
    events: readonly unknown[],
    options: Partial<Batch> = {},
  ): Promise<number> {
    const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
    const { ingested } = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'bytes', bytes: Buffer.from(text) },
      arrivedAt: now(),
      timestampField: '_time',
      ...options,
    })
    return ingested
  }

  async function value({ engine, store }: Service, query: string): Promise<number> {
    await store.refresh()
    const { columns } = await engine.read(raw(query), LIMITS)
    return Number(JSON.parse(columns.get('v') ?? '[]')[0])
  }

  async function run({ url }: Replica, statement: string): Promise<string> {
    // The library aborts when another server resets a connection, and is started again.
    const response = await until(async () => {
      const sent = await fetch(url, { method: 'POST', body: statement })
      const text = (await sent.text()).trim()
      return !DISCONNECTED.test(text) && { isOk: sent.ok, text }
    }, `the server at ${url} responds`)
    if (!response.isOk) throw new Error(response.text)
    return response.text
  }

  const range = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => ({ n: from + i }))

  it('store each event on both replicas of one shard before they respond', async () => {
    for (let batch = 0; batch < 6; batch++) {
      expect(await ingest(one, range(batch * 10, 10), { batchId: `${batch}` })).toBe(10)
    }
    const own = await Promise.all(
      replicas.servers.map((server) =>
        run(server, 'SELECT groupUniqArray(`n:int`) FROM datasets_shard.logs'),
      ),
    )
    const numbers = own.map((text) => (JSON.parse(text) as number[]).sort((a, b) => a - b))
    expect(numbers[0]).toEqual(numbers[1])
    expect(numbers[2]).toEqual(numbers[3])
    expect([...numbers[0]!, ...numbers[2]!].sort((a, b) => a - b)).toEqual(
      range(0, 60).map(({ n }) => n),
    )
  })

  it('show at each service at once what another one stored, also in new fields', async () => {
    for (let i = 0; i < 5; i++) {
      await ingest(i % 2 ? one : other, [{ n: 100 + i, [`field${i}`]: i }])
      const found = await value(
        i % 2 ? other : one,
        `SELECT count() AS v FROM logs WHERE \`n:int\` = ${100 + i}`,
      )
      expect(found).toBe(1)
      expect((i % 2 ? other : one).store.schema.fields('logs')).toContainEqual({
        name: `field${i}`,
        type: 'int',
      })
    }
  })

  it('store a batch once that two services receive at the same time', async () => {
    for (let batch = 0; batch < 10; batch++) {
      const options = { dataset: 'twice', batchId: `both ${batch}` }
      const send = (service: Service) => ingest(service, range(batch * 10, 10), options)
      expect(await Promise.all([send(one), send(other)])).toEqual([10, 10])
    }
    const query = 'SELECT count() AS v FROM twice'
    expect(await value(one, query)).toBe(100)
    expect(await value(other, query)).toBe(100)
  })

  it('keep the type that two services give a new field at the same time', async () => {
    await Promise.all([
      ingest(one, [{ n: 1, both: 'text' }], { dataset: 'race' }),
      ingest(other, [{ n: 2, both: true }], { dataset: 'race' }),
    ])
    expect(await value(one, 'SELECT count() AS v FROM race')).toBe(2)
    const fields = one.store.schema.fields('race')
    await other.store.refresh()
    expect(other.store.schema.fields('race')).toEqual(fields)
    expect(fields).toContainEqual({ name: 'both', type: 'dynamic' })
  })

  it('delete and rename datasets on all servers', async () => {
    await ingest(one, [{ n: 1 }], { dataset: 'former' })
    expect(await other.store.rename('former', 'latter')).toBe('unknown')
    await other.store.refresh()
    expect(await other.store.rename('former', 'latter')).toBe('renamed')
    await one.store.refresh()
    await ingest(one, [{ n: 2 }, { n: 3 }], { dataset: 'former' })
    expect(await value(one, 'SELECT count() AS v FROM former')).toBe(2)
    expect(await value(other, 'SELECT count() AS v FROM latter')).toBe(1)
    expect(await one.store.remove('former')).toBe(true)
    await ingest(one, [{ n: 4 }], { dataset: 'former' })
    expect(await value(other, 'SELECT count() AS v FROM former')).toBe(1)
  })

  it('give a lease to one service, and to another one once it has expired', async () => {
    const leases = [new Leases(one.engine), new Leases(other.engine)] as const
    for (const name of ['first', 'second', 'third']) {
      const attempts = Array.from({ length: 6 }, (_, i) => leases[i % 2]!.tryAcquire(name))
      const acquired = (await Promise.all(attempts)).filter((lease) => lease !== undefined)
      expect(acquired).toHaveLength(1)
      expect(await leases[0].tryAcquire(name)).toBeUndefined()
      await run(
        replicas.servers[1]!,
        `ALTER TABLE evq.keeper_lease UPDATE at = at - INTERVAL 150 SECOND WHERE name = '${name}'`,
      )
      const again = await leases[0].tryAcquire(name)
      expect(again).toBeDefined()
      again?.release()
      await until(() => leases[1].tryAcquire(name), 'the lease is free')
    }
    for (const each of leases) await each.close()
    const held = "SELECT count() FROM evq.keeper_lease WHERE name IN ('first', 'second', 'third')"
    expect(await run(replicas.servers[2]!, held)).toBe('0')
  })

  describe('of which one server was killed', () => {
    let killed: Replica

    beforeAll(async () => {
      killed = replicas.servers[0]!
      await killed.kill()
    })

    it('accept events and return all of them', async () => {
      const before = await value(other, 'SELECT count() AS v FROM logs')
      for (let batch = 0; batch < 4; batch++) {
        const options = { batchId: `while away ${batch}` }
        expect(await ingest(one, range(1_000 + batch, 1), options)).toBe(1)
      }
      expect(await ingest(one, [{ n: 2_000, late: 'x' }])).toBe(1)
      expect(await ingest(one, [{ n: 1 }], { dataset: 'created' })).toBe(1)
      expect(await value(one, 'SELECT count() AS v FROM logs')).toBe(before + 5)
      expect(await value(other, 'SELECT count() AS v FROM logs')).toBe(before + 5)
      expect(one.warnings.join()).toContain(`The ClickHouse server \`${killed.url}\` is not used`)
    })

    it('keep saved queries and tokens', async () => {
      await one.store.starredQueries.put({ id: 'q', body: '{}' })
      expect(await other.store.starredQueries.list()).toEqual([{ id: 'q', body: '{}' }])
    })

    it('set the server up when it is back', async () => {
      await killed.start()
      const last = () => one.warnings.findLast((warning) => warning.includes(killed.url))
      const isUsed = `The ClickHouse server \`${killed.url}\` is used again.`
      await until(() => last() === isUsed, 'the server is used again')
      const count = (table: string) => run(killed, `SELECT count() FROM ${table}`)
      const all = String(await value(one, 'SELECT count() AS v FROM logs'))
      await until(async () => (await count('datasets.logs')) === all, 'it has all events')
      await until(async () => (await count('datasets.created')) === '1', 'it has the new dataset')
      expect(await run(killed, "SELECT count() FROM datasets.logs WHERE `late:string` = 'x'")).toBe(
        '1',
      )
    })
  })
})
