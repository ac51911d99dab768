import { EngineError } from '../engine.js'

/** The most bytes of an error that a server reports at the end of a response. */
const LONGEST_ERROR = 16 * 1024
const NOTHING: Buffer = Buffer.alloc(0)
/** Strings in the output are quoted, so no row ends like this. */
const ERROR_END = /\(version [^"]*\)\s*$/

/**
 * Yields the pieces of a streamed response and holds back its end: a query that fails after its first rows, when the status
 * is sent already, reports the error there. Some servers then also disconnect.
 */
export async function* streamedResponse(
  pieces: AsyncIterable<Buffer>,
): AsyncGenerator<Buffer, void> {
  let held: Buffer = NOTHING
  try {
    for await (const piece of pieces) {
      // Short pieces are joined: an error may be in several of them.
      const isLong = piece.length >= LONGEST_ERROR
      if (isLong && held.length > 0) yield held
      const all = isLong ? piece : Buffer.concat([held, piece])
      const cut = Math.max(0, all.length - LONGEST_ERROR)
      if (cut > 0) yield all.subarray(0, cut)
      held = all.subarray(cut)
    }
  } catch (error) {
    throw reportedError(held.toString('latin1')) ?? error
  }
  const end = held.toString('latin1')
  if (ERROR_END.test(end)) throw reportedError(end) ?? new EngineError({ code: 0, message: end })
  if (held.length > 0) yield held
}

function reportedError(end: string): EngineError | undefined {
  const [message, code] = /Code: (\d+)\. DB::Exception: .*/s.exec(end) ?? []
  return message === undefined ? undefined : new EngineError({ code: Number(code), message })
}
