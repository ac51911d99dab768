import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INVENTORY } from '../acceptance/inventory.js'
import {
  CLUSTER,
  type ClickHouseServers,
  needsServers,
  startServers,
} from '../support/clickhouse-server.js'
import { type Reply, type Served, served } from '../support/served.js'

// The language's inventory once more, from the query's text through HTTP to the rows, where the events
// lie in two shards. Some of it each time, all of it in the long tests.

const EVERY = process.env.EVQ_LONG ? 1 : 6

const answered = INVENTORY.filter(({ answers }) => answers !== undefined)
const some = answered.filter((_, i) => i % EVERY === 0)

describe('on a cluster', needsServers, () => {
  let servers: ClickHouseServers
  let service: Served

  beforeAll(async () => {
    servers = await startServers(2)
    const nodes = servers.servers.map(({ url }) => url)
    service = await served({}, { clickHouse: { url: nodes[0]!, cluster: CLUSTER, nodes } })
    for (const n of [1, 2, 3, 4]) {
      await service.ingest('known', [
        `{"_time":"2026-01-01T00:00:0${n}Z","n":${n},"s":"text ${n}"}`,
      ])
    }
  })

  afterAll(async () => {
    await service.close()
    await servers.stop()
  })

  /** A query that is cut short may end the library in the other server. */
  function ask(query: string): Promise<Reply> {
    return servers.despiteCrashes(
      () => service.ask(query),
      ({ status }) => status === 503,
    )
  }

  it('is asked about enough', () => {
    expect(some.length).toBeGreaterThan(50)
  })

  it.each(some)('$name ($category) gives what the inventory says', async ({ answers = [] }) => {
    for (const { query, rows } of answers) {
      const reply = await ask(query)
      if (!('rows' in reply)) throw new Error(`${query}: ${reply.error.message}`)
      expect(reply.rows.map((row) => row.map((cell) => JSON.parse(cell)))).toEqual(rows)
    }
  })
})
