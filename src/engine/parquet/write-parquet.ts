import { stat } from 'node:fs/promises'
import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { DescribedError } from '../../text/system-error.js'
import type { ParquetType } from './column.js'
import { type EngineProcess, engineReason, type StatementOptions } from './engine-process.js'
import { type BlockColumn, partName } from './row-blocks.js'

interface WriteOptions extends Pick<StatementOptions, 'signal'> {
  /** A file of the blocks of `RowBlocks`. */
  readonly rows: string
  readonly count: number
  readonly columns: readonly BlockColumn[]
  /** The path of the Parquet file. */
  readonly file: string
}

/** With 100,000 rows of 140 bytes in a group, the engine needs 370 MB of memory, with a million twice that much. */
const MOST_GROUP_ROWS = 100_000
const MOST_GROUP_BYTES = 32 * 1024 * 1024

/**
 * Settings that keep the order of the rows, which one stream of blocks has, and the exact values of doubles. Bloom filters would take a
 * fifth of the time and of the file, and dictionaries of up to a megabyte, which is the default, a quarter of the time and a tenth of the
 * file.
 */
const SETTINGS = sql`max_threads = 2, prefer_column_name_to_alias = 1, parallelize_output_from_storages = 0, precise_float_parsing = 1, output_format_parquet_write_bloom_filter = 0, output_format_parquet_max_dictionary_size = 65536, output_format_parquet_compression_method = 'zstd', output_format_compression_level = 1, storage_file_read_method = 'pread'`

/**
 * Writes rows as a Parquet file: 64-bit integers, doubles, booleans, strings and times in nanoseconds as such, nested values as
 * JSON text.
 */
export async function writeParquet(engine: EngineProcess, options: WriteOptions): Promise<void> {
  const { rows, count, columns, file, signal } = options
  const parts = columns.flatMap((column) => [...column.parts].map((part) => ({ column, part })))
  const structure = list(
    parts.map(
      ({ column, part }) => sql`${identifier(partName(column.name, part))} ${nullable(part)}`,
    ),
  )
  const source = sql`file(${text(rows)}, Native, ${text(structure.text)}, 'none')`
  const groupRows = rowsOfGroup(count, (await stat(rows)).size)
  const settings = sql`SETTINGS output_format_parquet_row_group_size = ${raw(`${groupRows}`)}, ${SETTINGS}`
  const selected = columns.map((column) => sql`${merged(column)} AS ${identifier(column.name)}`)
  const { output, ended } = engine.run(
    sql`SELECT ${list(selected)} FROM ${source} INTO OUTFILE ${text(file)} FORMAT Parquet ${settings}`,
    { writesFile: true, signal },
  )
  output.resume()
  const failure = await ended
  if (failure === undefined) return
  signal?.throwIfAborted()
  throw new DescribedError(`The Parquet file could not be made: ${engineReason(failure)}.`)
}

function rowsOfGroup(rows: number, bytes: number): number {
  const most = Math.ceil((rows * MOST_GROUP_BYTES) / Math.max(1, bytes))
  return Math.max(1, Math.min(MOST_GROUP_ROWS, most))
}

const nullable = (type: ParquetType) =>
  type === 'DateTime64' ? sql`Nullable(DateTime64(9, 'UTC'))` : sql`Nullable(${raw(type)})`

/** Returns the value of a column, which one of its parts has at most. */
function merged({ name, type, parts }: BlockColumn): Sql {
  const values = [...parts].map((part) => {
    const value = identifier(partName(name, part))
    if (part === type) return value
    if (type === 'String') return part === 'DateTime64' ? timeText(value) : sql`toString(${value})`
    if (type === 'DateTime64') return parsedTime(value)
    return sql`accurateCast(${value}, ${text(nullable(type).text)})`
  })
  return sql`coalesce(${list(values)})`
}

/** Returns a time as in JSON. */
const timeText = (time: Sql) =>
  sql`replaceRegexpOne(replaceOne(toString(${time}), ' ', 'T'), '[.]?0*$', 'Z')`

// The function reads the empty texts in the place of nulls, too.
const parsedTime = (text: Sql) =>
  sql`if(${text} IS NULL, NULL, parseDateTime64BestEffort(ifNull(${text}, '1970-01-01T00:00:00Z'), 9, 'UTC'))`
