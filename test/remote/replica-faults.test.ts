import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { isUnreachable } from '../../src/engine/engine.js'
import { raw } from '../../src/sql/sql.js'
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
  dropReplica,
  ingest,
  isNotUsed,
  isUsed,
  openService,
  range,
  read,
  run,
} from '../support/replicas/service.js'
import { until } from '../support/until.js'

const COUNT = 'SELECT count() AS v FROM logs'

describe('servers with replicas', needsReplicas, () => {
  let replicas: Replicas
  let service: ClusterService
  const open: ClusterService[] = []

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 2, replicas: 2 })
    service = await start()
    await store(service, 20)
  })

  afterAll(async () => {
    for (const one of open) await one.store.close()
    await replicas.stop()
  })

  async function start(options: Parameters<typeof openService>[1] = {}): Promise<ClusterService> {
    const started = await openService(replicas.urls, options)
    open.push(started)
    return started
  }

  /** Closes a service that later tests do not use: it would set up the servers that they restart. */
  async function close(one: ClusterService): Promise<void> {
    open.splice(open.indexOf(one), 1)
    await one.store.close()
  }

  /** Stores a batch of events in a shard. */
  function store(
    to: ClusterService,
    events: number,
    { shard = 0, batchId = batchIdOf(shard) } = {},
  ): Promise<number> {
    return ingest(to, range(0, events), { batchId })
  }

  it('reject a batch with 503 when two copies are required and one replica has it', async () => {
    const strict = await start({ writeCopies: 2 })
    const [first, second] = replicas.servers
    await second!.kill()
    const batchId = batchIdOf(0)
    await expect(store(strict, 5, { batchId })).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await store(service, 5, { batchId })).toBe(5)
    await second!.start()
    await Promise.all([isUsed(service, second!), isUsed(strict, second!)])
    const stored = () => store(strict, 5, { batchId })
    await until(async () => (await stored()) === 5, 'both replicas have the batch')
    const own = 'SELECT count() FROM datasets_shard.logs'
    expect(await Promise.all([run(first!, own), run(second!, own)])).toEqual(['25', '25'])
    await close(strict)
  })

  it('reject a batch that one replica has until two replicas have it', async () => {
    const [strict, lone] = await Promise.all([start({ writeCopies: 2 }), start({ writeCopies: 1 })])
    const [first, second] = replicas.servers
    const own = 'SELECT count() FROM datasets_shard.logs'
    const before = Number(await run(first!, own))
    await run(second!, 'SYSTEM STOP FETCHES datasets_shard.logs')
    const batchId = batchIdOf(0)
    expect(await store(lone, 5, { batchId })).toBe(5)
    await expect(store(strict, 5, { batchId })).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await Promise.all([run(first!, own), run(second!, own)])).toEqual([
      `${before + 5}`,
      `${before}`,
    ])
    await run(second!, 'SYSTEM START FETCHES datasets_shard.logs')
    const stored = () => store(strict, 5, { batchId }).catch(() => 0)
    await until(async () => (await stored()) === 5, 'both replicas have the batch')
    expect(await run(second!, own)).toBe(`${before + 5}`)
    await Promise.all([close(strict), close(lone)])
  })

  it('name the command that replaces a lost disk, and set the server up after it', async () => {
    const [first, second] = replicas.servers
    await first!.loseDisk()
    expect(await store(service, 5)).toBe(5)
    expect(await count(service)).toBe(35)
    await first!.start()
    const command = `SYSTEM DROP REPLICA 's1r1'`
    const message = await until(
      () => service.warnings.findLast((warning) => warning.includes(command)),
      'the command is named',
    )
    expect(message).toBe(
      `The ClickHouse server \`${first!.url}\` is not used: it has no tables, but Keeper still has its replica \`s1r1\`. If its disk is lost, run \`${command}\` on \`${second!.url}\`: then its tables are created, and its data is copied from the other replicas.`,
    )
    await dropReplica(() => run(second!, command))
    await isUsed(service, first!)
    await until(
      async () => (await run(first!, 'SELECT count() FROM datasets_shard.logs')) === '35',
      'the data is copied',
    )
    expect(await run(first!, 'SELECT count() FROM datasets.logs')).toBe('35')
  })

  it('do not read a replica that lags, unless partial results are allowed', async () => {
    const lenient = await start({ allowPartial: true })
    const [, , third, fourth] = replicas.servers
    expect(await store(service, 1, { shard: 1 })).toBe(1)
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
    await expect(read(service, COUNT)).rejects.toMatchObject({ code: 369 })
    // On a busy machine, the other shard can be missing too.
    await until(async () => {
      const partial = await read(lenient, COUNT)
      expect(partial.isPartial).toBe(true)
      expect(partial.columns.get('v')).toBe(`[${before}]`)
      return true
    }, 'the lagging replica is read')
    await fourth!.start()
    await run(third!, 'SYSTEM START FETCHES datasets_shard.logs')
    await until(async () => (await count(service)) === before + 1, 'all events are read')
    await close(lenient)
  })

  it('are read while Keeper hangs, although they began to read its log', async () => {
    expect(await store(service, 1)).toBe(1)
    const before = await count(service)
    const paused = replicas.keeper.pauseWhenRead('/log_pointer')
    try {
      // One replica has this event. The other one would read of it in the log, and so would the first.
      await run(replicas.servers[0]!, "INSERT INTO datasets_shard.logs (_seq, line) SELECT 1, '{}'")
      await paused
      for (const { url } of replicas.servers.slice(0, 2)) {
        const state = () =>
          service.store.replication!().servers.find((server) => server.url === url)
        await until(() => (state()?.lagSeconds ?? 0) > 5, 'the replica counts as lagging')
      }
      expect([before, before + 1]).toContain(await count(service))
    } finally {
      replicas.keeper.resume()
    }
    await until(async () => (await count(service)) === before + 1, 'both replicas have the event')
  })

  it('reject queries and the batches of a shard all of whose replicas are away', async () => {
    const before = await count(service)
    const away = replicas.servers.slice(2)
    for (const server of away) await server.kill()
    await expect(store(service, 5, { shard: 1 })).rejects.toMatchObject({ reason: 'unavailable' })
    expect(await read(service, COUNT).catch(isUnreachable)).toBe(true)
    for (const server of away) await isNotUsed(service, server)
    await expect(read(service, COUNT)).rejects.toMatchObject({ shard: 1 })
    const query = raw('SELECT count() AS v FROM datasets.logs')
    for (const datasets of [[], ['logs']]) {
      await expect(service.engine.ask(query, { datasets })).rejects.toMatchObject({ shard: 1 })
    }
    for (const server of away) await server.start()
    for (const server of away) await isUsed(service, server)
    const batchId = batchIdOf(1)
    const stored = () => store(service, 5, { shard: 1, batchId })
    await until(async () => (await stored()) === 5, 'a replica that was away stores a batch')
    await until(async () => (await count(service)) === before + 5, 'all events are read')
  })

  it('are asked in turn when the first one hangs', async () => {
    const before = await count(service)
    const [first] = replicas.servers
    first!.pause()
    await isNotUsed(service, first!)
    expect(await store(service, 5)).toBe(5)
    // On a busy machine, the other replica can lag for a moment.
    await until(async () => (await count(service)) === before + 5, 'all events are read')
    first!.resume()
    await isUsed(service, first!)
    await service.engine.run(raw('SELECT 1'))
  })
})
