import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS, tableOf } from '../catalog/database.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import { EngineError, isUnreachable, MissingServerError } from '../engine.js'
import { rowsIn, stringsIn } from '../response.js'
import type { Replica, ReplicaSet } from './replica-set.js'
import { createWhole, SHARDS, shardOf } from './shards.js'

// ClickHouse does not replicate the deletion and the renaming of tables: each server does it by itself, and a server that missed it
// would bring the dataset back. Therefore each server first sets its table aside: it renames the table to a name that no dataset
// has. Only when all servers have done so, the tables are dropped, or get their new name; otherwise they get their former name
// back. A server that was lost meanwhile does the same as the others once it is back.

type MoveKind = 'deleted' | 'renamed'

/** The first character of the names of tables that are set aside; no name of a dataset begins with it. */
const ASIDE = '_'

const MOVE_TIMEOUT_MS = 10_000

/**
 * The time in which all servers delete or rename a table. Until it is over, a table that only some of the servers have is not
 * considered missing on the others.
 */
export const CHANGE_MS = 2_000

/** Returns a new name for the table of a dataset that is being deleted or renamed. */
function asideName(kind: MoveKind, dataset: string): string {
  return `${ASIDE}${kind}_${randomInt(36 ** 4).toString(36)}_${dataset}`
}

/** Returns the former name of a table that is being renamed; undefined for one that is being deleted. */
function formerName(aside: string): string | undefined {
  return /^_renamed_[0-9a-z]+_(.*)$/.exec(aside)?.[1]
}

/** Returns a condition on a column of table names: true for the tables that are not set aside. */
export function isInPlace(column: Sql): Sql {
  return sql`NOT startsWith(${column}, ${text(ASIDE)})`
}

/**
 * Sets the tables of a dataset aside on all servers; resolves with their new name. Rejects with a `MissingServerError`, and
 * nothing is changed, when a server is lost meanwhile.
 */
export async function setAside(
  replicas: ReplicaSet,
  kind: MoveKind,
  dataset: string,
): Promise<string> {
  const aside = asideName(kind, dataset)
  const { all } = replicas
  const moved = await Promise.allSettled(
    all.map((replica) => move(replicas, replica, { from: dataset, to: aside })),
  )
  // Another service may have found the tables set aside on some servers only, and undone it.
  const places = await Promise.allSettled(
    all.map((replica) => requireAbsence(replicas, replica, dataset)),
  )
  const outcomes = [...moved, ...places]
  const failed = outcomes.findIndex(({ status }) => status === 'rejected')
  if (failed === -1) return aside
  const returned = await Promise.allSettled(
    all.map((replica) => move(replicas, replica, { from: aside, to: dataset })),
  )
  const lost = failed % all.length
  const { reason } = outcomes[failed] as PromiseRejectedResult
  const isUnknown = returned.some(({ status }, i) => status === 'rejected' && i !== lost)
  throw isUnknown || !isUnreachable(reason) ? reason : new MissingServerError(all[lost]!.url)
}

async function requireAbsence(
  replicas: ReplicaSet,
  replica: Replica,
  dataset: string,
): Promise<void> {
  const query = sql`SELECT name FROM (${shardTables()}) WHERE name = ${text(dataset)}`
  const { rows } = await replicas.onOne([replica], ({ engine }) => engine.ask(query))
  if (rows > 0) throw new EngineError('NETWORK_ERROR', `${dataset} is in place`)
}

/** Renames the table of a dataset on a server, if there is one. */
async function move(
  replicas: ReplicaSet,
  replica: Replica,
  { from, to }: { readonly from: string; readonly to: string },
): Promise<void> {
  const statement = renamed(from, to)
  await replicas.onOne([replica], ({ engine }) => engine.run(statement, MOVE_TIMEOUT_MS))
}

/** Returns the statement that renames the table of a dataset if there is one. */
export function renamed(from: string, to: string): Sql {
  return sql`RENAME TABLE IF EXISTS ${shardOf(from)} TO ${shardOf(to)}`
}

/** The servers of a cluster other than the one at hand. */
export interface OtherServers {
  /** The other servers in use. */
  readonly others: readonly Replica[]
  /** True when `others` has all other servers of the cluster. */
  readonly isComplete: boolean
  readonly cluster: string
}

