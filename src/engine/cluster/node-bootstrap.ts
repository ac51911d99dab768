import { raw, type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import { stringsIn } from '../response.js'

// A server that joined the cluster later has no tables, and one that was down may have missed writes. Rows are only added to
// the shared tables, so that the union of all servers is complete, and missing rows can be copied to each.

interface BootstrapOptions {
  readonly cluster: string
  /** The database with each server's own shard of the datasets. */
  readonly shards: string
}

/** Creates missing tables on the servers of a cluster and copies the rows of the shared tables that they lack. */
export async function bootstrapNodes(
  servers: readonly RemoteEngine[],
  to: BootstrapOptions,
): Promise<void> {
  const found = await Promise.all(servers.map((server) => tablesOf(server, to)))
  const all = new Map(found.flatMap((tables) => [...tables]))
  const newServers = servers.filter((_, i) => found[i]?.has(BATCH_TABLE) !== true)
  // Distributed tables are created after the tables that they read.
  const order = ['evq', to.shards, DATASETS]
  for (const database of order) {
    const tables = [...all].filter(([key]) => key.startsWith(`${database} `))
    for (const [i, server] of servers.entries()) {
      const missing = tables.filter(([key]) => found[i]?.has(key) !== true)
      if (missing.length > 0 && database === 'evq') await server.run(EVQ)
      for (const [, definition] of missing) await server.run(definition)
    }
  }
  if (!all.has(BATCH_TABLE)) return
  for (const server of servers) {
    await server.run(missedPaths(to))
    await server.run(missedDocuments(to))
  }
  // There are many outcomes: they are copied to new servers only. A server that was down lacks some, but other servers have them.
  for (const server of newServers) await server.run(missedBatches(to))
}

const EVQ = sql`CREATE DATABASE IF NOT EXISTS evq ENGINE = Atomic`
const BATCH_TABLE = 'evq batch'

/** Returns the statements that create a server's tables, by database and name. */
async function tablesOf(
  server: RemoteEngine,
  { shards }: BootstrapOptions,
): Promise<ReadonlyMap<string, Sql>> {
  const result = await server.ask(sql`
    SELECT concat(database, ' ', name) AS key, create_table_query AS definition FROM system.tables
    WHERE database IN ('evq', ${text(shards)}, ${text(DATASETS)})`)
  const definitions = stringsIn(result, 'definition')
  return new Map(
    stringsIn(result, 'key').map((key, i) => [key, whereMissing(definitions[i] ?? '')]),
  )
}

/** The definition is written and quoted by ClickHouse. */
function whereMissing(definition: string): Sql {
  return raw(definition.replace(/^CREATE TABLE /, 'CREATE TABLE IF NOT EXISTS '))
}

function missedPaths({ cluster }: BootstrapOptions): Sql {
  return sql`
    INSERT INTO evq.path (dataset, path, kinds)
    SELECT DISTINCT dataset, path, kinds FROM cluster(${text(cluster)}, evq.path)
    WHERE (dataset, path, kinds) GLOBAL NOT IN (SELECT dataset, path, kinds FROM evq.path)`
}

function missedDocuments({ cluster }: BootstrapOptions): Sql {
  return sql`
    INSERT INTO evq.document (kind, id, body, removed, version)
    SELECT DISTINCT kind, id, body, removed, version FROM cluster(${text(cluster)}, evq.document)
    WHERE (kind, id, version) GLOBAL NOT IN (SELECT kind, id, version FROM evq.document)`
}

function missedBatches({ cluster }: BootstrapOptions): Sql {
  return sql`
    INSERT INTO evq.batch (dataset, hash, outcome, at)
    SELECT dataset, hash, argMin(outcome, at), min(at) FROM cluster(${text(cluster)}, evq.batch)
    GROUP BY dataset, hash`
}
