import { Readable } from 'node:stream'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createService } from '../../src/service/app.js'
import type { App } from '../../src/service/http.js'
import { DEFAULT_LIMITS } from '../../src/service/limits.js'
import { CODE } from '../../src/text/clickhouse-code.js'
import {
  needsReplicas,
  type Replica,
  type Replicas,
  startReplicas,
} from '../support/replicas/replicas.js'
import {
  type ClusterService,
  ingest,
  isNotUsed,
  isUsed,
  now,
  openService,
  read,
  run,
  value,
} from '../support/replicas/service.js'
import { until } from '../support/until.js'

interface Service extends ClusterService {
  readonly app: App
}

describe('a shard of three replicas', needsReplicas, () => {
  let replicas: Replicas
  let service: Service
  const open: Service[] = []

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 1, replicas: 3 })
    service = await start()
    await store(service, 1)
  })

  afterAll(async () => {
    for (const one of open) await one.store.close()
    await replicas.stop()
  })

  async function start(options: { readonly allowPartial?: boolean } = {}): Promise<Service> {
    const opened = await openService(replicas.urls, options)
    const app = createService({
      store: opened.store,
      access: { grantOf: async () => undefined, renameDataset: async () => 0 },
      limits: DEFAULT_LIMITS,
      now,
      report: () => {},
      refused: () => {},
    }).app
    const started = { ...opened, app }
    open.push(started)
    return started
  }

  /** Closes a service that later tests do not use: it would set up the servers that they restart. */
  async function close(one: Service): Promise<void> {
    open.splice(open.indexOf(one), 1)
    await one.store.close()
  }

  async function store(to: Service, n: number): Promise<void> {
    await ingest(to, [{ n }])
  }

  async function get(
    { app }: Service,
    path: string,
    body?: string,
  ): Promise<{ status: number; text: string }> {
    const response = await app({
      method: body === undefined ? 'GET' : 'POST',
      path,
      query: new URLSearchParams(body === undefined ? '' : 'format=tabular'),
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      body: Readable.from(body === undefined ? [] : [Buffer.from(body)]),
      signal: new AbortController().signal,
      trusted: true,
    })
    return { status: response.status, text: String(response.body) }
  }

  /** The values of a metric of the servers, in their order. */
  async function valuesOf(name: string): Promise<readonly (string | undefined)[]> {
    const { text } = await get(service, '/metrics')
    return replicas.urls.map((url) => {
      const line = text.split('\n').find((one) => one.startsWith(`${name}{server="${url}"`))
      return line?.split(' ').at(-1)
    })
  }

  const about = (url: string) => service.warnings.filter((warning) => warning.includes(url))

  it('is ready, and its servers are up and in use', async () => {
    // Servers that have just started may lag.
    await until(async () => {
      expect(await get(service, '/readyz')).toEqual({ status: 200, text: '{"status":"ready"}' })
      return true
    }, 'it is ready')
    expect(await valuesOf('evq_clickhouse_server_up')).toEqual(['1', '1', '1'])
    expect(await valuesOf('evq_clickhouse_server_used')).toEqual(['1', '1', '1'])
    await until(
      async () => (await valuesOf('evq_clickhouse_server_lag_seconds')).every((lag) => lag === '0'),
      'the lag is measured',
    )
    expect((await get(service, '/metrics')).text).toContain('\nevq_single_copy_inserts_total 0\n')
  })

  it('reports once that a server is lost, inserts with a single copy, and their end', async () => {
    const [, second, third] = replicas.servers
    await third!.kill()
    await until(
      async () => (await valuesOf('evq_clickhouse_server_used')).join() === '1,1,0',
      'the server is not used',
    )
    expect(await valuesOf('evq_clickhouse_server_up')).toEqual(['1', '1', '0'])
    expect((await valuesOf('evq_clickhouse_server_lag_seconds'))[2]).toBeUndefined()
    expect(JSON.parse((await get(service, '/readyz')).text)).toEqual({
      status: 'ready',
      degradedShards: [{ shard: 1, servers: 3, used: 2, lagging: 0 }],
    })
    await store(service, 2)
    expect((await get(service, '/metrics')).text).toContain('\nevq_single_copy_inserts_total 0\n')

    await second!.kill()
    await store(service, 3)
    await store(service, 4)
    expect((await get(service, '/metrics')).text).toContain('\nevq_single_copy_inserts_total 2\n')
    const single = service.warnings.filter((warning) => warning.includes('shard 1'))
    expect(single).toEqual([
      'Only one replica of shard 1 can store events: new events have a single copy until another replica has fetched them.',
    ])

    await Promise.all([second!.start(), third!.start()])
    const used = (url: string) => `The ClickHouse server \`${url}\` is used again.`
    for (const { url } of [second!, third!]) {
      await until(() => about(url).at(-1) === used(url), 'the server is used again')
      // A server that starts may be reported once more, with the reason why it is not ready.
      expect(about(url).join()).toContain(`\`${url}\` is not used`)
      const uses = about(url).filter((warning) => / is (not used|used again)/.test(warning))
      expect(uses.filter((use, i) => use === used(url) && use === uses[i - 1])).toEqual([])
    }
    await until(async () => {
      await store(service, 5)
      return service.warnings.includes('Two replicas of shard 1 store new events again.')
    }, 'two copies are stored')
  })

  it('reports once that a server lags, and that it has caught up', async () => {
    const [first, , third] = replicas.servers
    // A server that has just started may lag, too.
    await until(
      async () => (await get(service, '/readyz')).text === '{"status":"ready"}',
      'no server lags',
    )
    const before = about(third!.url).length
    await run(third!, 'SYSTEM STOP FETCHES datasets_shard.logs')
    await run(first!, "INSERT INTO datasets_shard.logs (_seq, line) SELECT 1, '{}'")
    const lagged = `The ClickHouse server \`${third!.url}\` lags more than 5 s behind other replicas: queries do not read it.`
    await until(() => about(third!.url).at(-1) === lagged, 'the lag is reported')
    expect(JSON.parse((await get(service, '/readyz')).text)).toEqual({
      status: 'ready',
      degradedShards: [{ shard: 1, servers: 3, used: 3, lagging: 1 }],
    })
    await run(third!, 'SYSTEM START FETCHES datasets_shard.logs')
    const caughtUp = `The ClickHouse server \`${third!.url}\` no longer lags behind other replicas.`
    await until(() => about(third!.url).at(-1) === caughtUp, 'it has caught up')
    expect(about(third!.url).slice(before)).toEqual([lagged, caughtUp])
  })

  it('is read while Keeper hangs, from replicas that have all events', async () => {
    const [first, second, third] = replicas.servers
    const COUNT = 'SELECT count() AS v FROM logs'
    const own = (server: Replica) => run(server, 'SELECT count() FROM datasets_shard.logs')
    // It prefers the first server, and reads all others instead when it lags.
    const reader = await start()
    const before = await value(reader, COUNT)
    await until(async () => Number(await own(first!)) === before, 'the first has all events')
    await run(first!, 'SYSTEM STOP FETCHES datasets_shard.logs')
    await run(
      second!,
      "INSERT INTO datasets_shard.logs (_seq, line) SETTINGS insert_quorum = 2 SELECT 2, '{}'",
    )
    const paused = replicas.keeper.pauseWhenRead('/log_pointer')
    try {
      // Replicas that read of this event in the log get no response: they count as lagging.
      await run(second!, "INSERT INTO datasets_shard.logs (_seq, line) SELECT 3, '{}'")
      await paused
      const lags = () => reader.store.replication!().servers.map(({ lagSeconds = 0 }) => lagSeconds)
      await until(() => lags().every((seconds) => seconds > 5), 'all replicas count as lagging')
      expect([before + 1, before + 2]).toContain(await value(reader, COUNT))
      expect(Number(await own(first!))).toBe(before)
      for (const server of [second!, third!]) await server.kill()
      for (const server of [second!, third!]) await isNotUsed(reader, server)
      await expect(read(reader, COUNT)).rejects.toMatchObject({ code: CODE.ALL_REPLICAS_ARE_STALE })
    } finally {
      replicas.keeper.resume()
    }
    for (const server of [second!, third!]) await server.start()
    await run(first!, 'SYSTEM START FETCHES datasets_shard.logs')
    await until(async () => (await value(reader, COUNT)) === before + 2, 'all events are read')
    for (const server of [second!, third!]) await isUsed(service, server)
    await close(reader)
  })

  describe('of which one does not fetch', () => {
    let writer: Service
    let lenient: Service

    /** The number of events with `n`. */
    async function count(from: Service, n: number): Promise<string | undefined> {
      const query = `SELECT count() AS v FROM logs WHERE \`n:int\` = ${n}`
      const { columns, isPartial } = await read(from, query)
      return `${columns.get('v')}${isPartial ? ' partial' : ''}`
    }

    beforeAll(async () => {
      const [first] = replicas.servers
      await first!.kill()
      // Both prefer another server than one that starts later.
      await isNotUsed(service, first!)
      writer = await start()
      await first!.start()
      for (const one of [service, writer]) await isUsed(one, first!)
      await until(async () => {
        const events = await run(first!, 'SELECT count() FROM datasets_shard.logs')
        return (
          events === (await run(replicas.servers[1]!, 'SELECT count() FROM datasets_shard.logs'))
        )
      }, 'it has all events')
      await run(first!, 'SYSTEM STOP FETCHES datasets_shard.logs')
      lenient = await start({ allowPartial: true })
    })

    it('finds at another service what was acknowledged before', async () => {
      const reader = await start()
      await store(writer, 100)
      expect(await count(reader, 100)).toBe('[1]')
      await close(reader)
      const own = 'SELECT max(`n:int`) FROM datasets_shard.logs'
      expect(Number(await run(replicas.servers[0]!, own))).toBeLessThan(100)
    })

    it('shows at another service which tokens are revoked', async () => {
      const [first] = replicas.servers
      await run(first!, 'SYSTEM STOP FETCHES evq.document')
      const reader = await start()
      await writer.store.tokens.put({ id: 'token', body: '{}' })
      expect(await reader.store.tokens.get('token')).toEqual({ id: 'token', body: '{}' })
      const again = await start()
      await writer.store.tokens.remove('token')
      expect(await again.store.tokens.get('token')).toBeUndefined()
      expect(await run(first!, "SELECT count() FROM evq.document WHERE id = 'token'")).toBe('0')
      await run(first!, 'SYSTEM START FETCHES evq.document')
      for (const one of [reader, again, writer]) await close(one)
    })

    it('rejects queries when only that one is left, unless results may be partial', async () => {
      const [first, ...others] = replicas.servers
      for (const server of others) await server.kill()
      for (const server of others) await isNotUsed(service, server)
      const query = JSON.stringify({ apl: "['logs'] | count" })
      const { status, text } = await get(service, '/v1/datasets/_apl', query)
      expect({ status, ...JSON.parse(text) }).toMatchObject({
        status: 503,
        message:
          'The replicas of a shard lack recent events, or have no connection to Keeper to check it. Retry when one of them has caught up.',
      })
      expect(await count(lenient, 100)).toBe('[0] partial')
      for (const server of others) await server.start()
      await run(first!, 'SYSTEM START FETCHES datasets_shard.logs')
      await until(async () => (await count(service, 100)) === '[1]', 'it has caught up')
      await close(lenient)
    })
  })

  it('is not ready while none of its servers is in use', async () => {
    for (const server of replicas.servers) await server.kill()
    await until(async () => (await get(service, '/readyz')).status === 503, 'it is not ready')
    expect(JSON.parse((await get(service, '/readyz')).text)).toEqual({
      code: 503,
      message: 'No replica of shard 1 is in use.',
    })
    for (const server of replicas.servers) await server.start()
    await until(async () => (await get(service, '/readyz')).text === '{"status":"ready"}', 'ready')
  })
})