/** Completes or undoes on a server the deletions and renames that it missed in part. */
export async function settleMoves(engine: RemoteEngine, options: OtherServers): Promise<void> {
  const before = stringsIn(await engine.ask(unsettledTables()), 'name')
  if (before.length === 0) return
  // The deletions and renames may be in progress.
  await sleep(CHANGE_MS)
  for (const table of await asideTables(engine)) {
    if (before.includes(table.name)) await settleTable(engine, table, options)
  }
  const { wholeOnly, ownOnly } = await unpaired(engine)
  for (const dataset of wholeOnly)
    await engine.run(sql`DROP TABLE IF EXISTS ${tableOf(dataset)} SYNC`)
  for (const dataset of ownOnly) await engine.run(createWhole(dataset, options.cluster))
}

/** Returns a query for the names of tables that are set aside, or lack their counterpart: the names in only one database. */
export function unsettledTables(): Sql {
  return sql`
    SELECT name FROM system.tables WHERE database IN (${text(DATASETS)}, ${text(SHARDS)})
    GROUP BY name HAVING count() = 1`
}

/** Settles a table that was set aside, given its path in Keeper. */
async function settleTable(
  engine: RemoteEngine,
  table: { readonly name: string; readonly path: string },
  { others, isComplete }: OtherServers,
): Promise<void> {
  const { name, path } = table
  const current = await nameElsewhere(path, others)
  if (current !== undefined) return await engine.run(renamed(name, current))
  // A server that is away may have the table in place.
  if (!isComplete) return
  const former = formerName(name)
  if (former !== undefined) return await engine.run(renamed(name, former))
  await engine.run(
    sql`DROP TABLE IF EXISTS ${shardOf(name)} SYNC SETTINGS max_table_size_to_drop = 0`,
  )
}

/** Returns the name that a table has on another server where it is not set aside. */
async function nameElsewhere(
  path: string,
  others: readonly Replica[],
): Promise<string | undefined> {
  for (const { engine } of others) {
    const result = await engine.ask(sql`
      SELECT name FROM (${shardTables()}) WHERE path = ${text(path)} AND ${isInPlace(sql`name`)}`)
    const [name] = stringsIn(result, 'name')
    if (name !== undefined) return name
  }
  return undefined
}

async function asideTables(engine: RemoteEngine) {
  const result = await engine.ask(sql`
    SELECT name, path FROM (${shardTables()}) WHERE NOT (${isInPlace(sql`name`)})`)
  return rowsIn(result, 'name', 'path')
}

/** Returns a query for the tables of the datasets on a server, and their paths in Keeper. */
export function shardTables(): Sql {
  return sql`
    SELECT name, extract(engine_full, '^Replicated\\\\w+\\\\(\\'([^\\']*)') AS path
    FROM system.tables WHERE database = ${text(SHARDS)}`
}

/** Returns the datasets with only a table over all shards on a server, and the ones with only a table of its own shard. */
async function unpaired(engine: RemoteEngine) {
  const result = await engine.ask(sql`
    SELECT name, any(database) AS place FROM system.tables
    WHERE database IN (${text(DATASETS)}, ${text(SHARDS)}) AND ${isInPlace(sql`name`)}
    GROUP BY name HAVING count() = 1`)
  const tables = rowsIn(result, 'name', 'place')
  const namesIn = (database: string): readonly string[] =>
    tables.filter(({ place }) => place === database).map(({ name }) => name)
  return { wholeOnly: namesIn(DATASETS), ownOnly: namesIn(SHARDS) }
}

/** Returns the paths in Keeper of all tables of datasets, also on servers that are away; an empty list if they can't be read. */
export async function pathsInKeeper(
  engine: RemoteEngine,
  parent: string,
): Promise<readonly string[]> {
  try {
    const query = sql`SELECT name FROM system.zookeeper WHERE path = ${text(parent)}`
    return stringsIn(await engine.ask(query), 'name')
  } catch (error) {
    // There are no datasets yet, or the user may not read the table.
    if (error instanceof EngineError && !isUnreachable(error)) return []
    throw error
  }
}
