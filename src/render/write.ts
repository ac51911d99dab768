import type { Writable } from 'node:stream'

/** Small enough to start early and to stay within a pipe, large enough that calls do not count. */
const CHUNK_LENGTH = 65_536

/** Writes pieces in chunks, each after the one before has left; rejects with the stream's own error. */
export async function writeText(out: Writable, pieces: Iterable<string>): Promise<void> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    await write(out, chunk)
    chunk = ''
  }
  if (chunk !== '') await write(out, chunk)
}

function write(out: Writable, text: string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(text, (error) => (error ? reject(error) : resolve()))
  })
}
