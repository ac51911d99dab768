import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { describeError } from '../../src/service/error-response.js'
import type { ClickHouseServer } from '../support/clickhouse-server.js'
import { type FailingServer, failingServer } from '../support/replicas/failing-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import {
  batchIdOf,
  type ClusterService,
  count,
  ingest,
  isNotUsed,
  isUsed,
  now,
  openService,
  range,
  run,
} from '../support/replicas/service.js'
import { until } from '../support/until.js'

describe('a dataset of two shards of two replicas', needsReplicas, () => {
  let replicas: Replicas
  let service: ClusterService
  const failing: FailingServer[] = []

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2 })
    service = await openService(replicas.urls)
  })

  afterAll(async () => {
    await service.store.close()
    for (const server of failing) server.stop()
    await replicas.stop()
  })

  /** Opens a service that loses the first server at a statement. */
  async function losingAt(at: RegExp, isLate = false): Promise<ClusterService> {
    const server = await failingServer(replicas.urls[0]!, { at, isLate })
    failing.push(server)
    return await openService([server.url, ...replicas.urls.slice(1)])
  }

  /** Stores events in both shards. */
  async function fill(dataset: string): Promise<void> {
    for (const shard of [0, 1]) {
      await ingest(service, range(shard * 5, 5), { dataset, batchId: batchIdOf(shard) })
    }
  }

  const tables = (server: ClickHouseServer) =>
    run(
      server,
      "SELECT arraySort(groupUniqArray(concat(database, '.', name))) FROM system.tables WHERE startsWith(database, 'datasets')",
    )

  /** All servers have the tables of these datasets and no others. */
  async function haveTables(datasets: readonly string[]): Promise<void> {
    const names = datasets.flatMap((name) => [`'datasets.${name}'`, `'datasets_shard.${name}'`])
    const expected = `[${names.sort().join(',')}]`
    for (const server of replicas.servers) {
      await until(async () => {
        expect(await tables(server)).toBe(expected)
        return true
      }, `${server.name} has the tables`)
    }
  }

  it('is neither deleted nor renamed while a server is away, and can be emptied', async () => {
    await fill('logs')
    await fill('events')
    const [, , , last] = replicas.servers
    await last!.kill()
    const missing = { name: 'EngineError', url: last!.url }
    await expect(service.store.remove('logs')).rejects.toMatchObject(missing)
    await expect(service.store.rename('logs', 'other')).rejects.toMatchObject(missing)
    const error: unknown = await service.store.remove('logs').catch((error) => error)
    expect(describeError(error, { traceId: '', report: undefined, now }).body).toEqual({
      code: 503,
      message: `The ClickHouse server \`${last!.url}\` is unavailable, and a dataset can be deleted or renamed only while all servers are available. Nothing was changed.`,
    })
    expect(await count(service)).toBe(10)
    await service.store.clear('events')
    expect(await service.store.trim('logs', BigInt(Date.now() + 1_000) * 1_000_000n)).toBe(10)
    await last!.start()
    await isUsed(service, last!)
    expect(await run(last!, 'SELECT count() FROM datasets_shard.logs')).toBe('0')
    for (const dataset of ['events', 'logs']) {
      const own = `SELECT count() FROM datasets_shard.${dataset}`
      await until(async () => (await run(last!, own)) === '0', 'it has no events')
      expect(await count(service, dataset)).toBe(0)
    }
    expect(await service.store.remove('events')).toBe(true)
    await haveTables(['logs'])
  })

  it.each([
    ['before', false],
    ['after', true],
  ])('is unchanged when a server is lost %s it begins', async (_, isLate) => {
    await fill('logs')
    const before = await count(service)
    for (const work of [
      (other: ClusterService) => other.store.remove('logs'),
      (other: ClusterService) => other.store.rename('logs', 'other'),
    ]) {
      const other = await losingAt(/^\s*RENAME TABLE/, isLate)
      await expect(work(other)).rejects.toMatchObject({ url: failing.at(-1)!.url })
      await haveTables(['logs'])
      expect(await count(service)).toBe(before)
      await other.store.close()
    }
  })

  it('is deleted when a server is lost after all have begun, also for a new one of its name', async () => {
    const other = await losingAt(/DROP TABLE IF EXISTS datasets_shard/)
    expect(await other.store.remove('logs')).toBe(true)
    await isNotUsed(other, failing.at(-1)!)
    await service.store.refresh()
    await ingest(service, range(0, 3))
    expect(await count(service)).toBe(3)
    await haveTables(['logs'])
    expect(await count(service)).toBe(3)
    await other.store.close()
  })

  it('is renamed when a server is lost after all have begun', async () => {
    const other = await losingAt(/^\s*RENAME TABLE .*_renamed_\w+` TO/)
    expect(await other.store.rename('logs', 'renamed')).toBe('renamed')
    await haveTables(['renamed'])
    expect(await count(service, 'renamed')).toBe(3)
    await other.store.close()
  })
})
