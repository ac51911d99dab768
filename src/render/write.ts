import type { Writable } from 'node:stream'

/** Small enough to start early and to fit into a pipe, large enough for few calls. */
const CHUNK_LENGTH = 65_536

/** Writes text in chunks and waits for each; rejects with the error of the stream. */
export async function writeText(out: Writable, pieces: Iterable<string>): Promise<void> {
  for (const chunk of textChunks(pieces)) await writeChunk(out, chunk)
}

/** Joins pieces of text, which may be single lines, to chunks. */
export function* textChunks(pieces: Iterable<string>): Iterable<string> {
  let chunk = ''
  for (const piece of pieces) {
    chunk += piece
    if (chunk.length < CHUNK_LENGTH) continue
    yield chunk
    chunk = ''
  }
  if (chunk !== '') yield chunk
}

/** Writes a chunk. Resolves when it is written; rejects with the error of the stream. */
export function writeChunk(out: Writable, chunk: Uint8Array | string): Promise<void> {
  return new Promise((resolve, reject) => {
    out.write(chunk, (error) => (error ? reject(error) : resolve()))
  })
}
