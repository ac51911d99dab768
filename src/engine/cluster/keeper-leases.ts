import { list, type Sql, sql, text } from '../../sql/sql.js'
import { type Engine, hasCode } from '../engine.js'
import { rowsIn, stringsIn } from '../response.js'
import { LEASE_SECONDS, type LeaseExchange, type LeaseRow, type LeaseTable } from './lease-table.js'

// Keeper orders all changes of a `KeeperMap` table. In strict mode an insert of an existing key fails, and so does a change of a
// row that was changed since it was read: of several services that want a lease exactly one gets it.

const STRICT = sql`SETTINGS keeper_map_strict_mode = 1`

const MAX_TRIES = 5

/** Leases as rows in Keeper, one for each lease that is held. */
export class KeeperLeases implements LeaseTable {
  private readonly engine: Engine

  constructor(engine: Engine) {
    this.engine = engine
  }

  static async create(engine: Engine): Promise<void> {
    await engine.createTable({
      name: 'keeper_lease',
      columns: sql`name String, holder String, at DateTime64(3)`,
      engine: { family: 'KeeperMap', parameters: text('/evq/lease') },
      clauses: sql`PRIMARY KEY name`,
    })
  }

  async exchange({ requests, released }: LeaseExchange): Promise<ReadonlySet<string>> {
    await this.release(released)
    if (requests.length === 0) return new Set()
    if (await this.insert(requests)) return new Set(requests.map(({ holder }) => holder))
    const { holders, expired } = await this.find(requests)
    const free = requests.filter(({ name }) => !holders.has(name))
    if (free.length === 0 && expired.size === 0) return ownOf(requests, holders)
    await Promise.all([
      // Another service may acquire some of these leases at the same time.
      ...free.map((request) => this.insert([request])),
      ...requests.map((request) => this.takeOver(request, expired.get(request.name))),
    ])
    return await this.held(requests)
  }

  async renew(leases: readonly LeaseRow[]): Promise<ReadonlySet<string>> {
    if (leases.length === 0) return new Set()
    await this.change(sql`
      ALTER TABLE evq.keeper_lease UPDATE at = now64(3) WHERE ${heldBy(leases)} ${STRICT}`)
    return await this.held(leases)
  }

  async releaseAll(prefix: string): Promise<void> {
    const isAbandoned = sql`at < now64(3) - INTERVAL 1 HOUR`
    await this.change(sql`
      ALTER TABLE evq.keeper_lease DELETE WHERE startsWith(holder, ${text(prefix)}) OR ${isAbandoned} ${STRICT}`)
  }

  private async release(leases: readonly LeaseRow[]): Promise<void> {
    if (leases.length === 0) return
    await this.change(sql`ALTER TABLE evq.keeper_lease DELETE WHERE ${heldBy(leases)} ${STRICT}`)
  }

  /** Adds leases. Resolves with false when one of them exists already; then no lease is added. */
  private async insert(leases: readonly LeaseRow[]): Promise<boolean> {
    const rows = leases.map(({ name, holder }) => sql`(${text(name)}, ${text(holder)})`)
    return await isAccepted(
      this.engine.run(sql`
        INSERT INTO evq.keeper_lease (name, holder, at) ${STRICT}
        SELECT row.1, row.2, now64(3) FROM (SELECT arrayJoin([${list(rows)}]) AS row)`),
    )
  }

  /** Acquires an expired lease unless it was renewed or acquired meanwhile. */
  private async takeOver({ name, holder }: LeaseRow, from: string | undefined): Promise<void> {
    if (from === undefined) return
    await isAccepted(
      this.engine.run(sql`
        ALTER TABLE evq.keeper_lease UPDATE holder = ${text(holder)}, at = now64(3)
        WHERE name = ${text(name)} AND holder = ${text(from)} AND ${IS_EXPIRED} ${STRICT}`),
    )
  }

  /** Returns the holders of the leases that exist, and the holders of expired leases. */
  private async find(leases: readonly LeaseRow[]) {
    const result = await this.engine.ask(sql`
      SELECT name, holder, toString(${IS_EXPIRED}) AS expired FROM evq.keeper_lease
      WHERE name IN (${namesOf(leases)})`)
    const rows = rowsIn(result, 'name', 'holder', 'expired')
    const holdersOf = (some: typeof rows) => new Map(some.map(({ name, holder }) => [name, holder]))
    return {
      holders: holdersOf(rows),
      expired: holdersOf(rows.filter(({ expired }) => expired === '1')),
    }
  }

  /** Returns the holders of these leases that have not lost them. */
  private async held(leases: readonly LeaseRow[]): Promise<ReadonlySet<string>> {
    const result = await this.engine.ask(
      sql`SELECT holder FROM evq.keeper_lease WHERE ${heldBy(leases)}`,
    )
    return new Set(stringsIn(result, 'holder'))
  }

  /** Runs a statement again when rows were changed while it ran. */
  private async change(statement: Sql): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        return await this.engine.run(statement)
      } catch (error) {
        if (!hasCode(error, 'KEEPER_EXCEPTION') || tries === MAX_TRIES) throw error
      }
    }
  }
}

const IS_EXPIRED = sql`at <= now64(3) - INTERVAL ${LEASE_SECONDS} SECOND`

/** Returns the holders of requests that have the lease. */
function ownOf(
  requests: readonly LeaseRow[],
  holders: ReadonlyMap<string, string>,
): ReadonlySet<string> {
  const own = requests.filter(({ name, holder }) => holders.get(name) === holder)
  return new Set(own.map(({ holder }) => holder))
}

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
