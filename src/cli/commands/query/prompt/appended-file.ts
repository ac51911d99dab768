import type { WriteStream } from 'node:fs'
import { scanResponse } from '../../../../render/transpose/scan-response.js'
import type { ChunkedBuffer } from '../../../../wire/bytes/chunked-buffer.js'
import { finishStream, openAppendStream, writeError } from '../../../output/file.js'

/** A file to which the results of several queries are appended. */
export interface AppendedFile {
  readonly path: string
  readonly stream: WriteStream
  /** Returns false when the result has the same columns as the previous one, whose header line then applies to both. */
  needsHeader(body: ChunkedBuffer): boolean
  /** Rejects with a `CommandError` when not everything could be written. */
  close(): Promise<void>
}

/** Opens a file, which is created if it is missing. Throws a `CommandError` when it can't be written. */
export async function openAppendedFile(path: string): Promise<AppendedFile> {
  const stream = await openAppendStream(path)
  let previous: string | undefined
  return {
    path,
    stream,
    needsHeader(body) {
      const before = previous
      const tables = scanResponse(body)?.result.tables
      previous =
        tables && JSON.stringify(tables.map(({ fields }) => fields.map(({ name }) => name)))
      return previous === undefined || before !== previous
    },
    async close() {
      await finishStream(stream).catch((error: unknown) => {
        throw writeError(`\`${path}\``, error)
      })
    },
  }
}
