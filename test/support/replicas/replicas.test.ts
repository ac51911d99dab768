import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { needs } from '../needs.js'
import { until } from '../until.js'
import {
  isKnownBuild,
  needsReplicas,
  type Replica,
  type Replicas,
  startReplicas,
} from './replicas.js'

const isLinuxOnX64 = process.platform === 'linux' && process.arch === 'x64'

it('the installed build of chdb is known', needs(isLinuxOnX64, 'Linux on x64'), () => {
  expect(isKnownBuild).toBe(true)
})

describe('two replicas', needsReplicas, () => {
  let replicas: Replicas
  let first: Replica
  let second: Replica

  beforeAll(async () => {
    replicas = await startReplicas({ shards: 1, replicas: 2 })
    ;[first, second] = replicas.servers as [Replica, Replica]
    for (const server of replicas.servers) {
      await run(
        server,
        `CREATE TABLE default.event (n UInt64) ENGINE = ReplicatedMergeTree('/test/{shard}/event', '{replica}') ORDER BY n`,
      )
    }
  })

  afterAll(() => replicas.stop())

  async function run({ url }: Replica, statement: string): Promise<string> {
    const response = await fetch(url, { method: 'POST', body: statement })
    const text = (await response.text()).trim()
    if (!response.ok) throw new Error(text)
    return text
  }

  /** Inserts a row, again while the server connects to ZooKeeper. */
  const accepts = (server: Replica, n: number) =>
    until(
      () => run(server, `INSERT INTO default.event SELECT ${n}`).then(() => true),
      'an insert is accepted',
    )
  const count = (server: Replica) => run(server, 'SELECT count() FROM default.event')
  const has = (server: Replica, rows: number) =>
    until(async () => (await count(server)) === String(rows), `${server.name} has ${rows} rows`)

  it('have the rows of each other', async () => {
    await run(first, 'INSERT INTO default.event SELECT number FROM numbers(10)')
    await has(second, 10)
    await run(second, 'INSERT INTO default.event SELECT 10')
    await has(first, 11)
  })

  it('store a block with the same token once', async () => {
    const insert = `INSERT INTO default.event SETTINGS insert_deduplication_token = 'once' SELECT 11`
    await run(first, insert)
    await run(second, insert)
    await has(first, 12)
    await has(second, 12)
  })

  it('fetch what was stored while they were killed', async () => {
    await second.kill()
    await run(first, 'INSERT INTO default.event SELECT 12')
    await second.start()
    await has(second, 13)
  })

  it('survive the reset of a connection', async () => {
    const before = second.pid()
    const connections = () =>
      run(second, `SELECT value FROM system.metrics WHERE metric = 'TCPConnection'`)
    const others = await connections()
    const port = await run(second, 'SELECT port FROM system.clusters WHERE is_local')
    const socket = connect(Number(port), '127.0.0.1')
    // The first packet of the native protocol: a name, version 24.1, revision 54058, a database, a user and a password.
    socket.write('\0\x01t\x18\x01\xaa\xa6\x03\x07default\x07default\0', 'latin1')
    await once(socket, 'data')
    socket.resetAndDestroy()
    await until(async () => (await connections()) === others, 'the connection is closed')
    expect(second.pid()).toBe(before)
    expect(second.crashes()).toBe(0)
  })

  it('accept inserts again once ZooKeeper responds and after their sessions expired', async () => {
    replicas.keeper.pause()
    const insert = run(first, 'INSERT INTO default.event SELECT 13')
    expect(await count(first)).toBe('13')
    replicas.keeper.resume()
    await insert.catch(() => accepts(first, 13))
    replicas.keeper.expireAll()
    await accepts(second, 14)
    await until(
      async () => (await run(first, 'SELECT uniqExact(n) FROM default.event')) === '15',
      'all rows are replicated',
    )
  })
})
