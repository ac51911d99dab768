import { identifier, joined, list, raw, type Sql, sql } from '../../sql/sql.js'
import { LINE, type TokenIndex } from '../../sql/token-index.js'
import type { FieldPath } from '../../wire/json/field-path.js'
import type { TypedColumnType } from '../../wire/json/kinds.js'
import type { Engine, TableChange } from '../engine.js'
import type { EngineOf } from '../table-engine.js'
import { DURABLE, DURABLE_MERGES } from './database.js'
import { type Dataset, withoutFields } from './dataset.js'
import { MERGED_BYTES } from './paused-merges.js'
import { columnComment, sampledComment } from './table-comments.js'
import {
  newTokenIndexes,
  tokenIndexDefinitions,
  tokenIndexNumbers,
  withTokenIndexes,
} from './token-indexes.js'
import { columnDefault, columnName, nullableType, type TypedColumn } from './typed-column.js'

/** The index over the order of arrival. The embedded engine has merges build it, as it does with token indexes. */
export const ARRIVAL_INDEX_NAME = 'arrival'

export interface NewColumn {
  readonly column: TypedColumn
  readonly path: FieldPath
  readonly isLowCardinality: boolean
  /** The column that it replaces. */
  readonly former?: TypedColumn
}

// An insert creates a single file instead of files for each column; the first merge splits it, which makes it a twentieth smaller.
const COMPACT = sql`min_bytes_for_wide_part = 16777216`

// Parts are merged when there are about ten of a similar size, instead of five: each event is rewritten less often. When there are
// many small parts, fewer than ten are merged.
export const MERGED_PARTS = 10
const RARE_MERGES = sql`merge_selector_base = ${MERGED_PARTS}`

// A merge holds one column of ten parts in memory, not all of them: 40 MB instead of 140 for web events. By default, tables whose
// indexes cover all but a few columns are merged by rows. Blocks of 256 KiB would take 5 MB less, and messages 4 % more of the disk.
const MERGED_BY_COLUMN = sql`vertical_merge_algorithm_min_columns_to_activate = 1, max_compress_block_size = 524288`

// By default, ClickHouse refuses to start when more than 100 parts of a table, or more than 1 GiB, are damaged. The embedded engine
// starts without the damaged parts, since the service reports them; on a server nothing would report them.
const STARTS_DAMAGED = sql`max_suspicious_broken_parts = 1000000000, max_suspicious_broken_parts_bytes = 1000000000000000000`

// Merges leave parts of 256 MiB, which hold about 7 million events, instead of 150 GiB: a deletion rewrites the parts with some of its
// events, and a merge needs as much free space as it reads. ClickHouse delays inserts when a table has a thousand parts, unless
// they are large on average.
const SMALL_PARTS = sql`max_bytes_to_merge_at_max_space_in_pool = ${MERGED_BYTES}, max_avg_part_size_for_too_many_parts = 33554432`

// When merges are behind, ClickHouse merges up to a hundred parts at once, and the memory of a merge grows with their number: 12 million
// events of 30 fields took 620 MB instead of 470.
const FEW_PARTS = sql`max_parts_to_merge_at_once = 12`

const EMBEDDED = sql`, ${DURABLE_MERGES}, ${STARTS_DAMAGED}, ${SMALL_PARTS}, ${FEW_PARTS}`

// Only the small parts of a followed input are merged: the merges of a million lines would take a quarter of the processor time and
// 70 MB of memory, and save later queries little. By default, ClickHouse delays inserts when a table has a thousand parts.
const TEMPORARY = sql`, max_bytes_to_merge_at_max_space_in_pool = 262144, parts_to_delay_insert = 100000, parts_to_throw_insert = 100000`

const BATCH_INDEX = sql`INDEX batch _batch TYPE bloom_filter(0.01) GRANULARITY 1`

// Events that arrived after a time, or have a sequence number above one, are in few granules, since parts hold events that arrived
// one after the other.
const ARRIVAL_INDEX = sql`INDEX ${raw(ARRIVAL_INDEX_NAME)} (_sysTime, _seq) TYPE minmax GRANULARITY 1`

// T64 keeps only the bits in which 64 integers differ: random ones take three quarters of the space, and a query reads them in a
// quarter of the time. Long runs of a number take more than with ZSTD alone, up to half a byte an event.
const INTEGER_CODEC = sql`CODEC(T64, ZSTD(1))`

// Times in milliseconds take half of what they take without GCD and T64, times in microseconds two thirds, and times in nanoseconds
// the same. Times at constant distances take 0.05 bytes instead of 0.01.
const TIME_CODEC = sql`CODEC(GCD, Delta(8), T64, ZSTD(1))`

const CODECS: Readonly<Record<TypedColumnType, Sql>> = {
  int: INTEGER_CODEC,
  bool: INTEGER_CODEC,
  // ALP with ZSTD takes 30 to 60 % less for numbers with few decimals, which are read in a third of the time, but ClickHouse 26.7
  // calls it experimental.
  real: sql`CODEC(ZSTD(1))`,
  // Messages take 6 % less than at level 1, for the same time; identifiers in hexadecimal digits take 6 % more.
  string: sql`CODEC(ZSTD(3))`,
  array: sql`CODEC(ZSTD(3))`,
}

/**
 * Creates the table of a dataset: typed columns, and `line` for the members of each event that they do not hold.
 * `events` is the number of events sampled for them.
 */
