import { createReadStream } from 'node:fs'
import type { Io } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { isFile, type OutputFormat } from './flags.js'
import { openTarget, type Target } from './target.js'

/** Opens a target for rows in a format. Throws a `UsageError` when the format can't be written there. */
export async function openRowTarget(
  path: string | undefined,
  format: OutputFormat | 'line',
  io: Io,
): Promise<Target> {
  if (format !== 'parquet') return await openTarget(path, io)
  if (!isFile(path) && io.stdout.isTTY) {
    throw new UsageError('Parquet is not text: write it to a file with `-O rows.parquet`.')
  }
  const target = await openTarget(path, io)
  try {
    return await parquetTarget(target, io)
  } catch (error) {
    await target.close()
    throw error
  }
}

/** Returns a target for rows of NDJSON, which become a Parquet file when it is finished. */
async function parquetTarget(target: Target, io: Io): Promise<Target> {
  const { openParquetRows } = await import('../../local/parquet.js')
  const rows = await openParquetRows()
  const lines = await openTarget(rows.path, io)
  let hasColumns = false
  return {
    ...lines,
    out: target.out,
    addColumns(columns) {
      hasColumns ||= columns.fields.length > 0
      rows.addColumns(columns)
    },
    async finish(signal) {
      if (!hasColumns) {
        throw new UsageError('The result has no columns, so there is no Parquet file of it.')
      }
      await lines.finish()
      for await (const piece of createReadStream(await rows.convert(signal))) {
        await target.write(piece as Buffer)
      }
      await target.finish()
    },
    async close() {
      await lines.close()
      rows.remove()
      await target.close()
    },
    get bytes() {
      return lines.bytes
    },
  }
}
