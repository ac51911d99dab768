import { identifier, raw, type Sql, sql, text } from '../../sql/sql.js'

/** The database with a table for each dataset; the default database of queries. */
export const DATASETS = 'datasets'

/** The database with the tables of the service: fields, documents, outcomes of batches. */
export const METADATA = 'evq'

/** Returns the table of a dataset. */
export function tableOf(dataset: string): Sql {
  return sql`${raw(DATASETS)}.${identifier(dataset)}`
}

/** The parts of the tables of all datasets on one server. */
export const PARTS = sql`(SELECT * FROM system.parts WHERE database = ${text(DATASETS)})`
