// Parquet files are made and read in the temporary directory of one command.
import type { Readable } from 'node:stream'
import { readParquet } from '../engine/parquet/read-parquet.js'
import { writeParquet } from '../engine/parquet/write-parquet.js'
import type { Table } from '../wire/http/tabular-result.js'
import { openTemporaryDirectory } from './temporary-directory.js'

/** Returns a table as a Parquet file. Rejects with an `EngineMissingError` when the engine is not installed. */
export async function parquetOf(table: Table, signal?: AbortSignal): Promise<Buffer> {
  const directory = await openTemporaryDirectory()
  try {
    return await writeParquet(table, { directory: directory.path, signal })
  } finally {
    directory.remove()
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
