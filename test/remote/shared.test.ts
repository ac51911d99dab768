import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { BatchOutcome } from '../../src/engine/batch.js'
import { openRemote } from '../../src/engine/clickhouse/open-address.js'
import { createLeases, Leases } from '../../src/engine/cluster/leases.js'
import type { Engine } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { createService } from '../../src/service/app.js'
import { DEFAULT_LIMITS } from '../../src/service/limits.js'
import { raw } from '../../src/sql/sql.js'
import { sender } from '../service/running.js'
import { type ClickHouseServers, needsServers, startServers } from '../support/clickhouse-server.js'
import { wrapped } from '../support/engine.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

// Several services in front of one server.

const scratch = temporaryDirectory()
const LIMITS = { timeoutMs: 120_000, memoryBytes: 1_000_000_000 }
const now = () => BigInt(Date.now()) * 1_000_000n

describe('several services in front of one server', needsServers, () => {
  let servers: ClickHouseServers
  let services: readonly { readonly engine: Engine; readonly store: Store }[]
  let files = 0

  beforeAll(async () => {
    servers = await startServers(1)
    const { url } = servers.servers[0]!
    services = await Promise.all(
      ['first', 'second'].map(async (name) => {
        const engine = await openRemote({ url })
        return { engine, store: await openStore({ directory: join(scratch, name), engine, now }) }
      }),
    )
  })

  afterAll(async () => {
    for (const { store } of services) await store.close()
    await servers.stop()
  })

  async function ingest(
    service: number,
    dataset: string,
    events: readonly unknown[],
    batchId?: string,
  ): Promise<BatchOutcome> {
    const { store } = services[service]!
    const path = join(store.spool, `body-${files++}`)
    writeFileSync(path, events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    return await store.ingest({
      dataset,
      lines: { kind: 'file', path },
      arrivedAt: now(),
      timestampField: '_time',
      ...(batchId !== undefined && { batchId }),
    })
  }

  async function value(service: number, statement: string): Promise<unknown> {
    const { columns } = await services[service]!.engine.read(raw(statement), LIMITS)
    return JSON.parse(columns.get('v') ?? '[]')[0]
  }

  /** Returns the type and the column of a field as known by a service after a refresh. */
  async function field(service: number, dataset: string, name: string): Promise<string> {
    const { store } = services[service]!
    await store.refresh()
    const found = store.layout(dataset)?.fields.find((one) => one.name === name)
    return `${found?.type} ${found?.column ?? 'no column'}`
  }

  it('rename datasets to the names of each other without waiting for each other', async () => {
    await ingest(0, 'east', [{ n: 1 }])
    await ingest(1, 'west', [{ n: 2 }])
    for (const { store } of services) await store.refresh()
    const [one, other] = services.map(({ store }) => store)
    const renamed = [one!.rename('east', 'west'), other!.rename('west', 'east')]
    expect(await Promise.all(renamed)).toEqual(['exists', 'exists'])
  })

  it('remove a batch that another service is storing', async () => {
    const events = Array.from({ length: 300 }, (_, n) => ({ n }))
    await ingest(0, 'removed', events, 'kept')
    const { engine, store } = services[1]!
    // A third service, which has looked the batch up and hesitates to store it.
    let isLoading = false
    let proceed = () => {}
    const proceeding = new Promise<void>((resolve) => {
      proceed = resolve
    })
    const hesitant = await openStore({
      directory: join(scratch, 'hesitant'),
      now,
      engine: wrapped(engine, {
        isShared: true,
        load: async (insert) => {
          isLoading = true
          await proceeding
          await engine.load(insert)
        },
        close: async () => true,
      }),
    })
    const lines = { kind: 'bytes', bytes: Buffer.from('{"n":1}\n') } as const
    const batch = { dataset: 'removed', lines, timestampField: '_time', batchId: 'late' }
    const stored = hesitant.ingest({ ...batch, arrivedAt: now() })
    await until(() => isLoading, 'the batch is about to be stored')
    let isRemoved = false
    const removal = store.removeBatches('removed', ['late']).finally(() => {
      isRemoved = true
    })
    const holders = `SELECT toString(uniqExact(holder)) AS v FROM evq.lease WHERE name LIKE 'batch % removed'
      AND name IN (SELECT name FROM evq.lease GROUP BY name, holder HAVING sum(state) > 0)`
    await until(
      async () => isRemoved || Number(await value(1, holders)) > 1,
      'the removal waits for the batch',
    )
    proceed()
    expect(await stored).toMatchObject({ ingested: 1 })
    expect(await removal).toBe(1)
    expect(await value(0, 'SELECT toString(count()) AS v FROM removed')).toBe('300')
    await expect(ingest(0, 'removed', events, 'late')).rejects.toMatchObject({ reason: 'removed' })
    await hesitant.close()
  })

  /** Returns as many events as show that a field is frequent, so that it gets a column. */
  function enough(event: object): object[] {
    return Array.from({ length: 50 }, () => event)
  }

  it('share their datasets and fields', async () => {
    await ingest(0, 'known', [{ n: 1 }])
    expect(await field(1, 'known', 'n')).toBe('int n:int')
    await ingest(1, 'known', enough({ n: 2.5, more: 'x' }))
    expect(await field(0, 'known', 'n')).toBe('real n:real')
    expect(await field(0, 'known', 'more')).toBe('string more:string')
    await services[0]!.store.remove('known')
    expect(await field(1, 'known', 'n')).toBe('undefined no column')
  })

  /** Returns the columns of a query by the second service, during which the first one does some work. */
  async function columnsDuring(work: () => Promise<unknown>, apl: string): Promise<unknown> {
    const { store } = services[1]!
    let isDone = false
    const { app } = createService({
      store: {
        ...store,
        async read(statement, limits) {
          if (!isDone) await work()
          isDone = true
          return await store.read(statement, limits)
        },
      },
      access: { grantOf: async () => undefined, renameDataset: async () => 0 },
      limits: DEFAULT_LIMITS,
      now,
    })
    const path = '/v1/datasets/_apl?format=tabular'
    const { status, text, body } = await sender(app)({ path, body: JSON.stringify({ apl }) })
    expect(status, text).toBe(200)
    return body.tables[0].columns
  }

  it('find the values of a field that another service gives another type meanwhile', async () => {
    await ingest(0, 'changing', [{ id: 1, took: 1 }])
    await ingest(0, 'changing', [{ id: 2, took: 1.5 }])
    const change = () => ingest(0, 'changing', [{ id: 3, took: 'long' }])
    const apl = 'changing | where id < 3 | sort by id asc | project took'
    expect(await columnsDuring(change, apl)).toEqual([[1, 1.5]])
  })

  it('query the other datasets of a wildcard when another service deletes one meanwhile', async () => {
    await ingest(0, 'part-a', [{ n: 1 }])
    await ingest(0, 'part-b', [{ n: 2 }])
    const removal = () => services[0]!.store.remove('part-a')
    expect(await columnsDuring(removal, "union ['part-*'] | project n")).toEqual([[2]])
  })

  it('create a dataset once when both store its first events', async () => {
    await Promise.all([
      ingest(0, 'begun', enough({ n: 1, left: 'a' })),
      ingest(1, 'begun', enough({ n: 'one', right: 'b' })),
    ])
    for (const service of [0, 1]) {
      expect(await field(service, 'begun', 'n')).toBe('dynamic no column')
      expect(await field(service, 'begun', 'left')).toBe('string left:string')
      expect(await field(service, 'begun', 'right')).toBe('string right:string')
    }
    expect(await value(0, 'SELECT count() AS v FROM begun')).toBe(100)
  })

  it('agree on the type of a field that both extend', async () => {
    await ingest(0, 'typed', [{ n: 1 }])
    await Promise.all(
      Array.from({ length: 8 }, (_, i) =>
        ingest(i % 2, 'typed', [
          { n: i % 3 === 0 ? 'text' : i, [`f${i % 4}`]: i % 2 ? i : `${i}` },
        ]),
      ),
    )
    for (const service of [0, 1]) {
      expect(await field(service, 'typed', 'n')).toBe('dynamic no column')
      for (const name of ['f0', 'f1', 'f2', 'f3']) {
        const [, column = ''] = (await field(service, 'typed', name)).split(' ', 2)
        if (column === 'no') continue
        const wrong = `SELECT countIf(JSONExtractRaw(line, '${name}') NOT IN ('', ifNull(toJSONString(\`${column}\`), 'null'))) AS v FROM typed`
        expect(await value(service, wrong)).toBe(0)
      }
    }
  })

  it('agree on the type of a field without a column that both see first', async () => {
    const others = Array.from({ length: 1000 }, (_, other) => ({ other }))
    await ingest(0, 'rare', others)
    await Promise.all(
      Array.from({ length: 8 }, (_, i) => {
        const isFirst = i < 4
        const mixed = { [`f${i % 4}`]: isFirst ? i : 'text' }
        return ingest((i + Number(isFirst)) % 2, 'rare', [...others, { ...mixed, n: i }])
      }),
    )
    for (const service of [0, 1]) {
      expect(await field(service, 'rare', 'n')).toBe('int no column')
      for (const name of ['f0', 'f1', 'f2', 'f3']) {
        expect(await field(service, 'rare', name)).toBe('dynamic no column')
      }
    }
  })

  it('store a batch once when both receive it', async () => {
    await ingest(0, 'once', [{ n: 0 }])
    const events = Array.from({ length: 1000 }, (_, n) => ({ n }))
    for (let round = 0; round < 3; round++) {
      const both = [0, 1].map((service) => ingest(service, 'once', events, `batch ${round}`))
      for (const stored of await Promise.all(both)) {
        expect(stored).toMatchObject({ ingested: 1000, rejected: [] })
      }
    }
    expect(await value(1, 'SELECT count() AS v FROM once')).toBe(3001)
  })

  it('issue unique sequence numbers in the order of the clock', async () => {
    for (let round = 0; round < 3; round++) {
      await Promise.all(
        [0, 1].map((service) => ingest(service, 'numbered', [{ round }, { round }])),
      )
      await sleep(2)
    }
    expect(await value(0, 'SELECT uniqExact(_seq) AS v FROM numbered')).toBe(12)
    const rounds = 'SELECT groupArray(`round:int`) AS v FROM (SELECT * FROM numbered ORDER BY _seq)'
    expect(await value(1, rounds)).toEqual([0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2])
  })

  it('share saved queries and tokens', async () => {
    await services[0]!.store.starredQueries.put({ id: 'q', body: '{"name":"mine"}' })
    expect(await services[1]!.store.starredQueries.get('q')).toEqual({
      id: 'q',
      body: '{"name":"mine"}',
    })
    await services[1]!.store.starredQueries.remove('q')
    expect(await services[0]!.store.starredQueries.list()).toEqual([])
  })

  it('hold a lease one at a time', async () => {
    const [one, other] = services.map(({ engine }) => new Leases(engine))
    await createLeases(services[0]!.engine)
    let holders = 0
    const turns = Array.from({ length: 6 }, async (_, i) => {
      const lease = await (i % 2 === 0 ? one : other)!.acquire('thing')
      holders++
      expect(holders).toBe(1)
      await sleep(5)
      holders--
      lease.release()
    })
    await Promise.all(turns)
    const lease = await one!.acquire('thing')
    expect(await other!.tryAcquire('thing')).toBeUndefined()
    lease.release()
    await one!.close()
    expect(await other!.tryAcquire('thing')).toBeDefined()
    await other!.close()
  })
})
