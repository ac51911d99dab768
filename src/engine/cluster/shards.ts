import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { METADATA, tableOf } from '../catalog/database.js'
import type { LostParts } from '../engine.js'

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
export function partsOf(cluster: string): Sql {
  return sql`
    (SELECT * FROM cluster(${text(cluster)}, system.parts) WHERE database IN (${OWN_DATABASES}))`
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
