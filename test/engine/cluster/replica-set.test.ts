import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import { RemoteEngine } from '../../../src/engine/clickhouse/remote.js'
import { RemoteServer } from '../../../src/engine/clickhouse/remote-server.js'
import { ClusterReader } from '../../../src/engine/cluster/cluster-reader.js'
import { ReplicaSet } from '../../../src/engine/cluster/replica-set.js'

it('does not report servers whose connection was closed by the service itself', async () => {
  const silent = createServer(() => {})
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  const url = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`
  const server = await RemoteServer.open({ url })
  const engine = new RemoteEngine(server)
  const reader = new ClusterReader({ entry: engine, cluster: 'c', shards: 1, allowPartial: false })
  const replica = { url, shard: 0, position: 0, server, engine, entry: engine, reader }
  const warnings: string[] = []
  const replicas = new ReplicaSet({
    replicas: [replica],
    shards: 1,
    prepare: async () => {},
    warn: (message) => warnings.push(message),
  })
  const request = once(silent, 'request')
  const beaten = replicas.beat()
  await request
  replicas.close()
  await server.close()
  await beaten
  expect(warnings).toEqual([])
  silent.closeAllConnections()
  silent.close()
})
