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
    ) ENGINE = MergeTree ORDER BY (_time, _seq) SETTINGS ${DURABLE}`
}

export function addColumns(dataset: string, columns: readonly NewColumn[]): Sql {
  const additions = columns.map((column) => sql`ADD COLUMN ${columnDefinition(column)}`)
  return sql`ALTER TABLE ${tableOf(dataset)} ${joined(additions, ', ')}`
}

// The default makes a column right for rows stored before it and by writers that don't know it.
function columnDefinition({ column, path, fewValues }: NewColumn): Sql {
  const type = storedType(column.type, { fewValues })
  return sql`${identifier(columnName(column))} ${type} DEFAULT ${columnDefault(column.type, path)}`
}
