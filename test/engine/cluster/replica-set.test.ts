import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { RemoteEngine } from '../../../src/engine/clickhouse/remote.js'
import { RemoteServer } from '../../../src/engine/clickhouse/remote-server.js'
import { type Replica, ReplicaSet } from '../../../src/engine/cluster/replica-set.js'
import { replicatedClusterEngine } from '../../../src/engine/cluster/replicated-engine.js'
import { raw } from '../../../src/sql/sql.js'
import { until } from '../../support/until.js'

async function replicaAt(listener: Server): Promise<Replica> {
  listener.listen(0, '127.0.0.1')
  await once(listener, 'listening')
  const url = `http://127.0.0.1:${(listener.address() as AddressInfo).port}`
  const server = await RemoteServer.open({ url })
  const engine = new RemoteEngine(server)
  return { url, shard: 0, position: 0, server, engine, entry: engine }
}

it('does not report servers whose connection was closed by the service itself', async () => {
  const silent = createServer(() => {})
  const replica = await replicaAt(silent)
  const { server } = replica
  const warnings: string[] = []
  const replicas = new ReplicaSet({
    replicas: [replica],
    shards: 1,
    prepare: async () => {},
    arePrepared: async () => true,
    warn: (message) => warnings.push(message),
  })
  const request = once(silent, 'request')
  const beaten = replicas.heartbeat()
  await request
  replicas.close()
  await server.close()
  await beaten
  expect(warnings).toEqual([])
  silent.closeAllConnections()
  silent.close()
})

it('prepares the servers in use again with some heartbeats, when there is something to prepare', async () => {
  const responding = createServer((_, response) => response.end())
  const replica = await replicaAt(responding)
  let checks = 0
  let prepared = 0
  const replicas = new ReplicaSet({
    replicas: [replica],
    shards: 1,
    async prepare() {
      prepared += 1
    },
    arePrepared: async () => ++checks !== 2,
    warn: () => {},
  })
  await until(async () => {
    await replicas.heartbeat()
    return checks >= 3
  }, 'the servers are checked')
  await until(() => prepared > 0, 'the server is prepared')
  expect(prepared).toBe(1)
  replicas.close()
  await replica.server.close()
  responding.close()
})

describe('a server that is used again', () => {
  const responding = createServer((_, response) => response.end())
  let replica: Replica

  beforeAll(async () => {
    replica = await replicaAt(responding)
  })
  afterAll(async () => {
    await replica.server.close()
    responding.close()
  })

  function replicasAt(places: readonly { readonly shard: number; readonly position: number }[]) {
    const all = places.map((place) => ({ ...replica, ...place }))
    const replicas = new ReplicaSet({
      replicas: all,
      shards: 2,
      prepare: async () => {},
      arePrepared: async () => true,
      warn: () => {},
    })
    onTestFinished(() => replicas.close())
    return { all, replicas }
  }

  it('while a change is made gets the change, too', async () => {
    const places = [0, 1].map((position) => ({ shard: 0, position }))
    const { all, replicas } = replicasAt(places)
    const [used, back] = [all[0]!, all[1]!]
    replicas.leave(back, new Error('restarted'))
    const changed: Replica[] = []
    await replicas.onEach(async (one) => {
      changed.push(one)
      if (one === used) await replicas.join(back)
    })
    expect(changed).toEqual([used, back])
  })

  it('is the last one that is asked for datasets', async () => {
    const places = [0, 1].flatMap((shard) => [0, 1].map((position) => ({ shard, position })))
    const { all, replicas } = replicasAt(places)
    const [lost, back, third, fourth] = all
    replicas.leave(back!, new Error('restarted'))
    await replicas.join(back!)
    replicas.leave(lost!, new Error('no response'))
    // Position 1 is preferred, since no server at this position is away.
    expect(replicas.entries()).toEqual([fourth, third, back])
  })
})

/** ClickHouse's response to a query for a lag of 0 seconds. */
const NO_LAG =
  '{\n\t"meta":\n\t[\n\t\t{\n\t\t\t"name": "seconds",\n\t\t\t"type": "UInt32"\n\t\t}\n\t],\n\n\t"data":\n\t{\n\t\t"seconds": [0]\n\t},\n\n\t"rows": 1\n}\n'

it('shares the time of a query among the servers that it is sent to', async () => {
  let queries = 0
  const hanging = createServer(async (request, response) => {
    const statement = await text(request)
    if (statement.startsWith('SELECT 7')) queries += 1
    else response.end(NO_LAG)
  })
  const replica = await replicaAt(hanging)
  const options = { shards: 1, warn: () => {} }
  const replicas = new ReplicaSet({
    ...options,
    replicas: [replica],
    prepare: async () => {},
    arePrepared: async () => true,
  })
  const cluster = { name: 'c', replicas, copies: undefined, allowPartial: false }
  const engine = replicatedClusterEngine(
    { ...cluster, macrosOf: () => undefined, warn: () => {} },
    { hasKeeperMap: false },
  )
  const limits = { timeoutMs: 100, memoryBytes: 1_000_000_000 }
  await expect(engine.read(raw('SELECT 7'), limits)).rejects.toMatchObject({ code: 209 })
  expect(queries).toBe(1)
  await engine.close()
  hanging.closeAllConnections()
  hanging.close()
})

it('takes a server for alive that reports its lag, or responds to less', async () => {
  let hangs = false
  const statements: string[] = []
  const responding = createServer(async (request, response) => {
    const statement = await text(request)
    statements.push(statement)
    if (!hangs || statement === 'SELECT 1') response.end(NO_LAG)
  })
  const replica = await replicaAt(responding)
  const warnings: string[] = []
  const replicas = new ReplicaSet({
    replicas: [replica],
    shards: 1,
    prepare: async () => {},
    arePrepared: async () => true,
    warn: (message) => warnings.push(message),
  })
  const { url } = replica
  const state = { url, shard: 1, isUp: true, isUsed: true, lagSeconds: 0 }
  // This process may stall for longer than a server has to report its lag.
  await until(async () => {
    statements.length = 0
    await replicas.heartbeat()
    return statements.length > 0 && !statements.includes('SELECT 1')
  }, 'the server is asked for its lag only')
  expect(replicas.states).toEqual([state])
  hangs = true
  await replicas.heartbeat()
  await replicas.heartbeat()
  expect(statements).toContain('SELECT 1')
  expect(replicas.states).toEqual([state])
  expect(warnings).toEqual([])
  replicas.close()
  await replica.server.close()
  responding.closeAllConnections()
  responding.close()
})
