import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import { type Engine, type EngineResult, isUnreachable } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'
import { CLUSTER, type ClickHouseServer } from '../support/clickhouse-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const NOW = 1_767_225_600_000_000_000n
/** A server that hangs is abandoned after a quarter of this. */
const TIMEOUT_MS = 60_000
const BATCHES = 4
const EVENTS = 200

/** The queries that a server runs on behalf of another one. */
const WORKING = 'SELECT count() FROM system.processes WHERE is_initial_query = 0'
const COUNT = 'SELECT count() AS n FROM logs'
/** Takes two seconds on each server without using a processor. */
const SLOW = 'SELECT count() + sum(sleepEachRow(0.005)) AS n FROM logs'

describe('a lost shard', needsReplicas, () => {
  let servers: Replicas
  let entry: ClickHouseServer
  let other: ClickHouseServer
  let strict: Engine
  let lenient: Engine
  let store: Store
  let files = 0

  beforeAll(async () => {
    servers = await startReplicas({ shards: 2, replicas: 1 })
    ;[entry, other] = servers.servers as readonly ClickHouseServer[] as [
      ClickHouseServer,
      ClickHouseServer,
    ]
    const nodes = [entry.url, other.url]
    const address = { url: entry.url, cluster: CLUSTER, nodes }
    strict = await openCluster(address)
    lenient = await openCluster({ ...address, allowPartial: true })
    store = await openStore({ directory: scratch, engine: strict, now: () => NOW })
    for (let batch = 0; batch < BATCHES; batch++) await ingest(`batch ${batch}`)
  })

  afterAll(async () => {
    await store.close()
    await lenient.close()
    await servers.stop()
  })

  async function ingest(batchId: string): Promise<number> {
    const path = join(store.spool, `body-${files++}`)
    writeFileSync(path, Array.from({ length: EVENTS }, (_, i) => `{"i":${i}}\n`).join(''))
    const { ingested } = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path },
      arrivedAt: NOW,
      timestampField: '_time',
      batchId,
    })
    return ingested
  }

  async function read(
    engine: Engine,
    statement: string,
    timeoutMs = TIMEOUT_MS,
  ): Promise<[number, 'whole' | 'part']> {
    const result = await engine.read(raw(statement), { timeoutMs, memoryBytes: 1_000_000_000 })
    return [countIn(result), result.isPartial ? 'part' : 'whole']
  }

  async function isLost(asked: Promise<unknown>): Promise<void> {
    const error = await asked.then(
      (result) => new Error(`answered ${JSON.stringify(result)}`),
      (failure: unknown) => failure,
    )
    expect(isUnreachable(error), String(error)).toBe(true)
  }

  /** Runs a query, and an action while the lost shard is working on it. */
  async function meanwhile(engine: Engine, happens: () => unknown) {
    for (;;) {
      let hasEnded = false
      const asked = read(engine, SLOW)
      const ended = asked.then(() => {
        hasEnded = true
      })
      // The caller awaits it later.
      ended.catch(() => {})
      const isWorking = async () => (await countOn(other, WORKING)) > 0 && 'working'
      const state = await until(
        async () => (await isWorking()) || (hasEnded && 'ended'),
        'the query has reached the shard',
      )
      // On a busy machine, it may end before it is seen.
      if (state === 'ended') continue
      await happens()
      return asked
    }
  }

  /** Resumes a server and waits for the queries sent meanwhile, which may crash the library. */
  async function back(server: ClickHouseServer): Promise<void> {
    server.resume()
    for (const one of servers.servers)
      await until(async () => (await countOn(one, WORKING)) === 0, `${one.url} has nothing to do`)
  }

  /** The events of the remaining shard. */
  const left = (): Promise<number> => countOn(entry, 'SELECT count() FROM datasets_shard.logs')
  const whole = BATCHES * EVENTS

  /** Waits until a query reads all events; on a busy machine, a server may take too long to accept a connection. */
  async function isWhole(engine: Engine, events = whole): Promise<void> {
    const found = await until(async () => {
      const [count, extent] = await read(engine, COUNT)
      return extent === 'whole' && count
    }, 'all shards are read')
    expect(found).toBe(events)
  }

  it('holds a part of the events', async () => {
    expect(await read(strict, SLOW)).toEqual([whole, 'whole'])
    expect(await read(lenient, SLOW)).toEqual([whole, 'whole'])
    expect(await left()).toBeGreaterThan(0)
    expect(await left()).toBeLessThan(whole)
  })

  describe('that hangs', () => {
    it('is abandoned within the query timeout', async () => {
      other.pause()
      await isLost(read(strict, COUNT))
      expect(await read(lenient, COUNT)).toEqual([await left(), 'part'])
      await back(other)
      await isWhole(strict)
      await isWhole(lenient)
    })

    it('is abandoned in the middle of a query', async () => {
      await isLost(meanwhile(strict, () => other.pause()))
      await back(other)
      expect(await meanwhile(lenient, () => other.pause())).toEqual([await left(), 'part'])
      await back(other)
      await isWhole(lenient)
    })

    it('may be the server that receives the query', async () => {
      entry.pause()
      const timeoutMs = 3_000
      await Promise.all([strict, lenient].map((one) => isLost(read(one, COUNT, timeoutMs))))
      await back(entry)
      await isWhole(strict)
    })
  })

  describe('that is down', () => {
    it('is detected in the middle of a query', async () => {
      await isLost(meanwhile(strict, () => other.kill()))
      await isLost(read(strict, COUNT))
      expect(await read(lenient, COUNT)).toEqual([await left(), 'part'])
      await other.start()
      expect(await meanwhile(lenient, () => other.kill())).toEqual([await left(), 'part'])
    })

    it('stores each batch once after it is back', async () => {
      await isLost(ingest('late').catch(({ cause }) => Promise.reject(cause)))
      await isLost(ingest('later').catch(({ cause }) => Promise.reject(cause)))
      await other.start()
      for (const batch of ['late', 'later', 'batch 1', 'late']) {
        expect(await ingest(batch)).toBe(EVENTS)
      }
      await isWhole(strict, whole + 2 * EVENTS)
      await isWhole(lenient, whole + 2 * EVENTS)
    })
  })
})

function countIn({ columns }: EngineResult): number {
  return Number(JSON.parse(columns.get('n') ?? '[]')[0])
}

/** Returns the response of a single server. */
async function countOn({ url }: ClickHouseServer, query: string): Promise<number> {
  const response = await fetch(url, { method: 'POST', body: query })
  if (!response.ok) throw new Error(await response.text())
  return Number(await response.text())
}
