import { createReadStream } from 'node:fs'
import { Readable } from 'node:stream'
import type { RowFile } from '../file-statement.js'

/** Returns the body of an insert over HTTP: a statement followed by the rows of files. */
export function insertBody(statement: string, files: readonly RowFile[]): Readable {
  return Readable.from(statementAndRows(statement, files), { objectMode: false })
}

async function* statementAndRows(
  statement: string,
  files: readonly RowFile[],
): AsyncGenerator<Buffer> {
  yield Buffer.from(`${statement}\n`)
  for (const { path } of files) {
    yield* createReadStream(path, { highWaterMark: 1024 * 1024 })
  }
}
