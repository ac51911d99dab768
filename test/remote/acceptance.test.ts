import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { INVENTORY } from '../acceptance/inventory.js'
import { CLUSTER } from '../support/clickhouse-server.js'
import { needsReplicas, type Replicas, startReplicas } from '../support/replicas/replicas.js'
import { type Reply, type Served, served } from '../support/served.js'

// The inventory of the language, from the text of a query through HTTP to the rows, with the events in two shards. The long
// tests run all of it, the others a part.

const EVERY = process.env.EVQ_LONG ? 1 : 6

const answered = INVENTORY.filter(({ answers }) => answers !== undefined)
const some = answered.filter((_, i) => i % EVERY === 0)

describe('on a cluster', needsReplicas, () => {
  let servers: Replicas
  let service: Served

  beforeAll(async () => {
    servers = await startReplicas({ shards: 2, replicas: 1 })
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

  /** Aborting a query may crash the library in the other server. */
  function ask(query: string): Promise<Reply> {
    return servers.despiteCrashes(
      () => service.ask(query),
      ({ status }) => status === 503,
    )
  }

  it('selects enough entries of the inventory', () => {
    expect(some.length).toBeGreaterThan(50)
  })

  it.each(some)(
    'returns the rows of the inventory for $name ($category)',
    async ({ answers = [] }) => {
      for (const { query, rows } of answers) {
        const reply = await ask(query)
        if (!('rows' in reply)) throw new Error(`${query}: ${reply.error.message}`)
        expect(reply.rows.map((row) => row.map((cell) => JSON.parse(cell)))).toEqual(rows)
      }
    },
  )
})
