import { list, type Sql, sql, text } from '../../sql/sql.js'
import type { Engine } from '../engine.js'
import { rowsIn } from '../response.js'
import { holdersOf, LEASE_SECONDS, type LeaseRow, type LeaseTable } from './lease-table.js'

/**
 * Leases in a table whose inserts ClickHouse does not order. A service requests a lease by inserting a row and then reads the
 * rows of other services: of two concurrent requests at least one sees the other. A service that sees another request withdraws
 * its own; a service that sees no other holds the lease. On replicas, where inserts become visible late, two services may hold a
 * lease; there, the tokens of inserts ensure that batches are stored once.
 */
export function insertedLeases(engine: Engine): LeaseTable {
  /** Returns the names that other processes hold or request. */
  async function takenNames(requests: readonly LeaseRow[]): Promise<ReadonlySet<string>> {
    const names = list(requests.map(({ name }) => text(name)))
    await engine.synchronize?.(['lease'])
    const result = await engine.ask(sql`
      SELECT name, holder FROM evq.lease WHERE name IN (${names}) GROUP BY name, holder
      HAVING min(state) >= 0 AND max(at) > now64(3) - INTERVAL ${LEASE_SECONDS} SECOND`)
    const own = new Set(requests.map(({ holder }) => holder))
    const others = rowsIn(result, 'name', 'holder').filter(({ holder }) => !own.has(holder))
    return new Set(others.map(({ name }) => name))
  }

  async function write(rows: readonly Sql[]): Promise<void> {
    if (rows.length === 0) return
    await engine.run(sql`
      INSERT INTO evq.lease (name, holder, state)
      SELECT row.1, row.2, row.3 FROM (SELECT arrayJoin([${list(rows)}]) AS row)`)
  }

  return {
    create: () =>
      engine.createTable({
        name: 'lease',
        columns: sql`name String, holder String, state Int8, at DateTime64(3) DEFAULT now64(3)`,
        engine: { family: 'MergeTree' },
        clauses: sql`ORDER BY (name, holder) TTL toDateTime(at) + INTERVAL 1 HOUR`,
      }),
    async exchange(requests, released) {
      await write([...requests.map(acquireRow), ...released.map(releaseRow)])
      if (requests.length === 0) return new Set()
      const taken = await takenNames(requests)
      const late = requests.filter(({ name }) => taken.has(name))
      await write(late.map(releaseRow))
      return holdersOf(requests.filter(({ name }) => !taken.has(name)))
    },
    async renew(leases) {
      await write(leases.map(acquireRow))
      return holdersOf(leases)
    },
    releaseAll: (prefix) =>
      engine.run(sql`
        INSERT INTO evq.lease (name, holder, state)
        SELECT DISTINCT name, holder, -1 FROM evq.lease WHERE startsWith(holder, ${text(prefix)})`),
  }
}

function acquireRow({ name, holder }: LeaseRow): Sql {
  return sql`(${text(name)}, ${text(holder)}, 1)`
}

function releaseRow({ name, holder }: LeaseRow): Sql {
  return sql`(${text(name)}, ${text(holder)}, -1)`
}
