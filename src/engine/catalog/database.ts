import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'

/** The database with a table for each dataset; the default database of queries. */
export const DATASETS = 'datasets'

/** The database with the tables of the service: fields, documents, outcomes of batches. */
export const METADATA = 'evq'

/** Settings of every table that must survive a crash of the machine, not only of the process. */
export const DURABLE = sql`fsync_after_insert = 1, fsync_part_directory = 1`

/**
 * Such settings of tables that the embedded engine merges. By default it leaves a merged part to the caches of the system, as servers
 * do, but keeps the parts that were merged for half a minute instead of eight minutes.
 */
export const DURABLE_MERGES = sql`min_rows_to_fsync_after_merge = 1, old_parts_lifetime = 120`

export function tableOf(dataset: string): Sql {
  return sql`${raw(DATASETS)}.${identifier(dataset)}`
}

/** A table of ClickHouse with a row for each part. */
type PartsTable = 'parts' | 'detached_parts'

/** Returns the parts of datasets and metadata on one server. */
export function partsOnServer(table: PartsTable): Sql {
  const databases = list([DATASETS, METADATA].map(text))
  return sql`(SELECT * FROM system.${raw(table)} WHERE database IN (${databases}))`
}
