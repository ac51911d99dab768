import { list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import { rowsIn } from '../response.js'
import { SHARDS } from './cluster-engine.js'

// A server that joined the cluster later has no tables, and one that was down may have missed writes. Rows are only added to
// the shared tables, so that the union of all servers is complete, and missing rows can be copied to each.

/** The databases of evq: tables over all shards are created after the tables that they read. */
export const DATABASES = ['evq', SHARDS, DATASETS]

/** Creates missing tables on the servers of a cluster and copies the rows of the shared tables that they lack. */
export async function bootstrapNodes(
  servers: readonly RemoteEngine[],
  cluster: string,
): Promise<void> {
  const isOwn = sql`database IN (${list(DATABASES.map(text))})`
  const found = await Promise.all(servers.map((server) => tableDefinitions(server, isOwn)))
  const all = new Map(found.flatMap((tables) => [...tables]))
  const newServers = servers.filter((_, i) => found[i]?.has(BATCH_TABLE) !== true)
  for (const database of DATABASES) {
    const tables = [...all].filter(([key]) => key.startsWith(`${database} `))
    for (const [i, server] of servers.entries()) {
      const missing = tables.filter(([key]) => found[i]?.has(key) !== true)
      if (missing.length > 0 && database === 'evq') await server.run(EVQ)
      for (const [, definition] of missing) await server.run(whereMissing(definition))
    }
  }
  if (!all.has(BATCH_TABLE)) return
  for (const server of servers) {
    await server.run(missedPaths(cluster))
    await server.run(missedDocuments(cluster))
  }
  // There are many outcomes: they are copied to new servers only. A server that was down lacks some, but other servers have them.
  for (const server of newServers) await server.run(missedBatches(cluster))
}

const EVQ = sql`CREATE DATABASE IF NOT EXISTS evq ENGINE = Atomic`
const BATCH_TABLE = 'evq batch'

/** Returns the definitions of the tables of a server that meet a condition, by database and name. */
export async function tableDefinitions(
  server: RemoteEngine,
  condition: Sql,
): Promise<ReadonlyMap<string, string>> {
  const result = await server.ask(sql`
    SELECT concat(database, ' ', name) AS key, create_table_query AS definition FROM system.tables
    WHERE ${condition}`)
  const tables = rowsIn(result, 'key', 'definition')
  return new Map(tables.map(({ key, definition }) => [key, definition]))
}

/** Returns a statement that creates a table unless it exists. The definition is written and quoted by ClickHouse. */
export function whereMissing(definition: string): Sql {
  return raw(definition.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS '))
}

function missedPaths(cluster: string): Sql {
  return sql`
    INSERT INTO evq.path (dataset, path, kinds)
    SELECT DISTINCT dataset, path, kinds FROM cluster(${text(cluster)}, evq.path)
    WHERE (dataset, path, kinds) GLOBAL NOT IN (SELECT dataset, path, kinds FROM evq.path)`
}

function missedDocuments(cluster: string): Sql {
  return sql`
    INSERT INTO evq.document (kind, id, body, removed, version)
    SELECT DISTINCT kind, id, body, removed, version FROM cluster(${text(cluster)}, evq.document)
    WHERE (kind, id, version) GLOBAL NOT IN (SELECT kind, id, version FROM evq.document)`
}

function missedBatches(cluster: string): Sql {
  return sql`
    INSERT INTO evq.batch (dataset, hash, outcome, at)
    SELECT dataset, hash, argMin(outcome, at), min(at) FROM cluster(${text(cluster)}, evq.batch)
    GROUP BY dataset, hash`
}
