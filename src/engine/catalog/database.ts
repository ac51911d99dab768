import { identifier, raw, type Sql, sql, text } from '../../sql/sql.js'

/** The database that holds a table for each dataset; queries stand in it. */
export const DATASETS = 'datasets'

/** The table that holds a dataset. */
export function tableOf(dataset: string): Sql {
  return sql`${raw(DATASETS)}.${identifier(dataset)}`
}

/** The parts of the tables of all datasets, on one server. */
export const PARTS = sql`(SELECT * FROM system.parts WHERE database = ${text(DATASETS)})`