export function createTable(
  dataset: string,
  options: {
    readonly columns: readonly NewColumn[]
    readonly tokenIndexes: readonly TokenIndex[]
    readonly events: number
    readonly engine: Engine
  },
): TableChange {
  const { columns, tokenIndexes, events, engine } = options
  const ofEmbedded = engine.isShared ? sql`` : engine.isTemporary ? TEMPORARY : EMBEDDED
  const numbers = tokenIndexNumbers(tokenIndexes)
  const statement = (table: Sql, engineOf: EngineOf): Sql => sql`
    CREATE TABLE IF NOT EXISTS ${table} (
      _time DateTime64(9, 'UTC') ${TIME_CODEC},
      _sysTime DateTime64(9, 'UTC') CODEC(Delta(8), ZSTD(1)),
      _seq UInt64 CODEC(Delta(8), ZSTD(3)),
      _batch FixedString(16) CODEC(ZSTD(1)),
      line String COMMENT ${columnComment({ index: numbers.get(LINE) })} CODEC(ZSTD(1)),
      ${joined(
        columns.map(
          (one) => sql`${columnDefinition(one, { numbers, hasDefault: engine.isShared })}, `,
        ),
        '',
      )}
      ${list([BATCH_INDEX, ARRIVAL_INDEX, ...tokenIndexDefinitions(tokenIndexes).map((one) => sql`INDEX ${one}`)])}
    ) ENGINE = ${engineOf({ family: 'MergeTree' })} ORDER BY (_time, _seq) SETTINGS ${list([DURABLE, COMPACT, RARE_MERGES, MERGED_BY_COLUMN])}${ofEmbedded}
    COMMENT ${sampledComment(events)}`
  return { kind: 'create', dataset, statement }
}

/** Creates the table of a dataset without events. Its columns come with its first events. */
export async function createEmptyDataset(engine: Engine, name: string): Promise<Dataset> {
  const dataset = withoutFields(name)
  const tokenIndexes = newTokenIndexes(dataset, [])
  await engine.change(createTable(name, { columns: [], tokenIndexes, events: 0, engine }))
  return withTokenIndexes(dataset, tokenIndexes)
}

/** Commands of an ALTER statement, and the kind of a change that has only them. */
type Change = readonly [kind: TableChange['kind'], commands: readonly Sql[]]

/**
 * Adds columns, and indexes over the columns that no index covers, for parts that merges write from now on. `dataset` has the
 * columns; `events` is the number of events that were sampled for them. Returns the dataset with the indexes.
 */
export async function addColumns(
  engine: Engine,
  dataset: Dataset,
  { columns, events }: { readonly columns: readonly NewColumn[]; readonly events?: number },
): Promise<Dataset> {
  const indexes = newTokenIndexes(dataset, columns)
  const { name, tokenIndexes } = dataset
  const numbers = tokenIndexNumbers(indexes, tokenIndexes.length)
  const definitions = tokenIndexDefinitions(indexes, tokenIndexes.length)
  const parts: readonly Change[] = [
    [
      'alter',
      columns.map(
        (one) =>
          sql`ADD COLUMN IF NOT EXISTS ${columnDefinition(one, { numbers, hasDefault: true })}`,
      ),
    ],
    // An earlier attempt may have added the indexes without getting a response.
    ['events', definitions.map((one) => sql`ADD INDEX IF NOT EXISTS ${one}`)],
    ['note', events === undefined ? [] : [sampledCount(events)]],
  ]
  // The tables over all shards have no indexes. The embedded engine checks all columns in each statement, while inserts wait.
  const changes: readonly Change[] = engine.isShared
    ? parts
    : [['alter', parts.flatMap(([, commands]) => commands)]]
  for (const [kind, commands] of changes) {
    if (commands.length > 0) await engine.change(alter(name, commands, kind))
  }
  return withTokenIndexes(dataset, indexes)
}

/**
 * Retires columns. They are kept, because they may hold the only copy of values. Without a default that reads the text of events they
 * cost inserts nothing.
 */
export function retireColumns(dataset: string, columns: readonly TypedColumn[]): TableChange {
  return alter(dataset, columns.map(dropDefault))
}

/** Saves the number of events in the dataset when it was last sampled. */
export function saveSampledCount(dataset: string, events: number): TableChange {
  return alter(dataset, [sampledCount(events)], 'note')
}

function sampledCount(events: number): Sql {
  return sql`MODIFY COMMENT ${sampledComment(events)}`
}

function alter(
  dataset: string,
  commands: readonly Sql[],
  kind: TableChange['kind'] = 'alter',
): TableChange {
  const statement = (table: Sql): Sql => sql`ALTER TABLE ${table} ${list(commands)}`
  return { kind, dataset, statement }
}

// REMOVE DEFAULT fails when it is repeated, after the response to a first attempt was lost.
function dropDefault(column: TypedColumn): Sql {
  return sql`MODIFY COLUMN ${identifier(columnName(column))} DEFAULT NULL`
}

interface ColumnTerms {
  /** The numbers of token indexes by column. */
  readonly numbers: ReadonlyMap<string, number>
  /**
   * The default gives a column its values in older rows, and in rows of other services that do not know the column. The engine
   * analyzes it at each start.
   */
  readonly hasDefault: boolean | undefined
}

function columnDefinition(
  { column, path, isLowCardinality, former }: NewColumn,
  { numbers, hasDefault }: ColumnTerms,
): Sql {
  const nullable = raw(nullableType(column.type))
  // Strings with few distinct values get a dictionary.
  const hasDictionary = isLowCardinality && column.type === 'string'
  const type = hasDictionary ? sql`LowCardinality(${nullable})` : nullable
  const value = hasDefault ? sql`DEFAULT ${columnDefault(column, path, former)}` : sql``
  const name = columnName(column)
  const comment = columnComment({ path, index: numbers.get(name) })
  return sql`${identifier(name)} ${type} ${value} COMMENT ${comment} ${CODECS[column.type]}`
}
