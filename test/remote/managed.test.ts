import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch } from '../../src/engine/batch.js'
import { openRemote } from '../../src/engine/clickhouse/open-address.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw, type Sql, sql } from '../../src/sql/sql.js'
import type { ClickHouseServer } from '../support/clickhouse-server.js'
import { type OneAddress, startAddress } from '../support/replicas/one-address.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { run } from '../support/replicas/service.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const BATCHES = process.env.EVQ_LONG ? 10 : 4
const now = () => BigInt(Date.now()) * 1_000_000n

describe('two servers behind one address', needsReplicas, () => {
  let replicas: Replicas

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 1, replicas: 2 })
  })

  afterAll(() => replicas.stop())

  it('are refused when each has tables of its own', async () => {
    const address = await startAddress(replicas.servers, { replicates: false })
    await expect(openRemote({ url: address.url })).rejects.toThrow(
      `\`${address.url}\` is the address of several ClickHouse servers, each with tables of its own. Give the address of one server, or name their cluster with \`--cluster\`.`,
    )
    address.stop()
  })

  describe('that replicate all tables', () => {
    let address: OneAddress
    const services: { readonly store: Store; readonly engine: Engine }[] = []

    beforeAll(async () => {
      address = await startAddress(replicas.servers, { replicates: true })
      for (const name of ['one', 'other']) {
        const engine = await openRemote({ url: address.url })
        const store = await openStore({ directory: join(scratch, name), engine, now })
        services.push({ store, engine })
      }
    })

    afterAll(async () => {
      for (const { store } of services) await store.close()
      address.stop()
    })

    async function ingest(
      service: number,
      events: readonly unknown[],
      options: Partial<Batch> = {},
    ): Promise<number> {
      const text = events.map((event) => `${JSON.stringify(event)}\n`).join('')
      const { ingested } = await services[service]!.store.ingest({
        dataset: 'logs',
        lines: { kind: 'bytes', bytes: Buffer.from(text) },
        arrivedAt: now(),
        timestampField: '_time',
        ...options,
      })
      return ingested
    }

    async function value(service: number, query: string): Promise<number> {
      const { columns } = await services[service]!.engine.read(raw(query), LIMITS)
      return Number(JSON.parse(columns.get('v') ?? '[]')[0])
    }

    function columnsOf(server: ClickHouseServer): Promise<string> {
      const columns = "system.columns WHERE database = 'datasets' AND table = 'logs'"
      return run(server, `SELECT name FROM ${columns}`)
    }

    it('store a batch once that two services receive at the same time', async () => {
      for (let batch = 0; batch < BATCHES; batch++) {
        const events = Array.from({ length: 10 }, (_, i) => ({ n: batch * 10 + i }))
        const send = (service: number) => ingest(service, events, { batchId: `both ${batch}` })
        expect(await Promise.all([send(0), send(1)])).toEqual([10, 10])
      }
      for (const service of [0, 1]) {
        expect(await value(service, 'SELECT count() AS v FROM logs')).toBe(10 * BATCHES)
        expect(await value(service, 'SELECT uniqExact(`n:int`) AS v FROM logs')).toBe(10 * BATCHES)
      }
    })

    it('store new fields that two services find at the same time', async () => {
      await Promise.all([ingest(0, [{ a: 1 }]), ingest(1, [{ b: 'x' }])])
      for (const { store } of services) {
        await store.refresh()
        expect(store.schema.fields('logs')?.map(({ name }) => name)).toEqual(
          expect.arrayContaining(['a', 'b', 'n']),
        )
      }
      expect(await value(0, 'SELECT count() AS v FROM logs')).toBe(10 * BATCHES + 2)
    })

    it('have each change when its statement ends, also on a server that lags', async () => {
      const [first, lagging] = replicas.servers
      const engine = await openRemote({ url: first!.url })
      const column = (table: Sql): Sql => sql`ALTER TABLE ${table} ADD COLUMN late String`
      const row = sql`INSERT INTO evq.path (dataset, path, kinds) SELECT 'late', '["a"]', 1`
      const paths = (server: ClickHouseServer): Promise<string> =>
        run(server, 'SELECT dataset FROM evq.path')
      const changes = [
        {
          table: 'datasets.logs',
          make: () => engine.change({ kind: 'alter', dataset: 'logs', statement: column }),
          state: columnsOf,
        },
        { table: 'evq.path', make: () => engine.run(row), state: paths },
      ]
      for (const { table, make, state } of changes) {
        await run(lagging!, `SYSTEM STOP REPLICATION QUEUES ${table}`)
        const seen = make().then(() => state(lagging!))
        await until(async () => (await state(first!)).includes('late'), `the change of ${table}`)
        // A statement that does not wait for the server that lags ends here.
        await Promise.race([seen, sleep(1_000)])
        await run(lagging!, `SYSTEM START REPLICATION QUEUES ${table}`)
        expect(await seen).toContain('late')
      }
      await engine.close()
    })

    it('get new columns while one of the servers is down', async () => {
      const [first, stopped] = replicas.servers
      const engine = await openRemote({ url: first!.url })
      await stopped!.kill()
      const statement = (table: Sql): Sql => sql`ALTER TABLE ${table} ADD COLUMN later String`
      await engine.change({ kind: 'alter', dataset: 'logs', statement })
      expect(await columnsOf(first!)).toContain('later')
      await engine.close()
    })
  })
})
