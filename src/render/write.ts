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

/** The same for bytes, which come in chunks already. */
export async function writeBytes(out: Writable, chunks: Iterable<Uint8Array>): Promise<void> {
  for (const chunk of chunks) await write(out, chunk)
}

function write(out: Writable, chunk: string | Uint8Array): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}
