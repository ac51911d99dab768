import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { identifier, list, raw, type Sql, sql, text } from '../../sql/sql.js'
import { DescribedError } from '../../text/system-error.js'
import type { Table } from '../../wire/http/tabular-result.js'
import { type ParquetType, parquetCell, parquetType } from './column.js'
import { type EngineStatement, engineReason, startStatement } from './engine-process.js'

/** Rows whose text is handed over at once. */
const ROWS_PER_PIECE = 1000

/**
 * Returns a table as a Parquet file: 64-bit integers, doubles, booleans, strings and times in nanoseconds as such, nested values as
 * JSON text. Rejects with an `EngineMissingError` when the engine is not installed.
 */
export async function writeParquet(
  table: Table,
  { directory, signal }: Pick<EngineStatement, 'directory' | 'signal'>,
): Promise<Buffer> {
  const types = table.fields.map((field, i) => parquetType(field, table.columns[i] ?? []))
  const rows = join(directory, 'rows.ndjson')
  await pipeline(Readable.from(lines(table, types)), createWriteStream(rows))
  const { output, ended } = startStatement({
    statement: statementOf(table, { rows, types }),
    directory: join(directory, 'engine'),
    isWhole: true,
    signal,
  })
  const pieces: Buffer[] = []
  for await (const piece of output) pieces.push(piece as Buffer)
  const failure = await ended
  if (failure === undefined) return Buffer.concat(pieces)
  signal?.throwIfAborted()
  throw new DescribedError(`The Parquet file could not be made: ${engineReason(failure)}.`)
}

/** Yields the rows as arrays in JSON, one per line. */
function* lines({ columns }: Table, types: readonly ParquetType[]): Iterable<string> {
  const count = columns[0]?.length ?? 0
  for (let first = 0; first < count; first += ROWS_PER_PIECE) {
    let piece = ''
    for (let row = first; row < Math.min(first + ROWS_PER_PIECE, count); row++) {
      piece += `[${types.map((type, i) => parquetCell(columns[i]![row]!, type)).join(',')}]\n`
    }
    yield piece
  }
}

function statementOf(
  { fields }: Table,
  { rows, types }: { readonly rows: string; readonly types: readonly ParquetType[] },
): Sql {
  const structure = types.map(
    (type, i) => `c${i} Nullable(${type === 'DateTime64' ? 'Int64' : type})`,
  )
  const columns = fields.map(({ name }, i) => {
    const column = raw(`c${i}`)
    const value =
      types[i] === 'DateTime64' ? sql`fromUnixTimestamp64Nano(${column}, 'UTC')` : column
    return sql`${value} AS ${identifier(name)}`
  })
  const source = sql`file(${text(rows)}, JSONCompactEachRow, ${text(structure.join(', '))}, 'none')`
  // One thread keeps the order of the rows.
  return sql`SELECT ${list(columns)} FROM ${source} FORMAT Parquet SETTINGS max_threads = 1, precise_float_parsing = 1, output_format_parquet_compression_method = 'zstd'`
}
