import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { METADATA, type PartsTable, tableOf } from '../catalog/database.js'
import { RemoteEngine } from '../clickhouse/remote.js'
import type { RemoteServer } from '../clickhouse/remote-server.js'
import {
  type ChangeKind,
  changeStatement,
  type Engine,
  isUnreachable,
  type LostParts,
} from '../engine.js'
import { createServiceTable } from '../table-engine.js'
import { clusterReader, GLOBAL_SUBQUERIES } from './cluster-reader.js'

// Each server has its shard of the events, and a copy of everything else. Statements that change something are sent to each
// server: not every cluster supports ON CLUSTER.

/** The database with a server's own shard of each dataset. */
export const SHARDS = 'datasets_shard'

/** Returns the table with a server's own shard of a dataset. */
export function shardOf(dataset: string): Sql {
  return sql`${raw(SHARDS)}.${identifier(dataset)}`
}

/** Returns the statement that creates the table over the shards of a dataset. */
export function createWhole(dataset: string, cluster: string): Sql {
  return sql`
    CREATE TABLE IF NOT EXISTS ${tableOf(dataset)} AS ${shardOf(dataset)}
    ENGINE = Distributed(${text(cluster)}, ${text(SHARDS)}, ${text(dataset)})`
}

const OWN_DATABASES = list([SHARDS, METADATA].map(text))

/** Returns the parts of datasets and metadata on one server of each shard. */
export function partsOf(cluster: string, table: PartsTable): Sql {
  return sql`
    (SELECT *, _shard_num AS shard FROM cluster(${text(cluster)}, system.${raw(table)}) WHERE database IN (${OWN_DATABASES}))`
}

/** Returns the queries for the parts of datasets and metadata that all replicas of a shard have lost. */
export function lostPartsOf(cluster: string): LostParts {
  return {
    noticed: sql`
      SELECT toUInt32(sum(value)) AS losses FROM clusterAllReplicas(${text(cluster)}, system.events)
      WHERE event = 'ReplicatedDataLoss' SETTINGS skip_unavailable_shards = 1`,
    counted: sql`
      SELECT toString(_shard_num) AS shard, database, table, zookeeper_path AS path, toString(lost_part_count) AS losses
      FROM cluster(${text(cluster)}, system.replicas)
      WHERE database IN (${OWN_DATABASES}) AND lost_part_count > 0 ORDER BY shard, database, table`,
  }
}

/** Adds up the estimates of servers. An unreachable server counts as 0 for partial results, which lack its events, too. */
export async function sumOf(
  estimates: readonly Promise<number>[],
  { allowPartial }: Pick<ClusterOptions, 'allowPartial'>,
): Promise<number> {
  const each = estimates.map((estimate) =>
    estimate.catch((error: unknown) => {
      if (allowPartial === true && isUnreachable(error)) return 0
      throw error
    }),
  )
  return (await Promise.all(each)).reduce((sum, count) => sum + count, 0)
}

export interface ClusterOptions {
  /** The name of the cluster in the configuration of the servers. */
  readonly cluster: string
  /** Allows partial results when servers can't be reached. */
  readonly allowPartial?: boolean
}

interface ClusterEngineOptions extends ClusterOptions {
  /** The connection for queries over all shards. */
  readonly entry: RemoteServer
  readonly all: readonly RemoteServer[]
  readonly shards: number
  readonly name: string
}

/** Returns several ClickHouse servers as one engine; statements that change something run on all of them. */
export function clusterEngine(options: ClusterEngineOptions): Engine {
  const { name, cluster, shards, allowPartial } = options
  const entry = new RemoteEngine(options.entry, { settings: GLOBAL_SUBQUERIES, name })
  const all = options.all.map((server) => new RemoteEngine(server))
  const reader = clusterReader({ entry, cluster, shards })
  let loads = 0

  async function run(statement: Sql): Promise<void> {
    await Promise.all(all.map((server) => server.run(statement)))
  }

  async function alter(kind: ChangeKind, statement: Sql): Promise<void> {
    await Promise.all(all.map((server) => server.alter(kind, statement)))
  }

  return {
    isShared: true,
    storedParts: partsOf(cluster, 'parts'),
    detachedParts: partsOf(cluster, 'detached_parts'),
    createTable: (table) => run(createServiceTable(table)),
    run,
    async change(change) {
      const { kind, dataset } = change
      const own = changeStatement(change, shardOf)
      switch (kind) {
        case 'create':
          await run(own)
          return await run(createWhole(dataset, cluster))
        case 'alter':
        case 'note':
          await alter(kind, own)
          return await alter(kind, changeStatement(change, tableOf))
        case 'drop':
          await alter(kind, changeStatement(change, tableOf))
          return await alter(kind, own)
        case 'events':
          return await alter(kind, own)
        case 'rename':
          await alter('drop', sql`DROP TABLE IF EXISTS ${tableOf(dataset)} SYNC`)
          await alter(kind, own)
          return await run(createWhole(change.to, cluster))
        default:
          return kind satisfies never
      }
    },
    ask: (query) => entry.ask(query),
    // An insert goes to a single shard, so that it is atomic.
    async load(insert) {
      const shard = (loads++ % shards) + 1
      await entry.loadWith(insert, { insert_shard_id: shard }, async (id) => {
        // A statement on a server that can't be reached can't be ended; its rows can't be found either.
        await Promise.allSettled(all.map((server) => server.end(id)))
      })
    },
    read: allowPartial ? reader.readAvailable : reader.readAll,
    // Distributed tables have no parts: each server reports its own.
    estimate: (query, limits) =>
      sumOf(
        all.map((server) => server.estimateIn(SHARDS, { query, limits })),
        options,
      ),
    async close() {
      await Promise.all([entry, ...all].map((server) => server.close()))
      return true
    },
  }
}
