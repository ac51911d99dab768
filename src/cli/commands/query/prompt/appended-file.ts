import { readResponse } from '../../../../render/transpose/scan-response.js'
import type { ChunkedBuffer } from '../../../../wire/bytes/chunked-buffer.js'
import { finishStream, openAppendStream, withWriteErrors } from '../../../output/file.js'

export type AppendedFile = Awaited<ReturnType<typeof openAppendedFile>>

/**
 * Opens a file to which the results of several queries are appended, and which is created if it is missing. Throws a `CommandError`
 * when it can't be written.
 */
export async function openAppendedFile(path: string) {
  const stream = await openAppendStream(path)
  let previous: string | undefined
  return {
    path,
    stream,
    /** Returns false when the result has the same columns as the previous one, whose header line then applies to both. */
    needsHeader(body: ChunkedBuffer): boolean {
      const before = previous
      const { tables } = readResponse(body).result
      previous = JSON.stringify(tables.map(({ fields }) => fields.map(({ name }) => name)))
      return before !== previous
    },
    /** Rejects with a `CommandError` when not everything could be written. */
    async close(): Promise<void> {
      await withWriteErrors(path, () => finishStream(stream))
    },
  }
}
