import { type FileHandle, open } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import { LINE_FEED } from '../../text/bytes.js'
import { eachChunkOf, type Lines, lineText } from '../line-reader.js'

/** Lines picked, in a few milliseconds, before other tasks may run. */
const LINES_AT_ONCE = 10_000

/** Returns every line whose number, from 0, is divisible by `step`; undefined for a line that is not UTF-8. */
export async function pickLines(
  lines: Lines,
  step: number,
): Promise<readonly (string | undefined)[]> {
  return lines.kind === 'file' ? await fromFile(lines.path, step) : fromBytes(lines.bytes, step)
}

function fromBytes(bytes: Buffer, step: number): readonly (string | undefined)[] {
  const picked: (string | undefined)[] = []
  for (let row = 0, from = 0; from < bytes.length; row++) {
    const lineFeed = bytes.indexOf(LINE_FEED, from)
    const end = lineFeed === -1 ? bytes.length : lineFeed
    if (row % step === 0) picked.push(lineText(bytes.subarray(from, end), { isFirst: row === 0 }))
    from = end + 1
  }
  return picked
}

async function fromFile(path: string, step: number): Promise<readonly (string | undefined)[]> {
  const picked: (string | undefined)[] = []
  let row = 0
  /** The positions in the file of the current chunk and of the current line. */
  let chunkAt = 0
  let lineAt = 0
  const file = await open(path)
  const pick = (line: Buffer): void => {
    picked.push(lineText(line, { isFirst: row === 0 }))
  }
  try {
    await eachChunkOf(file, async (chunk) => {
      let from = 0
      for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
        if (row % step === 0) {
          const isInChunk = lineAt >= chunkAt
          pick(isInChunk ? chunk.subarray(from, at) : await partOf(file, lineAt, chunkAt + at))
        }
        row++
        from = at + 1
        lineAt = chunkAt + from
        if (row % (step * LINES_AT_ONCE) === 0) await setImmediate()
      }
      chunkAt += chunk.length
    })
    if (row % step === 0 && lineAt < chunkAt) pick(await partOf(file, lineAt, chunkAt))
    return picked
  } finally {
    await file.close()
  }
}

/** Reads a part of a file at once: a line may have megabytes, and copying its pieces would take as long as reading it. */
async function partOf(file: FileHandle, from: number, to: number): Promise<Buffer> {
  const size = to - from
  const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(size), 0, size, from)
  return buffer.subarray(0, bytesRead)
}
