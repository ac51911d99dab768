// Parquet files are made and read in the temporary directory of one command.
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { ColumnType, hasParquetType } from '../engine/parquet/column.js'
import { readParquet } from '../engine/parquet/read-parquet.js'
import { writeParquet } from '../engine/parquet/write-parquet.js'
import type { TableField } from '../wire/http/tabular-result.js'
import type { JsonText } from '../wire/json/json-text.js'
import { openTemporaryDirectory } from './temporary-directory.js'

/** Rows of NDJSON that become a Parquet file when all are known, because the types of the columns follow from all values. */
export interface ParquetRows {
  /** The path of a file for the rows as NDJSON. */
  readonly path: string
  /** Takes the columns of some of the rows. With `areTyped`, all values have the types of the fields. */
  addColumns(columns: RowColumns): void
  /** Makes the Parquet file, and returns its path. Rejects with an `EngineMissingError` when the engine is not installed. */
  convert(signal?: AbortSignal): Promise<string>
  /** Deletes the files. */
  remove(): void
}

export interface RowColumns {
  readonly fields: readonly TableField[]
  readonly areTyped: boolean
  cellsOf(name: string): readonly JsonText[]
}

export async function openParquetRows(): Promise<ParquetRows> {
  const directory = await openTemporaryDirectory()
  const rows = join(directory.path, 'rows.ndjson')
  const types = new Map<string, ColumnType>()
  return {
    path: rows,
    addColumns({ fields, areTyped, cellsOf }) {
      for (const { name, type } of fields) {
        const column = types.get(name) ?? new ColumnType(type)
        types.set(name, column)
        column.declare(type)
        if (!column.isText && !(areTyped && hasParquetType(type))) column.add(cellsOf(name))
      }
    },
    convert(signal) {
      const columns = new Map([...types].map(([name, { type }]) => [name, type]))
      return writeParquet({ rows, columns, directory: directory.path, signal })
    },
    remove: directory.remove,
  }
}

/**
 * Returns the rows of a Parquet file as NDJSON, in the order of the file, while it is read. The stream fails with the result of `fail`,
 * given the reason, when the file is not Parquet or is damaged. Rejects with an `EngineMissingError` when the engine is not installed.
 */
export async function parquetLines(
  path: string,
  fail: (reason: string) => Error,
  signal?: AbortSignal,
): Promise<Readable> {
  const directory = await openTemporaryDirectory()
  try {
    const lines = readParquet(path, { directory: directory.path, fail, signal })
    return lines.on('close', () => directory.remove())
  } catch (error) {
    directory.remove()
    throw error
  }
}
