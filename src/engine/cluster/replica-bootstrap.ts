import { setTimeout as sleep } from 'node:timers/promises'
import { identifier, raw, type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import type { Settings } from '../clickhouse/settings.js'
import { GRACE_MS, hasCode, isTimeout, isUnreachable } from '../engine.js'
import { numberIn, rowsIn, stringsIn } from '../response.js'
import {
  CHANGE_MS,
  isInPlace,
  type OtherServers,
  settleMoves,
  unsettledTables,
} from './dataset-move.js'
import { isKeeperAway } from './keeper-errors.js'
import type { Replica } from './replica-set.js'
import { SHARDS, shardOf } from './shards.js'
import { ClusterError } from './topology.js'

// A replica that was added, or that lost its disk, has no tables, and a replica that was away lacks the tables that were created
// meanwhile. ClickHouse replicates the rows and columns of tables, except the columns of Distributed tables.

/** The timeout of a synchronization: a replica that lacks rows of a server that is away does not get them by waiting. */
const SYNC_SECONDS = 5

/** The databases of evq: tables over all shards are created after the tables that they read. */
const DATABASES = ['evq', SHARDS, DATASETS]

/** Creates missing databases and tables on a server, with the definitions of other servers. */
export async function prepareReplica(replica: Replica, other: OtherServers): Promise<void> {
  const { engine } = replica
  const { others } = other
  await settleMoves(engine, other)
  const found = await missingTables(replica, others)
  if (found.size > 0) {
    await sleep(CHANGE_MS)
    const missing = [...(await missingTables(replica, others))].filter(([key]) => found.has(key))
    if (missing.length > 0) await createDatabases(engine)
    for (const database of DATABASES) {
      for (const [key, definition] of missing) {
        if (key.startsWith(`${database} `)) await create(replica, others, definition)
      }
    }
  }
  await updateWholes(engine)
  await synchronizeDeletions(engine)
}

/** True when `prepareReplica` would change nothing on any of these servers. */
export async function arePrepared(replicas: readonly Replica[]): Promise<boolean> {
  const states = await Promise.all(replicas.map(({ engine }) => engine.ask(preparation())))
  const tables = new Set(states.flatMap((state) => stringsIn(state, 'tables')))
  return tables.size <= 1 && states.every((state) => numberIn(state, 'pending') === 0)
}

/** Returns a query for a hash of the names of a server's tables, and the number of its tables and columns that need preparation. */
function preparation(): Sql {
  const count = (query: Sql): Sql => sql`(SELECT count() FROM (${query}))`
  return sql`
    SELECT (SELECT toString(sum(cityHash64(database, name))) FROM system.tables
        WHERE database IN ('evq', ${text(SHARDS)})) AS tables,
      toUInt32(${count(unsettledTables())} + ${count(outdated())} + ${count(unfinished())}) AS pending`
}

/** Returns a query for the datasets from which events are being deleted. */
function unfinished(): Sql {
  return sql`
    SELECT DISTINCT table FROM system.mutations
    WHERE database = ${text(SHARDS)} AND NOT is_done AND ${isInPlace(sql`table`)}`
}

/** Waits until a server has deleted the events that were deleted while it was away, at most `SYNC_SECONDS`. */
async function synchronizeDeletions(engine: RemoteEngine): Promise<void> {
  const result = await engine.ask(unfinished())
  await synchronize(engine, stringsIn(result, 'table').map(shardOf)).catch((error: unknown) => {
    if (!isGone(error)) throw error
  })
}

/** Returns the definitions of the tables that other servers have, and this one lacks. */
async function missingTables(
  replica: Replica,
  others: readonly Replica[],
): Promise<ReadonlyMap<string, string>> {
  const found = await tablesOf(replica.engine)
  // The servers of the same shard come first: their tables have exactly the columns that Keeper has.
  const distance = ({ shard }: Replica): number => (shard === replica.shard ? 0 : 1)
  const sources = [...others].sort((a, b) => distance(a) - distance(b))
  const definitions = new Map<string, string>()
  for (const source of sources) {
    // A server that is away has the same tables as the others.
    const tables = await tablesOf(source.engine).catch((error: unknown) => {
      if (!isUnreachable(error)) throw error
      return new Map<string, string>()
    })
    for (const [key, definition] of tables) {
      if (!found.has(key) && !definitions.has(key)) definitions.set(key, definition)
    }
  }
  return definitions
}

export async function createDatabases(engine: RemoteEngine): Promise<void> {
  for (const database of DATABASES) {
    await engine.run(sql`CREATE DATABASE IF NOT EXISTS ${raw(database)} ENGINE = Atomic`)
  }
}

/**
 * Waits until a server has the rows and the definition that its replicated tables had on other servers before the call. Resolves
 * with false after `SYNC_SECONDS`, or when Keeper is away.
 */
export async function synchronize(
  engine: RemoteEngine,
  tables: readonly Sql[],
  { rowsOnly = false } = {},
): Promise<boolean> {
  const mode = rowsOnly ? sql` LIGHTWEIGHT` : sql``
  const patient = engine.with({ database: 'system', receive_timeout: SYNC_SECONDS })
  try {
    await Promise.all(
      tables.map((table) =>
        patient.run(sql`SYSTEM SYNC REPLICA ${table}${mode}`, SYNC_SECONDS * 1000 + GRACE_MS),
      ),
    )
    return true
  } catch (error) {
    // Events can be read while Keeper is away.
    if (!isTimeout(error) && !isKeeperAway(error)) throw error
    return false
  }
}

async function create(
  replica: Replica,
  others: readonly Replica[],
  definition: string,
): Promise<void> {
  try {
    // The definition is written and quoted by ClickHouse.
    const statement = definition.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS ')
    await replica.engine.run(raw(statement))
  } catch (error) {
    if (!hasCode(error, 'REPLICA_ALREADY_EXISTS')) throw error
    throw new ClusterError(await lostMessage(replica, others))
  }
}

/** Returns the message about a server whose tables are gone while Keeper still has its replica. */
async function lostMessage(replica: Replica, others: readonly Replica[]): Promise<string> {
  const result = await replica.engine.ask(
    sql`SELECT substitution FROM system.macros WHERE macro = 'replica'`,
  )
  const name = stringsIn(result, 'substitution')[0] ?? ''
  const other = others.find(({ shard }) => shard === replica.shard) ?? others[0]
  return `it has no tables, but Keeper still has its replica \`${name}\`. If its disk is lost, run \`SYSTEM DROP REPLICA ${text(name).text}\` on \`${other?.url ?? replica.url}\`: then its tables are created, and its data is copied from the other replicas.`
}

/** Brings the columns of the tables over all shards up to date with the server's own tables. */
async function updateWholes(engine: RemoteEngine): Promise<void> {
  const datasets = new Set((await outdatedColumns(engine)).map(({ table }) => table))
  for (const dataset of datasets) {
    await updateWhole(engine, dataset).catch((error: unknown) => {
      if (!isGone(error)) throw error
    })
  }
}

async function updateWhole(engine: RemoteEngine, dataset: string): Promise<void> {
  // The server's own table may be the outdated one.
  await synchronize(engine, [shardOf(dataset)])
  const columns = (await outdatedColumns(engine)).filter(({ table }) => table === dataset)
  for (const { name, type, comment } of columns) {
    // The type is written by ClickHouse.
    await engine.run(sql`
      ALTER TABLE ${tableOf(dataset)} ADD COLUMN IF NOT EXISTS ${identifier(name)} ${raw(type)} COMMENT ${text(comment)}`)
  }
}

/** True when a dataset was deleted or renamed meanwhile. */
function isGone(error: unknown): boolean {
  return hasCode(error, 'NOT_FOUND_COLUMN_IN_BLOCK', 'NO_SUCH_COLUMN_IN_TABLE', 'UNKNOWN_TABLE')
}

/** Returns a query for the columns that the tables over all shards lack. */
function outdated(): Sql {
  const columnsOf = (database: string): Sql =>
    sql`FROM system.columns WHERE database = ${text(database)}`
  return sql`
    SELECT table, name, type, comment ${columnsOf(SHARDS)}
      AND ${isInPlace(sql`table`)} AND (table, name) NOT IN (SELECT table, name ${columnsOf(DATASETS)})`
}

async function outdatedColumns(engine: RemoteEngine) {
  const result = await engine.ask(outdated())
  return rowsIn(result, 'table', 'name', 'type', 'comment')
}

/** Returns the definitions of a server's tables, by database and name, except tables that are being deleted or renamed. */
async function tablesOf(engine: RemoteEngine): Promise<ReadonlyMap<string, string>> {
  const isOwn = sql`
    database = 'evq' OR (database = ${text(SHARDS)} AND ${isInPlace(sql`name`)})
      OR (database = ${text(DATASETS)}
        AND name IN (SELECT name FROM system.tables WHERE database = ${text(SHARDS)}))`
  const result = await engine.ask(sql`
    SELECT concat(database, ' ', name) AS key, create_table_query AS definition FROM system.tables
    WHERE ${isOwn}`)
  const tables = rowsIn(result, 'key', 'definition')
  return new Map(tables.map(({ key, definition }) => [key, definition]))
}

/** The settings of statements on a server's own tables. */
export const OWN_TABLES: Settings = { database: SHARDS }
