import { orAborted } from '../../text/abort.js'
import type { ChdbSession } from './chdb.js'

interface StreamedStatement {
  readonly text: string
  readonly signal: AbortSignal
  /** Called with each chunk that the engine computes. */
  running(chunk: Promise<unknown>): void
  /** Ends the statement while it computes a chunk. */
  kill(): void
}

/**
 * Yields the output of a statement in chunks; computes the next chunk while the caller uses the previous one. `release` is
 * called when the session can be used again.
 */
export async function* sessionStream(
  { session, release }: { readonly session: ChdbSession; release(): void },
  { text, signal, running, kill }: StreamedStatement,
): AsyncGenerator<Buffer, void> {
  const chunks = startedStream(session, text, release)
  const next = (): ReturnType<typeof chunks.next> => {
    const chunk = chunks.next()
    // The chunk may fail before the caller asks for it: a rejection without a handler would end the process.
    chunk.catch(() => {})
    running(chunk)
    return chunk
  }
  let ahead = next()
  try {
    while (true) {
      const { done, value } = await orAborted(ahead, signal, () => {
        throw signal.reason
      })
      if (done) return
      ahead = next()
      const { buffer, byteOffset, byteLength } = value.raw()
      yield Buffer.from(buffer, byteOffset, byteLength)
    }
  } finally {
    kill()
    void Promise.allSettled([ahead])
      .then(() => chunks.return?.())
      // The output of a failed statement would be prepended to the session's next result.
      .then(() => session.queryAsync("SELECT 1 SETTINGS log_comment = ''"))
      .catch(() => {})
      .finally(release)
  }
}

function startedStream(session: ChdbSession, text: string, release: () => void) {
  try {
    return session.queryStream(text)[Symbol.asyncIterator]()
  } catch (error) {
    release()
    throw error
  }
}
