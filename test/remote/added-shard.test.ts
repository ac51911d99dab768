import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import { batchHash, highHalf, lowHalf } from '../../src/engine/deduplication/batch-hash.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { CLUSTER } from '../support/clickhouse-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { temporaryDirectory } from '../support/temporary.js'
import { until } from '../support/until.js'

const scratch = temporaryDirectory()
const now = () => BigInt(Date.now()) * 1_000_000n

describe('a second shard', needsReplicas, () => {
  let replicas: Replicas
  let before: Store
  let after: Store
  let names = 0
  /** A batch that is in the first shard. */
  const early = idOf(1)

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2, known: 2 })
    before = await open('before', replicas.urls.slice(0, 2))
    await ingest(before, early)
    const held = "SELECT count() FROM evq.keeper_lease WHERE startsWith(name, 'batch')"
    await until(async () => Number(await run(0, held)) === 0, 'its lease is released')
    replicas.know(4)
    for (const server of replicas.servers) await server.kill()
    await Promise.all(replicas.servers.map((server) => server.start()))
  })

  afterAll(async () => {
    for (const store of [before, after]) await store.close()
    await replicas.stop()
  })

  async function open(name: string, nodes: readonly string[]): Promise<Store> {
    const warn = (): void => {}
    const engine = await openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes, warn })
    return await openStore({ directory: join(scratch, name), engine, now, warn })
  }

  /** Returns a new batch id that selects a shard of two. */
  function idOf(shard: number): string {
    const id = `batch ${names++}`
    return Number(lowHalf(batchHash(id)) % 2n) === shard ? id : idOf(shard)
  }

  async function ingest(store: Store, batchId: string): Promise<number> {
    const { ingested } = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'bytes', bytes: Buffer.from('{"n":1}\n{"n":2}\n') },
      arrivedAt: now(),
      timestampField: '_time',
      batchId,
    })
    return ingested
  }
  async function run(server: number, statement: string): Promise<string> {
    const { url } = replicas.servers[server]!
    return await until(async () => {
      const response = await fetch(url, { method: 'POST', body: statement })
      const text = (await response.text()).trim()
      return response.ok ? `${text} ` : false
    }, `the server at ${url} responds`)
  }

  async function rowsOf(batchId: string): Promise<readonly number[]> {
    const query = `SELECT count() FROM datasets_shard.logs WHERE _batch = ${lowHalf(batchHash(batchId))}`
    return [Number(await run(1, query)), Number(await run(3, query))]
  }

  it('makes a service that does not know it refuse batches', async () => {
    await expect(ingest(before, idOf(1))).rejects.toMatchObject({ reason: 'unavailable' })
    after = await open('after', replicas.urls)
    await expect(ingest(before, idOf(1))).rejects.toMatchObject({ reason: 'unavailable' })
    const batchId = idOf(1)
    expect(await ingest(after, batchId)).toBe(2)
    expect(await rowsOf(batchId)).toEqual([0, 2])
  })

  it('does not get batches that are in the first one, where replicas lag', async () => {
    expect(await ingest(after, early)).toBe(2)
    expect(await rowsOf(early)).toEqual([2, 0])

    // As if a service had stored it, and was killed before the outcome was saved.
    const batchId = idOf(1)
    const hash = batchHash(batchId)
    await run(0, 'SYSTEM STOP FETCHES datasets_shard.logs')
    await run(
      1,
      `INSERT INTO datasets_shard.logs (_seq, _batch, _batchHigh, line)
       SELECT number, ${lowHalf(hash)}, ${highHalf(hash)}, '{}' FROM numbers(2)`,
    )
    expect(await ingest(after, batchId)).toBe(2)
    expect(await rowsOf(batchId)).toEqual([2, 0])
  })
})
