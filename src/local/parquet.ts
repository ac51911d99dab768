// Parquet files are made and read in the temporary directory of one command.
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { startEngine } from '../engine/parquet/engine-process.js'
import { readParquet } from '../engine/parquet/read-parquet.js'
import { RowBlocks, type RowColumns } from '../engine/parquet/row-blocks.js'
import { writeParquet } from '../engine/parquet/write-parquet.js'
import { openTemporaryDirectory } from './temporary-directory.js'

export type { RowColumns }

/**
 * Opens a file for rows that become a Parquet file when all are known, because the types of the columns follow from all values. Throws
 * an `EngineMissingError` when the engine is not installed.
 */
export async function openParquetRows() {
  const directory = await openTemporaryDirectory()
  try {
    const path = join(directory.path, 'rows.native')
    const rows = openSync(path, 'wx')
    // The engine starts while the rows arrive.
    const engine = startEngine(join(directory.path, 'engine'))
    const blocks = new RowBlocks()
    let count = 0
    return {
      /** The path of the file with the rows. */
      path,
      add(columns: RowColumns): void {
        count += columns.rows
        for (const piece of blocks.blockOf(columns)) writeFileSync(rows, piece)
      },
      /** Makes the Parquet file, and returns its path; undefined without columns. */
      async convert(signal?: AbortSignal): Promise<string | undefined> {
        const { columns } = blocks
        if (columns.length === 0) return undefined
        const file = join(directory.path, 'rows.parquet')
        await writeParquet(engine, { rows: path, count, columns, file, signal })
        return file
      },
      /** Deletes the files. */
      async remove(): Promise<void> {
        await engine.close()
        closeSync(rows)
        directory.remove()
      },
    }
  } catch (error) {
    directory.remove()
    throw error
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
