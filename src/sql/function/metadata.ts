import type { METADATA_FUNCTIONS } from '../../apl/function/metadata.js'
import type { FunctionRow } from './row.js'

/** The value that the check of the query found. */
const found: FunctionRow = ([value]) => value!

/** Functions on what is known of the fields, in SQL. */
export const METADATA_SQL: Readonly<Record<keyof typeof METADATA_FUNCTIONS, FunctionRow>> = {
  column_ifexists: found,
  ensure_field: found,
  ingestion_time: found,
}
