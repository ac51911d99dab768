import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'

/** The database with a table for each dataset; the default database of queries. */
export const DATASETS = 'datasets'

/** The database with the tables of the service: fields, documents, outcomes of batches. */
export const METADATA = 'evq'

/** Settings of every table that must survive a crash of the machine, not only of the process. */
export const DURABLE = sql`fsync_after_insert = 1, fsync_part_directory = 1`

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
