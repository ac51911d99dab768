import { createReadStream } from 'node:fs'
import type { Io } from '../context.js'
import { UsageError } from '../error/usage-error.js'
import { withWriteErrors } from './file.js'
import { isOutputFile, type OutputFormat } from './flags.js'
import { openTarget, type Target } from './target.js'

/** Opens a target for rows in a format. Throws a `UsageError` when the format can't be written there. */
export async function openRowTarget(
  path: string | undefined,
  format: OutputFormat | 'line',
  io: Io,
): Promise<Target> {
  if (format !== 'parquet') return await openTarget(path, io)
  if (!isOutputFile(path) && io.stdout.isTTY) {
    throw new UsageError('Parquet is not text: write it to a file with `-O rows.parquet`.')
  }
  const target = await openTarget(path, io)
  try {
    return await parquetTarget(target)
  } catch (error) {
    await target.close()
    throw error
  }
}

/** Returns a target for rows, which become a Parquet file when it is finished. */
async function parquetTarget(target: Target): Promise<Target> {
  const { openParquetRows } = await import('../../local/parquet.js')
  const rows = await openParquetRows()
  return {
    ...target,
    addRows: (columns) => withWriteErrors(rows.path, async () => rows.add(columns)),
    async finish(signal) {
      const file = await rows.convert(signal)
      if (file === undefined) {
        throw new UsageError('The result has no columns, so there is no Parquet file of it.')
      }
      for await (const piece of createReadStream(file)) await target.write(piece as Buffer)
      await target.finish()
    },
    async close() {
      await rows.remove()
      await target.close()
    },
  }
}
