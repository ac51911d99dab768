import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCluster } from '../../src/engine/cluster.js'
import { type Engine, type EngineResult, isUnreachable } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw } from '../../src/sql/sql.js'
import {
  CLUSTER,
  type ClickHouseServer,
  type ClickHouseServers,
  needsServers,
  startServers,
} from '../support/clickhouse-server.js'
import { temporaryDirectory } from '../support/temporary.js'

const scratch = temporaryDirectory()
const NOW = 1_767_225_600_000_000_000n
const LIMITS = { timeoutMs: 3_000, memoryBytes: 1_000_000_000 }
const BATCHES = 4
const EVENTS = 200

const COUNT = 'SELECT count() AS n FROM logs'
/** Takes a while on each server, for which it needs no processor. */
const SLOW = 'SELECT count() + sum(sleepEachRow(0.002)) AS n FROM logs'

describe('a shard that is lost', needsServers, () => {
  let servers: ClickHouseServers
  let entry: ClickHouseServer
  let other: ClickHouseServer
  let strict: Engine
  let lenient: Engine
  let store: Store
  let files = 0

  beforeAll(async () => {
    servers = await startServers(2)
    ;[entry, other] = servers.servers as [ClickHouseServer, ClickHouseServer]
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
    const reply = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'file', path },
      arrivedAt: NOW,
      timestampField: '_time',
      batchId,
      reply: ({ ingested }) => `${ingested}`,
    })
    return Number(reply)
  }

  async function read(engine: Engine, statement: string): Promise<[number, 'whole' | 'part']> {
    const answer = await engine.read(raw(statement), LIMITS)
    return [countIn(answer), answer.isPartial ? 'part' : 'whole']
  }

  async function isLost(asked: Promise<unknown>): Promise<void> {
    const error = await asked.then(
      (answer) => new Error(`answered ${JSON.stringify(answer)}`),
      (failure: unknown) => failure,
    )
    expect(isUnreachable(error), String(error)).toBe(true)
  }

  /** Asks, and lets something happen while the lost one is at work on it. */
  async function meanwhile(engine: Engine, happens: () => unknown) {
    const asked = read(engine, SLOW)
    // Whoever waits for it comes later.
    asked.catch(() => {})
    const working = 'SELECT count() FROM system.processes WHERE is_initial_query = 0'
    for (let looks = 0; (await told(other, working)) === 0; looks++) {
      if (looks > 500) throw new Error('the query never got to the shard')
      await sleep(5)
    }
    await happens()
    return asked
  }

  /** Goes on, with what it was asked meanwhile; the library may end of that. */
  async function back(server: ClickHouseServer): Promise<void> {
    server.resume()
    for (let n = 0; n < 5; n++) {
      await sleep(100)
      await Promise.all(servers.servers.map((one) => one.ready()))
    }
  }

  /** The events that the one which stays has. */
  const left = (): Promise<number> => told(entry, 'SELECT count() FROM datasets_shard.logs')
  const whole = BATCHES * EVENTS

  it('has a part of the events', async () => {
    expect(await read(strict, SLOW)).toEqual([whole, 'whole'])
    expect(await read(lenient, SLOW)).toEqual([whole, 'whole'])
    expect(await left()).toBe(whole / 2)
  })

  describe('since it stands still', () => {
    it('is not waited for longer than a query may take', async () => {
      other.pause()
      await isLost(read(strict, COUNT))
      expect(await read(lenient, COUNT)).toEqual([await left(), 'part'])
      await back(other)
      expect(await read(strict, COUNT)).toEqual([whole, 'whole'])
      expect(await read(lenient, COUNT)).toEqual([whole, 'whole'])
    })

    it('is given up in the middle of a query', async () => {
      await isLost(meanwhile(strict, () => other.pause()))
      await back(other)
      const asked = meanwhile(lenient, () => other.pause())
      // There is hardly time to ask again.
      await asked.then(
        async (answer) => expect(answer).toEqual([await left(), 'part']),
        async () => isLost(asked),
      )
      await back(other)
      expect(await read(lenient, COUNT)).toEqual([whole, 'whole'])
    })

    it('may be the one that is asked', async () => {
      entry.pause()
      await Promise.all([isLost(read(strict, COUNT)), isLost(read(lenient, COUNT))])
      await back(entry)
      expect(await read(strict, COUNT)).toEqual([whole, 'whole'])
    })
  })

  describe('since it ended', () => {
    it('is missed in the middle of a query', async () => {
      await isLost(meanwhile(strict, () => other.kill()))
      await isLost(read(strict, COUNT))
      expect(await read(lenient, COUNT)).toEqual([await left(), 'part'])
      await other.start()
      expect(await meanwhile(lenient, () => other.kill())).toEqual([await left(), 'part'])
    })

    it('gets no batch, and each once when it is back', async () => {
      await isLost(ingest('late').catch(({ cause }) => Promise.reject(cause)))
      await isLost(ingest('later').catch(({ cause }) => Promise.reject(cause)))
      await other.start()
      for (const batch of ['late', 'later', 'batch 1', 'late']) {
        expect(await ingest(batch)).toBe(EVENTS)
      }
      expect(await read(strict, COUNT)).toEqual([whole + 2 * EVENTS, 'whole'])
      expect(await read(lenient, COUNT)).toEqual([whole + 2 * EVENTS, 'whole'])
    })
  })
})

function countIn({ columns }: EngineResult): number {
  return Number(JSON.parse(columns.get('n') ?? '[]')[0])
}

/** What a server answers by itself. */
async function told({ url }: ClickHouseServer, query: string): Promise<number> {
  const response = await fetch(url, { method: 'POST', body: query })
  if (!response.ok) throw new Error(await response.text())
  return Number(await response.text())
}
