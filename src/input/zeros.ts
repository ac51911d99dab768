import { utf8AsLatin1 } from '../text/bytes.js'
import { type ByteSource, chunksOf, withHead, withRead } from './byte-source.js'

// Zeros are no text, but logs have them: a file that is truncated while a program writes at its old position begins with
// zeros, and a crash of the machine leaves zeros where the last lines were being written.

const MARK = utf8AsLatin1('\ufeff')
const MARK_START = MARK.charCodeAt(0)

/** Fewer zeros are a character in an encoding of two or four bytes. */
const MIN_ZEROS = 4

/** Returns a source without the zeros at its beginning, however many until `signal` aborts, and their number. */
export async function afterFirstZeros(
  source: ByteSource,
  signal?: AbortSignal,
): Promise<{ readonly zeros: number; readonly rest: ByteSource }> {
  let zeros = 0
  for await (const chunk of chunksOf(source)) {
    let at = 0
    while (at < chunk.length && chunk[at] === 0) at += 1
    zeros += at
    if (at === chunk.length && signal?.aborted) break
    if (at === chunk.length) continue
    if (zeros >= MIN_ZEROS) return { zeros, rest: withHead(chunk.subarray(at), source) }
    const head = Buffer.concat([Buffer.alloc(zeros - at), chunk])
    return { zeros: 0, rest: withHead(head, source) }
  }
  return { zeros, rest: withRead(source, async () => 0) }
}

/** Returns the position after the zeros at a position of a latin1 text, and after the byte order mark of a file that follows another. */
export function afterZeros(text: string, from: number): number {
  let at = from
  let code = text.charCodeAt(at)
  while (code === 0) code = text.charCodeAt(++at)
  // The first comparison is faster for text without a mark.
  return code === MARK_START && text.startsWith(MARK, at) ? at + MARK.length : at
}

/** Returns an event without runs of zeros, and without a last line of zeros. */
export function withoutZeroRuns(event: string): string {
  return event.includes('\0') ? event.replace(/\n?\0{4,}$|\0{4,}/g, '') : event
}
