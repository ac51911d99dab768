import { raw, type Sql, sql, text } from '../../sql/sql.js'
import { DATASETS } from '../catalog/database.js'
import type { RemoteEngine } from '../clickhouse/remote.js'
import { stringsIn } from '../clickhouse/response.js'
import { ADD_HIGH } from '../deduplication/saved-outcomes.js'

// A server that came to the cluster later has no tables, and one that was away may have missed what was
// written meanwhile. Rows are only ever added to what the servers have in common, so that together they
// know everything, and each can be given what it lacks.

interface BootstrapOptions {
  readonly cluster: string
  /** The database of each server's own part of the datasets. */
  readonly shards: string
}

/** Gives each server of a cluster the tables that another one has, and what all of them know. */
export async function bootstrapNodes(
  servers: readonly RemoteEngine[],
  to: BootstrapOptions,
): Promise<void> {
  const found = await Promise.all(servers.map((server) => tablesOf(server, to)))
  const all = new Map(found.flatMap((tables) => [...tables]))
  const newServers = servers.filter((_, i) => found[i]?.has(BATCH_TABLE) !== true)
  // A table that stands for those of all servers comes behind them.
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
  // They are many; who was away for a while is told once more by who was told of it.
  if (newServers.length > 0) for (const server of servers) await server.run(ADD_HIGH)
  for (const server of newServers) await server.run(missedBatches(to))
}

const EVQ = sql`CREATE DATABASE IF NOT EXISTS evq ENGINE = Atomic`
const BATCH_TABLE = 'evq batch'

/** The statements that make a server's tables, by database and name. */
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

/** ClickHouse's own words for a table, which quote whatever is in them. */
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
    INSERT INTO evq.batch (dataset, mark, high, answer, at)
    SELECT dataset, mark, high, argMin(answer, at), min(at) FROM cluster(${text(cluster)}, evq.batch)
    GROUP BY dataset, mark, high`
}
