import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Batch } from '../../src/engine/batch.js'
import { openCluster } from '../../src/engine/cluster/cluster.js'
import { batchHash, lowHalf } from '../../src/engine/deduplication/batch-hash.js'
import { type Engine, isUnreachable } from '../../src/engine/engine.js'
import { openStore, type Store } from '../../src/engine/store.js'
import { raw, sql } from '../../src/sql/sql.js'
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
const COUNT = sql`SELECT count() AS v FROM logs`

interface Service {
  readonly store: Store
  readonly engine: Engine
  readonly warnings: readonly string[]
}

describe('servers with replicas', needsReplicas, () => {
  let replicas: Replicas
  let service: Service
  let directories = 0
  let names = 0
  const open = new Set<Service>()

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2 })
    service = await start()
    await ingest(service, 20)
  })

  afterAll(async () => {
    for (const { store } of open) await store.close()
    await replicas.stop()
  })

  async function start(
    options: { readonly allowPartial?: boolean; readonly writeCopies?: number } = {},
  ): Promise<Service> {
    const warnings: string[] = []
    const warn = (message: string): void => void warnings.push(message)
    const nodes = replicas.urls
    const engine = await openCluster({ url: nodes[0]!, cluster: CLUSTER, nodes, warn, ...options })
    const directory = join(scratch, `${directories++}`)
    const started = { store: await openStore({ directory, engine, now, warn }), engine, warnings }
    open.add(started)
    return started
  }

  /** Stores a batch of events in a shard. */
  async function ingest(
    { store }: Service,
    events: number,
    { shard = 0, ...more }: Partial<Batch> & { readonly shard?: number } = {},
  ): Promise<number> {
    const text = Array.from({ length: events }, (_, n) => `{"n":${n}}\n`).join('')
    const { ingested } = await store.ingest({
      dataset: 'logs',
      lines: { kind: 'bytes', bytes: Buffer.from(text) },
      arrivedAt: now(),
      timestampField: '_time',
      batchId: idOf(shard),
      ...more,
    })
    return ingested
  }

  /** Returns a new batch id that selects a shard. */
  function idOf(shard: number): string {
    const id = `batch ${names++}`
    return Number(lowHalf(batchHash(id)) % 2n) === shard ? id : idOf(shard)
  }

  async function count({ engine }: Service): Promise<number> {
    const { columns } = await engine.read(COUNT, LIMITS)
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

  /** Resolves when a service uses a server again. */
  async function isUsed(service: Service, { url }: Replica): Promise<void> {
    const message = `The ClickHouse server \`${url}\` is used again.`
    await until(() => (lastUse(service, url) ?? message) === message, `${url} is used`)
  }

  /** Returns the last message about the use of a server. */
  function lastUse({ warnings }: Service, url: string): string | undefined {
    const messages = warnings.filter((warning) => warning.includes(url))
    return messages.findLast((warning) => /is (not used|used again)/.test(warning))
  }

  it('reject a batch with 503 when two copies are required and one replica has it', async () => {
    const strict = await start({ writeCopies: 2 })
    const [first, second] = replicas.servers
    await second!.kill()
    const batchId = idOf(0)
    await expect(ingest(strict, 5, { batchId })).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await ingest(service, 5, { batchId })).toBe(5)
    await second!.start()
    await Promise.all([isUsed(service, second!), isUsed(strict, second!)])
    expect(await ingest(strict, 5, { batchId })).toBe(5)
    expect(await run(first!, 'SELECT count() FROM datasets_shard.logs')).toBe('25')
  })

  it('name the command that replaces a lost disk, and set the server up after it', async () => {
    const [first, second] = replicas.servers
    await first!.loseDisk()
    expect(await ingest(service, 5)).toBe(5)
    expect(await count(service)).toBe(30)
    await first!.start()
    const command = `SYSTEM DROP REPLICA 's1r1'`
    const message = await until(
      () => service.warnings.findLast((warning) => warning.includes(command)),
      'the command is named',
    )
    expect(message).toBe(
      `The ClickHouse server \`${first!.url}\` is not used: it has no tables, but Keeper still has its replica \`s1r1\`. If its disk is lost, run \`${command}\` on \`${second!.url}\`: then its tables are created, and its data is copied from the other replicas.`,
    )
    await run(second!, command)
    await isUsed(service, first!)
    await until(
      async () => (await run(first!, 'SELECT count() FROM datasets_shard.logs')) === '30',
      'the data is copied',
    )
    expect(await run(first!, 'SELECT count() FROM datasets.logs')).toBe('30')
  })

  it('do not read a replica that lags, unless partial results are allowed', async () => {
    const lenient = await start({ allowPartial: true })
    const [, , third, fourth] = replicas.servers
    expect(await ingest(service, 1, { shard: 1 })).toBe(1)
    const before = await count(service)
    const own = (server: Replica) => run(server, 'SELECT count() FROM datasets_shard.logs')
    await until(async () => (await own(third!)) === (await own(fourth!)), 'both have the events')
    await run(third!, 'SYSTEM STOP FETCHES datasets_shard.logs')
    // The third server can't fetch this row.
    await run(fourth!, "INSERT INTO datasets_shard.logs (_seq, line) SELECT 1, '{}'")
    await until(
      async () =>
        Number(
          await run(third!, "SELECT absolute_delay FROM system.replicas WHERE table = 'logs'"),
        ) > 5,
      'the replica lags',
    )
    expect(await count(service)).toBe(before + 1)
    await fourth!.kill()
    await expect(service.engine.read(COUNT, LIMITS)).rejects.toMatchObject({ code: 369 })
    // On a busy machine, the other shard can be missing too.
    await until(async () => {
      const partial = await lenient.engine.read(COUNT, LIMITS)
      expect(partial.isPartial).toBe(true)
      expect(partial.columns.get('v')).toBe(`[${before}]`)
      return true
    }, 'the lagging replica is read')
    await fourth!.start()
    await run(third!, 'SYSTEM START FETCHES datasets_shard.logs')
    await until(async () => (await count(service)) === before + 1, 'all events are read')
  })

  it('reject queries and the batches of a shard all of whose replicas are away', async () => {
    const before = await count(service)
    const away = replicas.servers.slice(2)
    for (const server of away) await server.kill()
    await expect(ingest(service, 5, { shard: 1 })).rejects.toMatchObject({ reason: 'unavailable' })
    const read = service.engine.read(COUNT, LIMITS)
    expect(await read.catch(isUnreachable)).toBe(true)
    for (const server of away) await server.start()
    for (const server of away) await isUsed(service, server)
    expect(await ingest(service, 5, { shard: 1 })).toBe(5)
    expect(await count(service)).toBe(before + 5)
  })

  it('are asked in turn when the first one hangs', async () => {
    const before = await count(service)
    const [first] = replicas.servers
    first!.pause()
    await until(
      () => lastUse(service, first!.url)?.includes('is not used'),
      'the server is not used',
    )
    expect(await ingest(service, 5)).toBe(5)
    expect(await count(service)).toBe(before + 5)
    first!.resume()
    await isUsed(service, first!)
    await service.engine.run(raw('SELECT 1'))
  })
})
