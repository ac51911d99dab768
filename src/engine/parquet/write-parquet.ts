import { join } from 'node:path'
import { identifier, list, raw, sql, text } from '../../sql/sql.js'
import { DescribedError } from '../../text/system-error.js'
import type { ParquetType } from './column.js'
import { type EngineStatement, engineReason, startStatement } from './engine-process.js'

interface WriteOptions extends Pick<EngineStatement, 'directory' | 'signal'> {
  /** A file of NDJSON. */
  readonly rows: string
  readonly columns: ReadonlyMap<string, ParquetType>
}

/**
 * Settings that keep the order of the rows and values exact: doubles as they are written; values of several types, nested values
 * and escapes of lone surrogates as their text. With 100,000 rows in a group, the engine needs 430 MB of memory, with a million 800.
 */
const SETTINGS = sql`SETTINGS max_threads = 1, input_format_parallel_parsing = 0, precise_float_parsing = 1, date_time_input_format = 'best_effort', input_format_json_throw_on_bad_escape_sequence = 0, output_format_parquet_row_group_size = 100000, output_format_parquet_compression_method = 'zstd', output_format_compression_level = 1, storage_file_read_method = 'pread'`

/**
 * Writes rows as a Parquet file: 64-bit integers, doubles, booleans, strings and times in nanoseconds as such, nested values as
 * JSON text. Returns the path of the file in `directory`. Rejects with an `EngineMissingError` when the engine is not installed.
 */
export async function writeParquet(options: WriteOptions): Promise<string> {
  const { rows, columns, directory, signal } = options
  const file = join(directory, 'rows.parquet')
  const names = [...columns.keys()].map(identifier)
  const structure = list(
    [...columns].map(([name, type]) => sql`${identifier(name)} ${columnType(type)}`),
  )
  const source = sql`file(${text(rows)}, JSONEachRow, ${text(structure.text)}, 'none')`
  const { output, ended } = startStatement({
    statement: sql`SELECT ${list(names)} FROM ${source} INTO OUTFILE ${text(file)} FORMAT Parquet ${SETTINGS}`,
    directory: join(directory, 'engine'),
    writesFile: true,
    signal,
  })
  output.resume()
  const failure = await ended
  if (failure === undefined) return file
  signal?.throwIfAborted()
  throw new DescribedError(`The Parquet file could not be made: ${engineReason(failure)}.`)
}

const columnType = (type: ParquetType) =>
  type === 'DateTime64' ? sql`Nullable(DateTime64(9, 'UTC'))` : sql`Nullable(${raw(type)})`
