import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { batchHash, hexOf } from '../../src/engine/batch-hash.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import {
  batchIdOf,
  type ClusterService,
  ingest,
  openService,
  run,
} from '../support/replicas/service.js'
import { until } from '../support/until.js'

describe('a second shard', needsReplicas, () => {
  let replicas: Replicas
  let before: ClusterService
  let after: ClusterService
  /** A batch that is in the first shard. */
  const early = batchIdOf(1)

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2, known: 2 })
    before = await openService(replicas.urls.slice(0, 2))
    await store(before, early)
    const held = "SELECT count() FROM evq.keeper_lease WHERE startsWith(name, 'batch')"
    await until(async () => Number(await on(0, held)) === 0, 'its lease is released')
    replicas.know(4)
    for (const server of replicas.servers) await server.kill()
    await Promise.all(replicas.servers.map((server) => server.start()))
  })

  afterAll(async () => {
    for (const one of [before, after]) await one.store.close()
    await replicas.stop()
  })

  function store(to: ClusterService, batchId: string): Promise<number> {
    return ingest(to, [{ n: 1 }, { n: 2 }], { batchId })
  }

  function on(server: number, statement: string): Promise<string> {
    return run(replicas.servers[server]!, statement)
  }

  async function rowsOf(batchId: string): Promise<readonly number[]> {
    // A replica that has just started may get a batch later than the other one.
    for (const server of [1, 3]) await on(server, 'SYSTEM SYNC REPLICA datasets_shard.logs')
    const query = `SELECT count() FROM datasets_shard.logs WHERE hex(_batch) = upper('${hexOf(batchHash(batchId))}')`
    return [Number(await on(1, query)), Number(await on(3, query))]
  }

  it('makes a service that does not know it refuse batches', async () => {
    await expect(store(before, batchIdOf(1))).rejects.toMatchObject({ reason: 'unavailable' })
    after = await openService(replicas.urls)
    await expect(store(before, batchIdOf(1))).rejects.toMatchObject({ reason: 'unavailable' })
    const batchId = batchIdOf(1)
    expect(await store(after, batchId)).toBe(2)
    expect(await rowsOf(batchId)).toEqual([0, 2])
    const reason =
      'its configuration of the cluster `duo` has changed since the service started (servers by shard: 2 before, 2 + 2 now). Once all servers have the new configuration, restart `evq serve`.'
    await until(() => before.warnings.some((warning) => warning.endsWith(reason)), 'it is logged')
  })

  it('does not get batches that are in the first one, where replicas lag', async () => {
    expect(await store(after, early)).toBe(2)
    expect(await rowsOf(early)).toEqual([2, 0])

    // As if a service had stored it, and was killed before the outcome was saved.
    const batchId = batchIdOf(1)
    const hash = batchHash(batchId)
    await on(0, 'SYSTEM STOP FETCHES datasets_shard.logs')
    await on(
      1,
      `INSERT INTO datasets_shard.logs (_seq, _batch, line)
       SELECT number, unhex('${hexOf(hash)}'), '{}' FROM numbers(2)`,
    )
    expect(await store(after, batchId)).toBe(2)
    expect(await rowsOf(batchId)).toEqual([2, 0])
  })
})
