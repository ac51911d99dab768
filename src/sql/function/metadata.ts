import type { METADATA_FUNCTIONS } from '../../apl/function/metadata.js'
import type { FunctionRow } from './row.js'

/** The value that was determined when the query was checked. */
const found: FunctionRow = ([value]) => value!

export const METADATA_SQL: Readonly<Record<keyof typeof METADATA_FUNCTIONS, FunctionRow>> = {
  column_ifexists: found,
  ensure_field: found,
  ingestion_time: found,
}
