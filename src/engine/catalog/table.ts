import { identifier, joined, type Sql, sql } from '../../sql/sql.js'
import type { FieldPath } from '../../wire/json/field-path.js'
import type { TableChange } from '../engine.js'
import { DURABLE } from './catalog.js'
import { type Place, PROVEN, surveyedText, trialText } from './table-notes.js'
import { columnDefault, columnName, type HotColumn, storedType } from './typed-column.js'

/** A typed column that a dataset is to get. */
export interface NewColumn {
  readonly column: HotColumn
  readonly path: FieldPath
  readonly fewValues: boolean
}

// What one insert brings is one file, not a few for each column; the first merge lays it out for reading.
const COMPACT = sql`min_bytes_for_wide_part = 33554432`

const BATCH_HIGH = sql`_batchHigh UInt64 CODEC(ZSTD(1))`

/** Adds the high halves of marks to a table that an earlier version made. */
export function addBatchHigh(dataset: string): TableChange {
  return alter(dataset, [sql`ADD COLUMN IF NOT EXISTS ${BATCH_HIGH} AFTER _batch`])
}

/** Makes the table of a dataset: the text of each event beside typed columns. `events` were surveyed for them. */
export function createTable(
  dataset: string,
  columns: readonly NewColumn[],
  events: number,
): TableChange {
  const statement = (table: Sql): Sql => sql`
    CREATE TABLE IF NOT EXISTS ${table} (
      _time DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _sysTime DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _seq UInt64 CODEC(Delta(8), ZSTD(1)),
      _batch UInt64 CODEC(ZSTD(1)),
      ${BATCH_HIGH},
      line String CODEC(ZSTD(1)),
      ${joined(
        columns.map((column) => sql`${columnDefinition(column)}, `),
        '',
      )}
      INDEX batch _batch TYPE bloom_filter(0.01) GRANULARITY 1
    ) ENGINE = MergeTree ORDER BY (_time, _seq) SETTINGS ${DURABLE}, ${COMPACT}
    COMMENT ${surveyedText(events)}`
  return { kind: 'create', dataset, statement }
}

/**
 * Gives a dataset its new columns. Retired ones stay until the data is opened again, for queries that
 * were compiled a moment ago; without their default they cost the inserts nothing.
 */
export function changeColumns(
  dataset: string,
  columns: { readonly added: readonly NewColumn[]; readonly retired: readonly HotColumn[] },
): TableChange {
  return alter(dataset, [
    ...columns.added.map((column) => sql`ADD COLUMN IF NOT EXISTS ${columnDefinition(column)}`),
    ...columns.retired.map(retire),
  ])
}

/** Ends the trial of columns: the proven ones are as good as any, retired ones are left as above. */
export function endTrial(
  dataset: string,
  columns: { readonly proven: readonly HotColumn[]; readonly retired: readonly HotColumn[] },
): TableChange {
  return alter(dataset, [
    ...columns.proven.map((column) => comment(column, PROVEN)),
    ...columns.retired.map(retire),
  ])
}

/** Notes up to where the events were read for columns on trial. */
export function noteTrial(
  dataset: string,
  columns: readonly HotColumn[],
  place: Place,
): TableChange {
  return alter(
    dataset,
    columns.map((column) => comment(column, trialText(place))),
  )
}

/** Notes how many events the dataset had when its fields were surveyed. */
export function noteSurvey(dataset: string, events: number): TableChange {
  return alter(dataset, [sql`MODIFY COMMENT ${surveyedText(events)}`])
}

function alter(dataset: string, changes: readonly Sql[]): TableChange {
  const statement = (table: Sql): Sql => sql`ALTER TABLE ${table} ${joined(changes, ', ')}`
  return { kind: 'alter', dataset, statement }
}

function retire(column: HotColumn): Sql {
  return sql`MODIFY COLUMN ${identifier(columnName(column))} REMOVE DEFAULT`
}

function comment(column: HotColumn, note: Sql): Sql {
  return sql`COMMENT COLUMN ${identifier(columnName(column))} ${note}`
}

// The default makes a column right for rows stored before it and by writers that don't know it.
function columnDefinition({ column, path, fewValues }: NewColumn): Sql {
  const type = storedType(column.type, { fewValues })
  const trial = column.trial ? sql` COMMENT ${trialText(undefined)}` : sql``
  return sql`${identifier(columnName(column))} ${type} DEFAULT ${columnDefault(column.type, path)}${trial}`
}
