import { list, type Sql, sql, text } from '../../sql/sql.js'
import { type Engine, hasCode } from '../engine.js'
import { rowsIn, stringsIn } from '../response.js'
import { holdersOf, LEASE_SECONDS, type LeaseRow, type LeaseTable } from './lease-table.js'

// Keeper orders all changes of a `KeeperMap` table. In strict mode an insert of an existing key fails, and so does a change of a
// row that was changed since it was read: of several services that want a lease exactly one gets it.

const STRICT = sql`SETTINGS keeper_map_strict_mode = 1`

const MAX_TRIES = 5

/** Leases as rows in Keeper, one for each lease that is held. */
export function keeperLeases(engine: Engine): LeaseTable {
  /** Adds leases. Resolves with false when one of them exists already; then no lease is added. */
  async function insert(leases: readonly LeaseRow[]): Promise<boolean> {
    const rows = leases.map(({ name, holder }) => sql`(${text(name)}, ${text(holder)})`)
    return await isAccepted(
      engine.run(sql`
        INSERT INTO evq.keeper_lease (name, holder, at) ${STRICT}
        SELECT row.1, row.2, now64(3) FROM (SELECT arrayJoin([${list(rows)}]) AS row)`),
    )
  }

  /** Acquires an expired lease unless it was renewed or acquired meanwhile. */
  async function takeOver({ name, holder }: LeaseRow, from: string): Promise<boolean> {
    return await isAccepted(
      engine.run(sql`
        ALTER TABLE evq.keeper_lease UPDATE holder = ${text(holder)}, at = now64(3)
        WHERE name = ${text(name)} AND holder = ${text(from)} AND ${IS_EXPIRED} ${STRICT}`),
    )
  }

  /** Returns the leases that exist, by name. */
  async function find(leases: readonly LeaseRow[]) {
    const result = await engine.ask(sql`
      SELECT name, holder, toString(${IS_EXPIRED}) AS expired FROM evq.keeper_lease
      WHERE name IN (${namesOf(leases)})`)
    const rows = rowsIn(result, 'name', 'holder', 'expired')
    return new Map(rows.map((row) => [row.name, { ...row, isExpired: row.expired === '1' }]))
  }

  /** Returns the holders of these leases that have not lost them. */
  async function held(leases: readonly LeaseRow[]): Promise<ReadonlySet<string>> {
    const result = await engine.ask(
      sql`SELECT holder FROM evq.keeper_lease WHERE ${heldBy(leases)}`,
    )
    return new Set(stringsIn(result, 'holder'))
  }

  /** Runs a statement again when rows were changed while it ran. */
  async function change(statement: Sql): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await engine.run(statement)
      } catch (error) {
        if (!hasCode(error, 'KEEPER_EXCEPTION') || tries === MAX_TRIES) throw error
      }
    }
  }

  return {
    create: () =>
      engine.createTable({
        name: 'keeper_lease',
        columns: sql`name String, holder String, at DateTime64(3)`,
        engine: { family: 'KeeperMap', parameters: text('/evq/lease') },
        clauses: sql`PRIMARY KEY name`,
      }),
    async exchange(requests, released) {
      if (released.length > 0) {
        await change(sql`ALTER TABLE evq.keeper_lease DELETE WHERE ${heldBy(released)} ${STRICT}`)
      }
      if (requests.length === 0) return new Set()
      if (await insert(requests)) return holdersOf(requests)
      const found = await find(requests)
      const others = requests.filter(({ name }) => found.get(name)?.isExpired !== false)
      if (others.length === 0) {
        return holdersOf(requests.filter(({ name, holder }) => found.get(name)?.holder === holder))
      }
      // Another service may acquire some of these leases at the same time.
      const attempts = others.map((request) => {
        const lease = found.get(request.name)
        return lease === undefined ? insert([request]) : takeOver(request, lease.holder)
      })
      await Promise.all(attempts)
      return await held(requests)
    },
    async renew(leases) {
      if (leases.length === 0) return new Set()
      await change(sql`
        ALTER TABLE evq.keeper_lease UPDATE at = now64(3) WHERE ${heldBy(leases)} ${STRICT}`)
      return await held(leases)
    },
    async releaseAll(prefix) {
      const isAbandoned = sql`at < now64(3) - INTERVAL 1 HOUR`
      await change(sql`
        ALTER TABLE evq.keeper_lease DELETE WHERE startsWith(holder, ${text(prefix)}) OR ${isAbandoned} ${STRICT}`)
    },
  }
}

const IS_EXPIRED = sql`at <= now64(3) - INTERVAL ${LEASE_SECONDS} SECOND`

function heldBy(leases: readonly LeaseRow[]): Sql {
  const holders = list(leases.map(({ holder }) => text(holder)))
  return sql`name IN (${namesOf(leases)}) AND holder IN (${holders})`
}

function namesOf(leases: readonly LeaseRow[]): Sql {
  return list(leases.map(({ name }) => text(name)))
}

async function isAccepted(work: Promise<void>): Promise<boolean> {
  try {
    await work
    return true
  } catch (error) {
    if (hasCode(error, 'KEEPER_EXCEPTION')) return false
    throw error
  }
}
