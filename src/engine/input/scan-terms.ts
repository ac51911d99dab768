import type { ScanColumns } from '../ingest/scan/scan-columns.js'
import { type PlainLeaf, ScanSchema, type SkippedMembers } from '../ingest/scan/scan-schema.js'

/** The arguments of a `ScanSchema`: plain data, which other threads are given. */
export interface ScanTerms {
  readonly leaves: readonly PlainLeaf[]
  readonly columns: ScanColumns
  /** By default an event with other members does not fit. */
  readonly skipped?: SkippedMembers | undefined
}

/** Returns the schema of a scan. */
export function scanSchemaOf({ leaves, columns, skipped }: ScanTerms): ScanSchema {
  return new ScanSchema(leaves, columns, skipped)
}
