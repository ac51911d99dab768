import { identifier, joined, type Sql, sql } from '../sql/sql.js'
import { DURABLE, tableOf } from './catalog.js'
import type { FieldPath } from './field-path.js'
import { columnDefault, columnName, type HotColumn, storedType } from './hot-column.js'

/** A typed column that a dataset is to get. */
export interface NewColumn {
  readonly column: HotColumn
  readonly path: FieldPath
  readonly fewValues: boolean
}

// What one insert brings is one file, not a few for each column; the first merge lays it out for reading.
const COMPACT = sql`min_bytes_for_wide_part = 33554432`

/** Makes the table of a dataset: layout H of the design, the text of each event beside typed columns. */
export function createTable(dataset: string, columns: readonly NewColumn[]): Sql {
  return sql`
    CREATE TABLE IF NOT EXISTS ${tableOf(dataset)} (
      _time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _sysTime DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _seq UInt64 CODEC(Delta(8), ZSTD(1)),
      _batch UInt64 CODEC(ZSTD(1)),
      line String CODEC(ZSTD(1)),
      ${joined(
        columns.map((column) => sql`${columnDefinition(column)}, `),
        '',
      )}
      INDEX batch _batch TYPE bloom_filter(0.01) GRANULARITY 1
    ) ENGINE = MergeTree ORDER BY (_time, _seq) SETTINGS ${DURABLE}, ${COMPACT}`
}

/**
 * Gives a dataset its new columns. Retired ones stay until the data is opened again, for queries that
 * were compiled a moment ago; without their default they cost the inserts nothing.
 */
export function changeColumns(
  dataset: string,
  added: readonly NewColumn[],
  retired: readonly HotColumn[],
): Sql {
  const changes = [
    ...added.map((column) => sql`ADD COLUMN ${columnDefinition(column)}`),
    ...retired.map((column) => sql`MODIFY COLUMN ${identifier(columnName(column))} REMOVE DEFAULT`),
  ]
  return sql`ALTER TABLE ${tableOf(dataset)} ${joined(changes, ', ')}`
}

// The default makes a column right for rows stored before it and by writers that don't know it.
function columnDefinition({ column, path, fewValues }: NewColumn): Sql {
  const type = storedType(column.type, { fewValues })
  return sql`${identifier(columnName(column))} ${type} DEFAULT ${columnDefault(column.type, path)}`
}
