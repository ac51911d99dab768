import type { FunctionRow } from './row.js'

/** The value that was determined when the query was checked. */
const found: FunctionRow = ([value]) => value!

export const METADATA_SQL = {
  column_ifexists: found,
  ensure_field: found,
  ingestion_time: found,
} satisfies Record<string, FunctionRow>
