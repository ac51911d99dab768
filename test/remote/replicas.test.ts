import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  needsReplicas,
  type Replica,
  type Replicas,
  startReplicas,
} from '../support/replicas/replicas.js'
import {
  batchIdOf,
  type ClusterService,
  count,
  ingest,
  isUsed,
  openService,
  range,
  run,
  value,
} from '../support/replicas/service.js'
import { unrenewedLeases } from '../support/unrenewed-leases.js'
import { until } from '../support/until.js'

const ROUNDS = process.env.EVQ_LONG ? 5 : 2

describe('two shards of two replicas', needsReplicas, () => {
  let replicas: Replicas
  let one: ClusterService
  let other: ClusterService

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2 })
    one = await openService(replicas.urls)
    other = await openService(replicas.urls, { first: 3 })
  })

  afterAll(async () => {
    for (const { store } of [one, other]) await store.close()
    await replicas.stop()
  })

  it('store each event on both replicas of one shard before they respond', async () => {
    for (const shard of [0, 1]) {
      for (let round = 0; round < ROUNDS; round++) {
        const events = range((shard * ROUNDS + round) * 10, 10)
        expect(await ingest(one, events, { batchId: batchIdOf(shard) })).toBe(10)
      }
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
      range(0, 20 * ROUNDS).map(({ n }) => n),
    )
    expect(numbers[0]).toHaveLength(10 * ROUNDS)
  })

  it('show at each service at once what another one stored, also in new fields', async () => {
    for (let i = 0; i < ROUNDS; i++) {
      await ingest(i % 2 ? one : other, [{ n: 100 + i, [`field${i}`]: i }])
      const found = await value(
        i % 2 ? other : one,
        `SELECT count() AS v FROM logs WHERE \`n:int\` = ${100 + i}`,
      )
      expect(found).toBe(1)
      // Its type follows with its column, which is added in the background.
      const fields = (i % 2 ? other : one).store.schema.fields('logs')
      expect(fields?.map(({ name }) => name)).toContain(`field${i}`)
    }
  })

  it('store a batch once that two services receive at the same time', async () => {
    for (let batch = 0; batch < ROUNDS; batch++) {
      const options = { dataset: 'twice', batchId: `both ${batch}` }
      const send = (service: ClusterService) => ingest(service, range(batch * 10, 10), options)
      expect(await Promise.all([send(one), send(other)])).toEqual([10, 10])
    }
    const query = 'SELECT count() AS v FROM twice'
    expect(await value(one, query)).toBe(10 * ROUNDS)
    expect(await value(other, query)).toBe(10 * ROUNDS)
  })

  it('keep the type that two services give a new field at the same time', async () => {
    await Promise.all([
      ingest(one, [{ n: 1, both: 'text' }], { dataset: 'race' }),
      ingest(other, [{ n: 2, both: true }], { dataset: 'race' }),
    ])
    expect(await count(one, 'race')).toBe(2)
    const fields = one.store.schema.fields('race')
    await other.store.refresh()
    expect(other.store.schema.fields('race')).toEqual(fields)
    expect(fields).toContainEqual({ name: 'both', type: 'dynamic', wireType: '' })
  })

  it('delete and rename datasets on all servers', async () => {
    await ingest(one, [{ n: 1 }], { dataset: 'former' })
    expect(await other.store.rename('former', 'latter')).toBe('unknown')
    await other.store.refresh()
    expect(await other.store.rename('former', 'latter')).toBe('renamed')
    await one.store.refresh()
    await ingest(one, [{ n: 2 }, { n: 3 }], { dataset: 'former' })
    expect(await count(one, 'former')).toBe(2)
    expect(await count(other, 'latter')).toBe(1)
    expect(await one.store.remove('former')).toBe(true)
    await ingest(one, [{ n: 4 }], { dataset: 'former' })
    expect(await count(other, 'former')).toBe(1)
  })

  it('give a lease to one service, and to another one once it has expired', async () => {
    const leases = [unrenewedLeases(one.engine), unrenewedLeases(other.engine)] as const
    const names = Array.from({ length: ROUNDS }, (_, round) => `lease ${round}`)
    for (const name of names) {
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
    const held = "SELECT count() FROM evq.keeper_lease WHERE startsWith(name, 'lease ')"
    expect(await run(replicas.servers[2]!, held)).toBe('0')
  })

  describe('of which one server was killed', () => {
    let killed: Replica

    beforeAll(async () => {
      killed = replicas.servers[0]!
      await killed.kill()
    })

    it('accept events and return all of them', async () => {
      const before = await count(other)
      for (const shard of [0, 1]) {
        const options = { batchId: batchIdOf(shard) }
        expect(await ingest(one, range(1_000 + shard, 1), options)).toBe(1)
      }
      expect(await ingest(one, [{ n: 2_000, late: 'x' }])).toBe(1)
      expect(await ingest(one, [{ n: 1 }], { dataset: 'created' })).toBe(1)
      expect(await count(one)).toBe(before + 3)
      expect(await count(other)).toBe(before + 3)
      expect(one.warnings.join()).toContain(`The ClickHouse server \`${killed.url}\` is not used`)
    })

    it('keep saved queries and tokens', async () => {
      await one.store.starredQueries.put({ id: 'q', body: '{}' })
      expect(await other.store.starredQueries.list()).toEqual([{ id: 'q', body: '{}' }])
    })

    it('set the server up when it is back', async () => {
      await killed.start()
      await isUsed(one, killed)
      const own = (table: string) => run(killed, `SELECT count() FROM ${table}`)
      const all = String(await count(one))
      await until(async () => (await own('datasets.logs')) === all, 'it has all events')
      await until(async () => (await own('datasets.created')) === '1', 'it has the new dataset')
      // A field without a column is in the text of the event.
      const late = `SELECT count() FROM datasets.logs WHERE position(line, '"late":"x"') > 0`
      expect(await run(killed, late)).toBe('1')
    })
  })
})
